"""metrics.csv: a row a generation, whole at any moment, and cut where a resumed run begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.tracking.metrics_csv import MetricsCsv


def test_what_is_logged_for_a_generation_becomes_one_row(tmp_path: Path) -> None:
    folder = RunFolder(path=tmp_path)
    table = MetricsCsv(folder)
    table.log_metrics({"loss/total": 2.5, "epoch": 0.0}, step=1)
    table.log_metrics({"truth/a": 0.5}, step=1)
    table.log_metrics({"loss/total": 1.5}, step=2)
    assert folder.metrics.read_text() == "generation,loss/total,truth/a\n1,2.5,0.5\n2,1.5,\n"
    assert read_metrics(folder) == {1: {"loss/total": 2.5, "truth/a": 0.5}, 2: {"loss/total": 1.5}}
    assert table.rows == ({"loss/total": 2.5, "truth/a": 0.5}, {"loss/total": 1.5})


def test_a_resumed_run_forgets_the_rows_it_will_make_again(tmp_path: Path) -> None:
    folder = RunFolder(path=tmp_path)
    first = MetricsCsv(folder)
    for step in (1, 2, 3):
        first.log_metrics({"a": step / 3}, step=step)
    resumed = MetricsCsv(folder)
    resumed.finalize("failed")  # as Lightning does when what is resumed cannot be loaded
    assert list(read_metrics(folder)) == [1, 2, 3]
    resumed.restore({step: row for step, row in read_metrics(folder).items() if step < 3})
    assert list(read_metrics(folder)) == [1, 2]
    assert resumed.rows == ({"a": 1 / 3}, {"a": 2 / 3})
    resumed.log_metrics({"b": 9.0}, step=3)
    assert read_metrics(folder) == {1: {"a": 1 / 3}, 2: {"a": 2 / 3}, 3: {"b": 9.0}}


def test_metrics_without_a_generation_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="log them with a step"):
        MetricsCsv(RunFolder(path=tmp_path)).log_metrics({"a": 1.0})
