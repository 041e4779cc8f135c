"""A player tells which run it lies in, and the run what it has logged."""

from __future__ import annotations

from pathlib import Path

from c4.run.finding import run_of
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics


def test_a_run_is_found_from_its_players(tmp_path: Path) -> None:
    inside = tmp_path / "checkpoints" / "best.safetensors"
    assert run_of(inside) is None
    (tmp_path / "config.yaml").write_text("")
    assert run_of(inside) == run_of(tmp_path / "best.safetensors") == RunFolder(path=tmp_path)
    assert run_of(tmp_path / "deeper" / "checkpoints" / "best.safetensors") is None


def test_metrics_by_generation_without_those_that_a_row_has_not(tmp_path: Path) -> None:
    assert read_metrics(RunFolder(path=tmp_path)) == {}
    (tmp_path / "metrics.csv").write_text("generation,loss/total,truth/a\n1,2.5,0.5\n2,1.5,\n")
    assert read_metrics(RunFolder(path=tmp_path)) == {1: {"loss/total": 2.5, "truth/a": 0.5}, 2: {"loss/total": 1.5}}
