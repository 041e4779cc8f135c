"""What a job of a sweep leaves behind, and which W&B group it stands in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import OmegaConf

from c4 import multirun
from c4.params.logger import LoggerParams, WandbMode, WandbParams
from c4.sweeps.gather import gather
from c4.sweeps.jobs import hand_over, of_a_sweep


def within(folder: Path, monkeypatch: pytest.MonkeyPatch, *, mode: RunMode = RunMode.MULTIRUN) -> None:
    (folder / "3").mkdir()
    hydra = OmegaConf.create(
        {
            "mode": mode,
            "sweep": {"dir": str(folder)},
            "runtime": {"output_dir": str(folder / "3")},
            "overrides": {"task": ["search.cpuct=2", "seed=7"]},
            "job": {"num": 3},
        }
    )
    monkeypatch.setattr(HydraConfig, "get", lambda: hydra)


def logger(*, run_group: str | None) -> LoggerParams:
    wandb = WandbParams(
        enabled=True, mode=WandbMode.OFFLINE, project="c4", entity=None, run_group=run_group, tags=("mine",),
        name=None, artifact=False,
    )  # fmt: skip
    return LoggerParams(tensorboard=False, every_steps=10, wandb=wandb)


def test_jobs_of_one_sweep_stand_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    within(tmp_path, monkeypatch)
    wandb = of_a_sweep(logger(run_group=None)).wandb
    assert (wandb.run_group, wandb.tags) == (tmp_path.name, ("mine", "sweep"))
    assert of_a_sweep(logger(run_group="ours")).wandb.run_group == "ours"


def test_every_job_has_a_name_that_says_what_it_has_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    within(tmp_path, monkeypatch)
    monkeypatch.setenv(multirun.NOTES, str(tmp_path / "notes"))
    multirun.expect(multirun.Grid(jobs=4, swept=["search.cpuct", "seed"]))
    assert of_a_sweep(logger(run_group="ours")).wandb.name == f"{tmp_path.name}/3 cpuct=2 seed=7"
    (tmp_path / "3" / "trial.json").write_text(
        json.dumps({"values": {"search.cpuct": 1.23456, "model.ema_decay": None}})
    )
    assert of_a_sweep(logger(run_group=None)).wandb.name == f"{tmp_path.name}/3 cpuct=1.235 ema_decay=null"


def test_seeds_of_one_setting_are_tagged_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    within(tmp_path, monkeypatch)
    monkeypatch.setenv(multirun.NOTES, str(tmp_path / "notes"))
    multirun.expect(multirun.Grid(jobs=2, swept=["seed"]))
    assert of_a_sweep(logger(run_group=None)).wandb.tags == ("mine", "sweep", "seeds")


def test_a_run_alone_belongs_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    within(tmp_path, monkeypatch, mode=RunMode.RUN)
    assert of_a_sweep(logger(run_group=None)) == logger(run_group=None)
    assert hand_over({"truth/value_preserving_32": 0.9}) is None
    assert not list((tmp_path / "3").iterdir())


def test_what_was_measured_can_be_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    within(tmp_path, monkeypatch)
    assert hand_over({"truth/value_preserving_32": 0.9, "truth/distance_optimal_32": 0.8}) == 0.9
    assert json.loads((tmp_path / "3" / "outcome.json").read_text())["ending"] == "finished"
    (job,) = gather(tmp_path).jobs
    assert (job.number, job.seed, job.metrics["truth/distance_optimal_32"]) == (3, 7, 0.8)
