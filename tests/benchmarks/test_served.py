"""The page for benchmarks that ask it: that they find its port, whatever it says besides."""

from __future__ import annotations

import importlib
from pathlib import Path

import httpx
import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


def test_the_page_is_found_and_ends_when_nobody_asks_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    served = importlib.import_module("served").served
    with served(["game=tictactoe", "opponent=random"]) as (process, port):
        assert httpx.get(f"http://127.0.0.1:{port}/health", timeout=60).json()["visitors"] == 0
    assert process.returncode == 0
