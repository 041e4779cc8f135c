"""`python train.py selfplay=ray`: the same weights as in one process, also when its driver was killed; sentences."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
import torch
from benchmarks.ray_nodes import Nodes
from safetensors.torch import load_file
from tests.e2e.training_kit import UNGRADED, only_run, paused, train

from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

pytest.importorskip("ray")
pytestmark = pytest.mark.slow

RUN = (*UNGRADED, "selfplay.mode=exact", "selfplay.chunk_games=16", "budget.generations=3")
RAY = ("selfplay=ray", "selfplay.patience=900")  # a busy machine begins its actors late
GRADED = (
    "evaluation.grading.every=1", "evaluation.grading.time_share=1", "evaluation.grading.games=0",
    "evaluation.grading.positions=40", "evaluation.grading.simulations=[0,4]",
    "callbacks.checkpoint.monitor=truth/value_preserving_4",
)  # fmt: skip


def weights(runs: Path) -> dict[str, torch.Tensor]:
    return load_file(only_run(runs) / "checkpoints" / "last.safetensors")


def test_a_run_is_the_same_with_actors_and_without_also_when_its_driver_is_killed(tmp_path: Path) -> None:
    """It goes on as the client of another cluster."""
    train(*RUN, runs=tmp_path / "here")
    here = weights(tmp_path / "here")
    driver = paused((*RUN, *RAY), runs=_made(tmp_path / "ray"), after="state_000002.ckpt")
    driver.send_signal(signal.SIGKILL)
    driver.communicate()
    run, nodes = only_run(tmp_path / "ray"), Nodes()
    try:
        nodes.wait()
        said = train(f"resume={run}", f"selfplay.address={nodes.for_clients}", runs=tmp_path / "ray")
    finally:
        nodes.close()
    assert "generation 3" in said
    there = weights(tmp_path / "ray")
    assert here.keys() == there.keys()
    assert all(torch.equal(here[name], there[name]) for name in here)


def test_two_processes_that_share_a_run_learn_the_same_from_actors_as_from_their_own_games(tmp_path: Path) -> None:
    """And what a task grades beside training is what the learner would have found, in its own row."""
    shared = (*RUN, *GRADED, "trainer.devices=2", "budget.generations=2")
    train(*shared, runs=tmp_path / "here")
    said = train(*shared, *RAY, "selfplay.grade_beside=true", runs=tmp_path / "ray")
    here, there = weights(tmp_path / "here"), weights(tmp_path / "ray")
    assert all(torch.equal(here[name], there[name]) for name in here)
    truths = [truth(tmp_path / name) for name in ("here", "ray")]
    assert truths[0] == truths[1]
    assert all(truths[1].values())
    assert "generation 1, graded beside training: errors against perfect play: " in said


def truth(runs: Path) -> dict[int, dict[str, float]]:
    """What was found out of each generation."""
    rows = read_metrics(RunFolder(path=only_run(runs)))
    return {
        step: {name: value for name, value in row.items() if name.startswith("truth/")} for step, row in rows.items()
    }


def test_a_cluster_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    said = train(*RUN, "selfplay=ray", "selfplay.address=127.0.0.9:1", "selfplay.patience=2", runs=tmp_path, code=1)
    assert "selfplay.address=127.0.0.9:1: no " in said
    assert "Traceback" not in said


def _made(runs: Path) -> Path:
    runs.mkdir()
    return runs
