"""The champion's card: the figures of its report, in words, and where it came from."""

from __future__ import annotations

from typing import Any

from c4.report.champion import card_text, plain_card
from c4.report.words import MAIN_KNOBS


def _rate(value: float) -> dict[str, Any]:
    return {"value_preserving": {"value": value, "low": value - 0.01, "high": value + 0.01, "count": 100}}


REPORT = {
    "game": "connect4",
    "search": dict.fromkeys(MAIN_KNOBS, 1.5) | {"cpuct": 2.0},
    "sets": {"begin-hard": {"0": _rate(0.8), "600": _rate(0.95)}},
    "overall": {"0": _rate(0.8), "600": _rate(0.95)},
    "duel": {"line": "Beats perfect play in 41 plies."},
    "worst": [{"moves": "44", "played": 0, "simulations": 600, "scores": [1, None, -2]}],
}


def test_the_card_tells_errors_and_not_what_was_right() -> None:
    text = card_text(REPORT, title="The champion of connect4", origin={"command": "train.py", "games": 12000})
    assert "| begin-hard | 20.0 (19.0–21.0) | 5.0 (4.0–6.0) |" in text
    assert "- trained by: `train.py`" in text
    assert "- games of self-play: 12,000" in text
    assert "Beats perfect play in 41 plies." in text
    assert "Errors with 600 sims: 5. The gravest:" in text
    assert "| `44` | 1 | 1 · -2 |" in text


def test_where_there_are_many_moves_the_card_names_those_that_are_right() -> None:
    scores = [None, -8, 7, 9, *[-3] * 32]
    worst = [{"moves": "a6", "played": 1, "simulations": 600, "scores": scores}]
    text = card_text(REPORT | {"game": "gomoku6", "worst": worst}, title="", origin={})
    assert "| position | plays | right moves |" in text
    assert "| `a6` | b6 (-8) | d6 (9), c6 (7) |" in text
    assert "chosen on positions of Connect Four" in text
    assert "chosen on positions of these sets" in card_text(REPORT, title="", origin={})


def test_the_card_says_nothing_of_a_move_that_nobody_knows() -> None:
    worst = [{"moves": "a8", "played": 1, "simulations": 600, "scores": [None, None, 7, *[None] * 61]}]
    assert "| `a8` | b8 | c8 (7) |" in card_text(REPORT | {"game": "gomoku8", "worst": worst}, title="", origin={})


def test_a_player_that_was_not_graded_has_a_card_of_its_metrics() -> None:
    plain = plain_card(title="run", origin={"seed": 7}, metrics={"baseline/strength": 1.5})
    assert "- seed: 7" in plain
    assert "| baseline/strength | 1.5 |" in plain


def test_mistakes_are_counted_with_the_most_simulations_that_make_any() -> None:
    faultless = REPORT | {"overall": {"32": _rate(0.97), "600": _rate(1.0)}}
    worst = [REPORT["worst"][0] | {"simulations": 32}]
    assert "Errors with 32 sims: 3." in card_text(faultless | {"worst": worst}, title="", origin={})
