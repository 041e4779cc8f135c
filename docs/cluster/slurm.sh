#!/usr/bin/env bash
# Self-play on the nodes of a Slurm job, the learner on the first of them:  sbatch docs/cluster/slurm.sh
#SBATCH --job-name=c4
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=04:00:00
set -euo pipefail

nodes=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
head_node=${nodes%%$'\n'*}
addresses=$(srun --nodes=1 --ntasks=1 --nodelist="$head_node" hostname --ip-address)
head_ip=${addresses%% *}
export RAY_AUTH_MODE=token
RAY_AUTH_TOKEN=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n') # of this job alone
export RAY_AUTH_TOKEN

srun --nodes=1 --ntasks=1 --nodelist="$head_node" \
  ray start --head --block --node-ip-address="$head_ip" --port=6379 --num-cpus=$((SLURM_CPUS_PER_TASK - 2)) &
sleep 20 # the head has to answer before others ask for it
srun --nodes=$((SLURM_JOB_NUM_NODES - 1)) --ntasks=$((SLURM_JOB_NUM_NODES - 1)) --exclude="$head_node" \
  ray start --block --address="$head_ip:6379" --num-cpus="$SLURM_CPUS_PER_TASK" &

# Two processors of the first node are the learner's; all others play. Actors join as their nodes do.
actors=$((SLURM_JOB_NUM_NODES * SLURM_CPUS_PER_TASK - 2))
srun --overlap --nodes=1 --ntasks=1 --nodelist="$head_node" \
  python train.py selfplay=ray selfplay.address="$head_ip:6379" selfplay.actors="$actors" selfplay.patience=300 \
  resume=auto
