"""Searches and grids as they are typed: killed and resumed, with weak trials ended early, with jobs that fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from omegaconf import OmegaConf
from optuna.trial import FrozenTrial
from tests.e2e.ready import PATIENCE, python
from tests.e2e.training_kit import QUICK, ROOT, UNGRADED, command, paused, train
from tests.network.shapes import SMALL

from c4.games import game_spec
from c4.network.tower import Tower
from c4.network.weights import save_player
from c4.sweeps.study import ATTEMPTS, read_study

pytestmark = pytest.mark.slow

TRIALS, KILLED_IN = 12, 6
SEARCH = (
    "-m", *QUICK, "budget.generations=3", "evaluation.grading.time_share=1", "evaluation.grading.simulations=[0]",
    "callbacks.checkpoint.monitor=truth/value_preserving", "hydra/sweeper=optuna", f"hydra.sweeper.trials={TRIALS}",
    "hydra.sweeper.startup_trials=4", "hydra.sweeper.pruner_startup_trials=1", "hydra.sweeper.pruner_warmup=0",
    "hydra.sweep.dir=${paths.runs}/search", "model.learning_rate=tag(log,interval(1e-6,1e-1))", "search.cpuct=1,2,4",
)  # fmt: skip


def trials(folder: Path) -> list[FrozenTrial]:
    return read_study(folder).get_trials(deepcopy=False)


def kill_in(trial: int, *, words: Sequence[str], runs: Path) -> None:
    """Once a generation of that trial is saved and before it ends."""
    process = paused(words, runs=runs, after=f"search/{trial}/checkpoints/state_000001.ckpt")
    process.kill()
    process.communicate()


def test_a_search_that_is_killed_ends_with_as_many_trials_as_it_was_to_have(tmp_path: Path) -> None:
    kill_in(KILLED_IN, words=SEARCH, runs=tmp_path)
    before = trials(tmp_path / "search")
    assert len(before) == KILLED_IN + 1
    assert before[-1].state.name == "RUNNING"
    said = train(*SEARCH, runs=tmp_path)
    assert f"trial {KILLED_IN}: " in said
    assert ", begun anew" in said
    after = trials(tmp_path / "search")
    assert [trial.number for trial in after] == list(range(TRIALS))
    assert {trial.state.name for trial in after} == {"COMPLETE", "PRUNED"}
    assert [trial.params for trial in after[: KILLED_IN + 1]] == [trial.params for trial in before]
    assert [trial.values for trial in after[:KILLED_IN]] == [trial.values for trial in before[:KILLED_IN]]
    assert [trial.user_attrs[ATTEMPTS] for trial in after] == [1 + (n == KILLED_IN) for n in range(TRIALS)]
    endings = {"COMPLETE": "finished", "PRUNED": "pruned"}
    for trial in after:
        outcome = json.loads((tmp_path / "search" / str(trial.number) / "outcome.json").read_text())
        assert outcome["ending"] == endings[trial.state.name]
    report(tmp_path / "search")


def report(folder: Path) -> None:
    done = python(["-m", "c4.sweeps", "report", str(folder)], folder=folder)
    assert done.returncode == 0, done.stderr
    assert f"{TRIALS} of {TRIALS} jobs" in done.stdout
    assert (folder / "report.html").is_file()


def test_two_workers_share_one_search_and_a_failing_trial_spoils_none(tmp_path: Path) -> None:
    words = (
        "-m", *UNGRADED, "budget.generations=1", "hydra/sweeper=optuna", "hydra.sweeper.trials=4",
        "hydra.sweeper.as_configured=false", "hydra.sweeper.sampler=random", "hydra.sweep.dir=${paths.runs}/search",
        "callbacks.checkpoint.monitor=loss/total", "callbacks.checkpoint.direction=min", "resume=null,/dev/null",
    )  # fmt: skip
    workers = [
        subprocess.Popen(
            command(words, runs=tmp_path), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(2)
    ]
    said = [worker.communicate(timeout=PATIENCE)[0] for worker in workers]
    found = trials(tmp_path / "search")
    failed = [trial.number for trial in found if trial.params["resume"] == "/dev/null"]
    assert 0 < len(failed) < 4
    assert [trial.state.name for trial in found] == ["FAIL" if n in failed else "COMPLETE" for n in range(4)]
    assert [trial.user_attrs[ATTEMPTS] for trial in found] == [1] * 4
    assert max(worker.returncode for worker in workers) == 1
    last = max(said, key=lambda text: text.count("error: ")).splitlines()[-len(failed) :]
    assert last == [
        f"error: trial {number}: /dev/null is not the state of a run: those are called state_000012.ckpt"
        for number in failed
    ]


def test_a_grid_in_parallel_reports_each_job_that_failed(tmp_path: Path) -> None:
    said = train(
        "-m", *UNGRADED, "hydra/launcher=joblib", "hydra.launcher.n_jobs=2", "resume=/dev/null,null,/dev/full",
        runs=tmp_path, code=1,
    )  # fmt: skip
    assert said.splitlines()[-2:] == [
        f"error: job {number}: {path} is not the state of a run: those are called state_000012.ckpt"
        for number, path in ((0, "/dev/null"), (2, "/dev/full"))
    ]
    assert len(list(tmp_path.rglob("metrics.csv"))) == 1


SLURM = {  # what submitit calls, on a machine without Slurm: jobs are begun at once, one after the other
    "sbatch": """
here="SLURM_JOB_ID=12 SLURM_ARRAY_JOB_ID=12 SLURM_JOB_NUM_NODES=1 SLURM_JOB_NODELIST=here SLURM_NODEID=0"
here+=" SLURM_NTASKS=1 SLURM_PROCID=0 SLURM_LOCALID=0"
for task in 0 1; do env $here SLURM_ARRAY_TASK_ID=$task bash "$1"; touch $0.$task; done >/dev/null 2>&1 &
echo Submitted batch job 12""",
    "srun": f"""until [ "$1" = {sys.executable} ]; do shift; done; exec "$@" """,
    "sacct": """
echo 'JobID|State|NodeList'
for task in 0 1; do
  [ -e ${0%sacct}sbatch.$task ] && state=COMPLETED || state=RUNNING
  echo "12_$task|$state|here"
done""",
}


def test_jobs_of_a_grid_are_slurms_by_the_file_of_the_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("submitit")
    for name, does in SLURM.items():
        (tmp_path / name).write_text(f"#!/usr/bin/env bash\n{does}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    said = train(
        "-m", "--config-dir", str(ROOT / "docs/cluster"), "hydra/launcher=slurm", *UNGRADED, "resume=null,/dev/null",
        runs=tmp_path / "runs", code=1,
    )  # fmt: skip
    assert said.splitlines()[-1].startswith("error: job 1: /dev/null is not the state of a run: ")
    (finished,) = (tmp_path / "runs").rglob("metrics.csv")
    assert finished.parent.name == "0"
    (handed_in,) = (tmp_path / "runs").rglob("12_submission.sh")
    asked = handed_in.read_text()
    for option in ("array=0-1%2", "cpus-per-task=4", "mem=8GB", "time=240"):
        assert f"#SBATCH --{option}\n" in asked


def test_the_knobs_of_play_are_searched_on_labelled_positions(tmp_path: Path) -> None:
    torch.manual_seed(0)
    spec = game_spec("connect4_4x4")
    player = tmp_path / "player.safetensors"
    save_player(player, spec=spec, design=SMALL, state=Tower(spec, SMALL).state_dict(), card={})
    words = (
        "-m", "hparams_search=play_knobs", f"checkpoint={player}", "hydra.sweeper.trials=3", "inference=torch",
        "evaluation.simulations=[32]", f"paths.runs={tmp_path / 'runs'}",
    )  # fmt: skip
    done = python([str(ROOT / "evaluate.py"), *words], folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    found = trials(tmp_path / "runs" / "sweeps" / "play_knobs")
    assert [len(trial.values) for trial in found] == [2, 2, 2]
    assert all(0.3 < value <= 1.0 for trial in found for value in trial.values)
    configured = OmegaConf.load(ROOT / "conf" / "search" / "grading.yaml")
    assert found[0].params == {key: configured[key.removeprefix("search.")] for key in found[0].params}
