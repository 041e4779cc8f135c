"""How a run ended, as it is written for programs; what cannot be read says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from c4.run.folder import RunFolder
from c4.run.outcome import Ending, RunOutcome, has_finished, read_outcome, write_outcome


def test_what_is_written_is_read(tmp_path: Path) -> None:
    folder = RunFolder(path=tmp_path)
    assert read_outcome(folder) is None
    write_outcome(folder, ending=Ending.FAILED, reason="the disk is full", metrics={"a": 0.5})
    assert read_outcome(folder) == RunOutcome(ending=Ending.FAILED, reason="the disk is full", metrics={"a": 0.5})
    assert not has_finished(folder)
    write_outcome(folder, ending=Ending.FINISHED, reason="", metrics={})
    assert has_finished(folder)


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "3", "{}", '{"ending": "tired"}', '{"ending": ["finished"]}', "\xff",
        '{"ending": "finished", "metrics": 3}', '{"ending": "finished", "metrics": {"a": "b"}}', "[" * 100_000,
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_nothing(tmp_path: Path, text: str) -> None:
    folder = RunFolder(path=tmp_path)
    folder.outcome.write_text(text, encoding="latin-1")
    assert read_outcome(folder) is None
    assert not has_finished(folder)
