"""The example files for clusters: they parse, and the command in each is one that c4 takes."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import yaml

from c4 import load_config

FOLDER = Path(__file__).parents[2] / "docs" / "cluster"


def test_the_job_of_slurm_is_a_script_and_trains() -> None:
    path = FOLDER / "slurm.sh"
    subprocess.run(["bash", "-n", str(path)], check=True)
    text = path.read_text().replace("\\\n", " ")
    words = shlex.split(text.partition("python train.py ")[2])
    filled = [word.replace("$head_ip", "10.0.0.1").replace("$actors", "62") for word in words]
    assert load_config(*[word for word in filled if not word.startswith("resume=")]).selfplay.actors == 62


def test_the_job_of_kubernetes_has_what_the_operator_asks_for_and_trains() -> None:
    job = yaml.safe_load((FOLDER / "kuberay.yaml").read_text())
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    cluster = job["spec"]["rayClusterSpec"]
    groups = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    for group in groups:
        (container,) = group["template"]["spec"]["containers"]
        assert container["image"] == groups[0]["template"]["spec"]["containers"][0]["image"]
        assert isinstance(group["rayStartParams"], dict)
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
    workers = cluster["workerGroupSpecs"][0]
    assert workers["minReplicas"] <= workers["replicas"] <= workers["maxReplicas"]
    program, command, *words = job["spec"]["entrypoint"].split()
    assert (program, command) == ("c4", "train")
    config = load_config(*[word for word in words if not word.startswith("resume=")])
    room = workers["maxReplicas"] * int(workers["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"])
    assert config.selfplay.actors is not None
    assert config.selfplay.actors <= room
