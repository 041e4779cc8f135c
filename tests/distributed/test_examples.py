"""The example files for clusters: they have the form that their readers ask for, and c4 takes the command in each."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from c4 import load_config

FOLDER = Path(__file__).parents[2] / "docs" / "cluster"
SCHEMA = json.loads((Path(__file__).parent / "data" / "rayjob_schema.json").read_text())
SLURM = {  # what the script calls, each with what stands for it on a machine without Slurm
    "scontrol": "printf '%s\\n' node1 node2 node3",
    "srun": """
while [[ $1 == --* ]]; do options+=" $1"; shift; done
[ "$1" != hostname ] || { echo 10.0.0.1 10.0.0.2; exit; }
echo "$options | $* | $RAY_AUTH_TOKEN" >>"$CALLS/$1-$3"
""",
    "sleep": ":",
}


def test_the_job_of_slurm_begins_ray_on_its_nodes_and_trains_on_the_first(tmp_path: Path) -> None:
    for name, does in SLURM.items():
        (tmp_path / name).write_text(f"#!/usr/bin/env bash\n{does}\n")
        (tmp_path / name).chmod(0o755)
    script = FOLDER / "slurm.sh"
    options = dict(re.findall(r"^#SBATCH --([a-z-]+)=(\S+)$", script.read_text(), flags=re.MULTILINE))
    assert options.keys() == {"job-name", "nodes", "ntasks-per-node", "cpus-per-task", "time"}
    about = {"SLURM_JOB_NODELIST": "node[1-3]", "SLURM_JOB_NUM_NODES": "3", "SLURM_CPUS_PER_TASK": "16"}
    env = {**os.environ, **about, "CALLS": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["bash", "-c", '. "$0"; wait', str(script)], env=env, check=True)
    head, others, train = ((tmp_path / name).read_text().split(" | ") for name in CALLED)
    assert head[:2] == [
        " --nodes=1 --ntasks=1 --nodelist=node1",
        "ray start --head --block --node-ip-address=10.0.0.1 --port=6379 --num-cpus=14",
    ]
    assert others[:2] == [
        " --nodes=2 --ntasks=2 --exclude=node1", "ray start --block --address=10.0.0.1:6379 --num-cpus=16",
    ]  # fmt: skip
    assert train[0] == " --overlap --nodes=1 --ntasks=1 --nodelist=node1"
    tokens = {call[2] for call in (head, others, train)}
    assert len(tokens) == 1
    assert re.fullmatch(r"[0-9a-f]{64}\n", tokens.pop())
    program, file, *words = train[1].split()
    assert (program, file) == ("python", "train.py")
    selfplay = load_config(*[word for word in words if not word.startswith("resume=")]).selfplay
    assert (selfplay.actors, selfplay.address) == (46, "10.0.0.1:6379")


CALLED = ("ray---head", "ray---block", "python-selfplay=ray")


def job() -> Any:
    return yaml.safe_load((FOLDER / "kuberay.yaml").read_text())


def test_the_job_of_kubernetes_has_the_form_of_a_rayjob() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(job(), SCHEMA)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("kind", "RayCluster"),
        ("spec.rayClusterSpecs", {}),
        ("spec.rayClusterSpec.headGroupSpec.rayStartParams.num-cpus", 0),
        ("spec.rayClusterSpec.workerGroupSpecs.0.minReplicas", "1"),
        ("spec.rayClusterSpec.workerGroupSpecs.0.template.spec.containers.0.resources.limits.memory", "8 GB"),
        ("spec.rayClusterSpec.headGroupSpec.template.spec.containers.0.volumeMount", []),
        ("spec.rayClusterSpec.headGroupSpec.template.spec.volumes.0.name", None),
    ],
)
def test_a_job_of_another_form_is_told_apart(path: str, value: object) -> None:
    broken = job()
    *way, last = path.split(".")
    place = broken
    for name in way:
        place = place[int(name) if name.isdecimal() else name]
    place[last] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)


def test_the_job_of_kubernetes_trains_with_as_many_actors_as_there_is_room_for() -> None:
    wanted: Mapping[str, Any] = job()
    cluster = wanted["spec"]["rayClusterSpec"]
    groups = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    for group in groups:
        (container,) = group["template"]["spec"]["containers"]
        assert container["image"] == groups[0]["template"]["spec"]["containers"][0]["image"]
    pins = (FOLDER.parents[1] / "constraints.txt").read_text().splitlines()
    assert f"ray=={cluster['rayVersion']}" in pins
    workers = cluster["workerGroupSpecs"][0]
    assert workers["minReplicas"] <= workers["replicas"] <= workers["maxReplicas"]
    program, command, *words = wanted["spec"]["entrypoint"].split()
    assert (program, command) == ("c4", "train")
    config = load_config(*[word for word in words if not word.startswith("resume=")])
    room = workers["maxReplicas"] * int(workers["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"])
    assert config.selfplay.actors is not None
    assert config.selfplay.actors <= room
