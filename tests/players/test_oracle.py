"""Wins by force, as they are told at a board. Exact scores are tested where they are used."""

from __future__ import annotations

import pytest

from c4.native._core import Position
from c4.players.oracle import forced_win, has_forced_wins


@pytest.mark.parametrize(
    ("game", "text", "plies", "by"),
    [
        ("gomoku9", "d4 a1 e4 a3 f4 h8", 3, "fours"),  # three that are open on both sides
        ("gomoku9", "d4 a1 e4 a3 f4 h8 g4 i9", 1, "fours"),
        ("gomoku15", "h8 a1 i8 a3 h9 o1", 11, "fours and threes"),
        (
            "gomoku8",
            "a2 b7 c7 e1 h6 a1 e3 e2 f8 g5 a4 d3 d5 f2 h3 c1 f6 c3 g3",
            7,
            "fours and threes",
        ),  # by fours in 11
        ("gomoku9", "e5", None, ""),
        ("connect4", "121212", None, ""),  # only of Gomoku
        ("tictactoe", "a1 b2 b1", None, ""),
    ],
)
def test_a_win_by_force_is_found_on_any_board_of_gomoku(game: str, text: str, plies: int | None, by: str) -> None:
    assert has_forced_wins(game) == game.startswith("gomoku")
    found = forced_win(Position(game, text))
    assert (None if found is None else found.plies, "" if found is None else found.by) == (plies, by)
