"""Boards back to plies: any that a game reaches, and no other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from c4.adapters.boards import position_of
from c4.native._core import Position

EMPTY = Position("connect4")


def drawn(*rows: str) -> np.ndarray:
    """X is the first player's stone; rows above those given are empty."""
    board = np.zeros((6, 7), np.int8)
    for index, row in enumerate(reversed(rows)):
        board[5 - index] = [".XO".index(cell) for cell in row]
    return board


@given(st.lists(st.integers(0, 6), max_size=42))
def test_every_board_of_a_game_is_found(columns: list[int]) -> None:
    position = EMPTY
    for column in columns:
        if column in position.legal:
            position = position.play(column)
    if position.is_terminal:
        return
    found = position_of(position.board(), game="connect4", since=EMPTY)
    np.testing.assert_array_equal(found.board(), position.board())
    assert found.ply == position.ply


def test_what_was_seen_before_is_continued() -> None:
    before = Position("connect4", "4453")
    found = position_of(Position("connect4", "435431").board(), game="connect4", since=before)
    assert found.actions[:4] == before.actions
    assert found.ply == 6


@pytest.mark.parametrize(
    "board",
    [
        drawn("X......", ".OX....", "XOX...."),  # floats
        drawn("XX....."),  # nobody else has played
        drawn("..O...."),
        drawn("X......", "X......", "O......", "O......"),  # the second player would begin
    ],
)
def test_a_board_that_no_game_reaches_is_refused(board: np.ndarray) -> None:
    with pytest.raises(ValueError, match="no game leads to this board"):
        position_of(board, game="connect4", since=EMPTY)
