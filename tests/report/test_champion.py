"""The champion's card: the figures of its report, in words, and where it came from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from c4.report.champion import card_text, origin_of, told_command


def _rate(value: float) -> dict[str, Any]:
    return {"value_preserving": {"value": value, "low": value - 0.01, "high": value + 0.01, "n": 100}}


REPORT = {
    "game": "connect4",
    "search": {"cpuct": 2.0, "fpu_reduction": 0.4, "mlh_slope": 0.03, "mlh_cap": 0.15, "proven_results": True},
    "sets": {"begin-hard": {"0": _rate(0.8), "600": _rate(0.95)}},
    "overall": {"0": _rate(0.8), "600": _rate(0.95)},
    "duel": {"line": "Beats perfect play in 41 plies."},
    "worst": [{"moves": "44", "played": 0, "simulations": 600, "scores": [1, None, -2]}],
    "failures": [{"moves": "44"}, {"moves": "45"}],
}


def test_the_card_tells_errors_and_not_what_was_right() -> None:
    text = card_text(REPORT, title="The champion of connect4", origin={"command": "train.py", "games": 12000})
    assert "| begin-hard | 20.0 (19.0–21.0) | 5.0 (4.0–6.0) |" in text
    assert "- trained by: `train.py`" in text
    assert "- games of self-play: 12,000" in text
    assert "Beats perfect play in 41 plies." in text
    assert "2 positions are still wrong at 600 sims" in text
    assert "| `44` | 1 | 1 · -2 |" in text


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
