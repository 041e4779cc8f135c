"""The share of the engine that self-play keeps busy: that it is measured with the knobs of a run."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


def test_it_plays_with_the_knobs_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    selfplay = importlib.import_module("selfplay")
    monkeypatch.setattr(selfplay, "SECONDS", 0.5)
    row = selfplay.measure(["experiment=tiny", "inference=torch", "selfplay.games_per_group=8"])
    assert row["engine"].startswith("torch in ")
    assert 0 < row["mean batch"] <= 8
    assert row["ratio"] > 0
