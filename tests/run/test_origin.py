"""How players and pages came about, as people are told."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

import pytest

from c4.run.origin import file_hash, made_here, origin_of, told_command


def test_a_run_tells_where_its_player_came_from(tmp_path: Path) -> None:
    (tmp_path / "facts.json").write_text(
        json.dumps({"seed": 3, "command": "/a/place/train.py seed=3 hydra.run.dir=here", "machine": "somewhere"})
    )
    rows = "1,1,5,9\n2,29.96,85000.0,600000.0\n"
    (tmp_path / "metrics.csv").write_text(f"generation,budget/minutes,total/games,total/samples\n{rows}")
    assert origin_of(tmp_path / "checkpoints" / "last.safetensors") == {}
    (tmp_path / "config.yaml").write_text("")
    told = origin_of(tmp_path / "checkpoints" / "last.safetensors")
    assert told == {"seed": 3, "command": "python train.py seed=3", "minutes": 30.0, "games": 85000, "samples": 600000}
    assert origin_of(tmp_path / "elsewhere" / "deeper" / "last.safetensors") == {}


def test_a_run_that_was_gone_on_with_tells_how_it_was_begun() -> None:
    command = "/a/place/train.py name=mine seed=3 resume='/a/place/runs/mine/1' hydra.run.dir='/a/place/runs/mine/1'"
    assert told_command(command) == "python train.py name=mine seed=3"


def test_a_module_that_was_run_is_told_as_one_types_it() -> None:
    assert told_command("/a/place/c4/sweeps/__main__.py report DIR") == "python -m c4.sweeps report DIR"


def test_a_page_says_when_by_what_and_on_what_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/a/place/evaluate.py", "checkpoint=a", "paths.runs=/mine"])
    made = made_here()
    assert list(made) == ["date", "command", "commit", "machine"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", made["date"])
    assert made["command"] == "python evaluate.py checkpoint=a"
    assert "cores" in made["machine"]


def test_a_file_is_known_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"weights")
    assert hashlib.sha256(b"weights").hexdigest().startswith(file_hash(tmp_path / "a"))
