"""A run says what it is once nothing can refuse it any more, and with which metrics it goes on."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from c4.run.about import read_config, read_facts, read_overrides
from c4.run.archive import Archive
from c4.run.begin import begin
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics, write_metrics
from c4.run.state import RunState

ROWS = {1: {"a": 1.0}, 2: {"a": 2.0}, 3: {"a": 3.0}}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    folder = RunFolder(path=tmp_path)
    folder.checkpoints.mkdir()
    folder.outcome.write_text("{}")
    (folder.checkpoints / ".state_000004.ckpt.12").touch()
    return folder


def begun(folder: RunFolder, generation: int | None) -> dict[int, dict[str, float]]:
    state = None
    if generation is not None:
        header = {"metrics": {"a": 9.0}}
        state = RunState(path=folder.state(generation), header=header, ledger={}, archive=Archive(folder=folder.path))
    return begin(folder, state=state, config={"seed": 3}, facts={"run_id": "abc"}, words=["seed=3"])


def test_a_new_run_writes_what_it_is(folder: RunFolder) -> None:
    assert begun(folder, None) == {}
    assert (read_config(folder), read_facts(folder), read_overrides(folder)) == (
        {"seed": 3}, {"run_id": "abc"}, ["seed=3"]
    )  # fmt: skip
    assert not folder.outcome.exists()
    assert list(folder.checkpoints.iterdir()) == []


def test_the_newest_metrics_may_stand_in_the_state_alone(folder: RunFolder, caplog: pytest.LogCaptureFixture) -> None:
    write_metrics(folder, ROWS)
    assert begun(folder, 4) == ROWS | {4: {"a": 9.0}}
    assert begun(folder, 3) == ROWS
    assert read_facts(folder) == {"run_id": "abc", "earlier": [{"until": 3}]}
    assert caplog.records == []


def test_later_rows_are_kept_aside(folder: RunFolder, caplog: pytest.LogCaptureFixture) -> None:
    write_metrics(folder, ROWS)
    assert begun(folder, 2) == {1: {"a": 1.0}, 2: {"a": 2.0}}
    (warned,) = caplog.records
    assert warned.levelno == logging.WARNING
    assert "what was made after generation 2 is kept in" in warned.getMessage()
    assert read_metrics(RunFolder(path=folder.path / "discarded_after_2")) == ROWS


@pytest.mark.parametrize(
    ("table", "lost"),
    [
        ("generation,a\n1,1.0\n2,2.", "generation 2,"),  # cut, even where a number is left
        ("generation,a\n1,1.0\n2\n3,3.0\n", "generation 2,"),
        ("generation,a\n", "generation 1, 2,"),
        ("\x00\n1,1\n", "generation 1, 2,"),
        ("", "generation 1, 2,"),
    ],
)
def test_rows_that_are_lost_are_said_and_the_table_is_kept(
    table: str, lost: str, folder: RunFolder, caplog: pytest.LogCaptureFixture
) -> None:
    folder.metrics.write_text(table)
    assert begun(folder, 3)[3] == ({"a": 3.0} if "3,3" in table else {"a": 9.0})
    (warned,) = (each for each in caplog.records if "has lost" in each.getMessage())
    assert f"has lost {lost} and the run continues without; the table" in warned.getMessage()
    assert folder.damaged_metrics.read_text() == table


def test_a_table_that_is_gone_is_said_too(folder: RunFolder, caplog: pytest.LogCaptureFixture) -> None:
    begun(folder, 2)
    assert "metrics.csv has lost generation 1, and the run continues without" in caplog.text
    assert not folder.damaged_metrics.exists()
