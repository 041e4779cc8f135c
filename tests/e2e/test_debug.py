"""Each option of debug does what its first line says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e.training_kit import ROOT, only_run, train

from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

SMALL = ("experiment=tiny", "inference=torch", "evaluation.grading.every=0", "evaluation.grading.at_end=false")
OPTIONS = sorted(path.stem for path in (ROOT / "conf/debug").glob("*.yaml"))

pytestmark = pytest.mark.slow


def rows(option: str, *, runs: Path) -> list[dict[str, float]]:
    train(f"debug={option}", *SMALL, runs=runs)
    folder = RunFolder(path=only_run(runs))
    return list(read_metrics(folder).values()) if folder.metrics.exists() else []


def test_all_of_them_are_tried_here() -> None:
    assert OPTIONS == ["fast", "fdr", "limit", "overfit", "profiler"]


def test_a_trial_run_logs_nothing(tmp_path: Path) -> None:
    assert rows("fdr", runs=tmp_path) == []


def test_a_limited_one_takes_few_steps(tmp_path: Path) -> None:
    assert [row["total/steps"] for row in rows("limit", runs=tmp_path)] == [3, 6, 9]


def test_one_batch_is_learned_by_heart(tmp_path: Path) -> None:
    (row,) = rows("overfit", runs=tmp_path)
    assert row["value/explained_variance_before"] < 0.3 < 0.7 < row["value/explained_variance_after"]


def test_the_profiler_tells_where_the_time_goes(tmp_path: Path) -> None:
    assert len(rows("profiler", runs=tmp_path)) == 2
    assert "run_training_epoch" in (only_run(tmp_path) / "fit-seconds.txt").read_text()
