"""The rate of training steps: that it is measured."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


def test_each_way_to_share_a_step_has_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    training = importlib.import_module("training")
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(training.results, "publish", lambda _name, rows: found.extend(rows))
    for name in ("STEPS", "REPEATS"):
        monkeypatch.setattr(training, name, 2)
    monkeypatch.setattr(training, "cores", lambda: 1)
    monkeypatch.setattr(sys, "argv", ["training.py", "network=small", "game=tictactoe", "data.batch_size=8"])
    training.main()
    (row,) = found
    assert row["batch"] == 8
    assert row["f32, 1 x 1"] > 0
    assert row["bf16, 1 x 1"] > 0
