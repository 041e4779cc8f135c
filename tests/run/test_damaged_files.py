"""A run's files when they are cut, overwritten or meant to harm: whoever reads one goes on, or says a sentence."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from c4.evaluation.seeds import setting_of
from c4.run.about import RunFileError, read_config, read_facts, read_overrides, write_about, write_overrides
from c4.run.folder import RunFolder
from c4.run.kept import AuditError, keep_audit, keep_games, keep_mistakes, read_audits, read_games, read_mistakes
from c4.run.metrics import read_metrics, write_metrics
from c4.run.origin import origin_of
from c4.run.outcome import Ending, read_outcome, write_outcome
from c4.sweeps.gather import gather
from c4.ui.web.runs import Runs

SENTENCES = (RunFileError, AuditError, OSError)
"""What may be raised: each is said in one line wherever it is caught."""

DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "half": lambda data: data[: len(data) // 2],
    "one byte less": lambda data: data[:-1],
    "zeros": lambda data: bytes(len(data)),
    "overwritten": lambda data: data[:9] + b"\xff\xfe\x80\x00" + data[13:],
    "deep": lambda _: b"[" * 100_000,
    "another kind": lambda _: b'[1, "x", {"values": 5}]\n',
    "long number": lambda _: b"9" * 100_000,
    "large numbers": lambda data: data.replace(b"0.5", b"1" + b"0" * 400).replace(b"1", b"1" * 30),
}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A whole one, as the only job of a sweep."""
    run = RunFolder(path=tmp_path / "sweep/0")
    run.checkpoints.mkdir(parents=True)
    write_overrides(run, ["seed=1", "search.cpuct=2"])
    write_about(run, config={"seed": 1, "game": {"name": "connect4"}}, facts={"command": "train.py", "seed": 1})
    write_metrics(run, {step: {"loss/total": 0.5 * step, "budget/minutes": 0.5} for step in range(1, 9)})
    write_outcome(run, ending=Ending.FINISHED, reason="", metrics={"loss/total": 0.5})
    keep_games(run, [{"game_id": 1, "actions": [3], "best": [3], "flags": [0], "result": 1}], generation=1, most=9)
    mistake = {"moves": "4", "simulations": 1, "played": 3, "scores": [0] * 7, "board": []}
    keep_mistakes(run, [mistake], generation=1)
    keep_audit(run, {"games": 1, "positions": 1, "plies": [1]}, generation=1)
    run.player("best").write_bytes(b"")
    return run


READERS: dict[str, Callable[[RunFolder], object]] = {
    "configuration": read_config,
    "overrides": read_overrides,
    "facts": read_facts,
    "metrics": read_metrics,
    "outcome": read_outcome,
    "games": read_games,
    "mistakes": read_mistakes,
    "audits": read_audits,
    "origin": lambda run: origin_of(run.player("best")),
    "setting": setting_of,
    "sweep": lambda run: gather(run.path.parent),
    "page": lambda run: [(one.ending, one.setup, one.glance, one.origin()) for one in Runs(run.path.parent).all()],
}
FILES = ["config", "facts", "metrics", "outcome", "overrides", "games", "mistakes", "audits"]


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_file_ends_nobody(folder: RunFolder, file: str) -> None:
    path: Path = getattr(folder, file)
    whole = path.read_bytes()
    for damage, harm in DAMAGE.items():
        path.write_bytes(harm(whole))
        for reader, read in READERS.items():
            _read(read, folder, f"{reader} of {damage}")


@pytest.mark.parametrize("file", FILES)
def test_a_pipe_and_a_device_without_end_are_not_waited_for(folder: RunFolder, file: str) -> None:
    path: Path = getattr(folder, file)
    path.unlink()
    os.mkfifo(path)
    for reader, read in READERS.items():
        _read(read, folder, f"{reader} of a pipe")
    path.unlink()
    path.symlink_to("/dev/zero")
    for reader, read in READERS.items():
        _read(read, folder, f"{reader} of zeros without end")


def _read(read: Callable[[RunFolder], object], folder: RunFolder, what: str) -> None:
    try:
        read(folder)
    except SENTENCES as error:
        if "\n" in str(error):
            pytest.fail(f"{what}: {error}")
    except Exception as error:  # noqa: BLE001
        pytest.fail(f"{what}: {type(error).__name__}: {error}"[:300])


def test_rows_that_are_lost_are_told(folder: RunFolder, caplog: pytest.LogCaptureFixture) -> None:
    assert len(read_metrics(folder)) == 8
    assert not caplog.records
    whole = folder.metrics.read_bytes()
    folder.metrics.write_bytes(whole[:-3])
    assert sorted(read_metrics(folder)) == [1, 2, 3, 4, 5, 6, 7]
    assert "1 line of it cannot be read" in caplog.text
    folder.metrics.write_bytes(whole.replace(b"\n3,", b"\nx,"))
    assert sorted(read_metrics(folder)) == [1, 2, 4, 5, 6, 7, 8]
