"""What a run takes of the disk is said before it starts, and a warning where there is no room for it."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from c4 import load_config
from c4.native import _core
from c4.run.disk import DiskNeed, need_of, say_need
from c4.run.folder import RunFolder

KNOBS = (
    "experiment=tiny", "data.window_first=1000", "data.window_max=1000", "data.generation_samples_first=100",
    "data.generation_samples_max=100", "selfplay.games_per_group=3", "selfplay.groups=2",
    "callbacks.checkpoint.every=10",
)  # fmt: skip
RECORD = _core.sample_dtype("connect4_4x4").itemsize
NEED = DiskNeed(samples=3_000_000, states=2_000_000, players=500_000, player=250_000, every=10)


def need(*words: str) -> DiskNeed:
    return need_of(load_config(*KNOBS, *words), weights=7, learning=50)


def test_samples_are_those_of_the_window_or_of_the_whole_run() -> None:
    assert need("budget.generations=500").samples == 1200 * RECORD
    assert need("budget.generations=5").samples == 500 * RECORD


def test_states_hold_the_games_in_flight_and_are_three_while_one_is_written() -> None:
    assert need("budget.generations=5").states == 3 * (50 + 3 * 2 * 16 * RECORD)


def test_players_are_counted_where_the_budget_says_how_many_there_will_be() -> None:
    assert (need("budget.generations=25").players, need("budget.generations=25").every) == (4 * 7, 0)
    assert need("budget.generations=25", "callbacks.checkpoint.every=0").players == 2 * 7
    timed = need("budget.generations=null", "budget.minutes=5")
    assert (timed.players, timed.every) == (2 * 7, 10)


@pytest.mark.parametrize(
    ("free", "has", "is_enough"), [(6_000_000, 0, True), (5_000_000, 0, False), (5_000_000, 600_000, True)]
)
def test_what_is_needed_is_said_and_a_warning_where_there_is_no_room(
    free: int,
    has: int,
    is_enough: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    folder = RunFolder(path=tmp_path)
    folder.checkpoints.mkdir()
    folder.player("last").write_bytes(bytes(has))
    with caplog.at_level(logging.INFO):
        say_need(NEED, folder=folder)
    (said,) = caplog.records
    sentence = "disk: up to 5.5 MB (samples 3.0 MB, states 2.0 MB, players 0.5 MB), and 0.2 MB every 10 generations"
    assert said.getMessage().startswith(f"{sentence}; {free / 1e6:.1f} MB are free")
    assert (said.levelno == logging.INFO) is is_enough
