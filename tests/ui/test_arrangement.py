"""Boards set up by hand: every board that a game leads to is taken, and no other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from c4.games import game_names
from c4.native._core import Position
from c4.ui.arrangement import arranged
from c4.ui.session import SessionError
from c4.ui.web.show import board_rows


@given(st.sampled_from(game_names()), st.lists(st.integers(0, 10_000), max_size=50))
def test_every_board_that_a_game_leads_to_is_found(game: str, choices: list[int]) -> None:
    position = Position(game)
    for choice in choices:
        if position.is_terminal:
            break
        position = position.play(position.legal[choice % len(position.legal)])
    found = arranged(game, board_rows(position))
    assert board_rows(found) == board_rows(position)
    assert (found.is_terminal, found.ply) == (position.is_terminal, position.ply)


EMPTY = "......."


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([*[EMPTY] * 5, "222...."], "the first player has 0 stones and the second 3"),
        ([*[EMPTY] * 5, "11....."], "the first player has 2 stones and the second 0"),
        ([*[EMPTY] * 4, "..1....", "2......"], "hangs in the air in column 3"),
        ([*[EMPTY] * 4, "1......", "2......"], "no game leads there"),
        ([*[EMPTY] * 4, "2222...", "1111..."], "a row was complete already"),
        ([*[EMPTY] * 4, "222....", "1111..2"], "a row was complete already"),  # and the second went on
        ([*[EMPTY] * 5], "6 rows of 7 cells"),
        ([*[EMPTY] * 5, "x......"], "6 rows of 7 cells"),
    ],
)
def test_others_are_refused_with_the_reason(rows: list[str], says: str) -> None:
    with pytest.raises(SessionError, match=says):
        arranged("connect4", rows)


def test_a_row_may_be_completed_by_the_last_stone_only() -> None:
    won = arranged("gomoku6", ["1111..", "222...", "......", "......", "......", "......"])
    assert won.is_terminal
    with pytest.raises(SessionError, match="a row was complete already"):
        arranged("gomoku6", ["1111..", "2222..", "......", "......", "......", "......"])
