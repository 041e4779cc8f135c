"""The knobs that a run was played with, as its folder keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hydra import compose, initialize_config_module
from omegaconf import OmegaConf

from c4.evaluation.play_audit import settings_of
from c4.run.folder import RunFolder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with initialize_config_module("c4.conf", version_base="1.3"):
        OmegaConf.save(compose("train", overrides=["search.cpuct=9.0"]), tmp_path / "config.yaml", resolve=False)
    return tmp_path


def test_what_a_run_kept_is_taken_and_what_it_did_not_know_is_as_today(run: Path) -> None:
    kept = OmegaConf.load(run / "config.yaml")
    del kept["search"]["fpu_reduction"]
    OmegaConf.save(kept, run / "config.yaml")
    search, today = settings_of(RunFolder(path=run)).search, settings_of(None).search
    assert search.cpuct == 9.0 != today.cpuct
    assert search.fpu_reduction == today.fpu_reduction


def test_a_knob_is_known_by_its_former_name(run: Path) -> None:
    kept = OmegaConf.load(run / "config.yaml")
    del kept["search"]["forced_visits"]
    kept["search"]["forced_playouts"], kept["selfplay"]["cache_entries"] = 2.0, 4096
    OmegaConf.save(kept, run / "config.yaml")
    assert settings_of(RunFolder(path=run)).search.forced_visits == 2.0
