"""The plain solver of Gomoku against the general one, and its threats against drawn boards."""

from __future__ import annotations

import random

import pytest

from c4.reference.gomoku_solver import Square, forced_win, plies_to_end, sides
from c4.reference.solver import Board, Solver

TIC_TAC_TOE = Square(size=3, in_a_row=3)


def stones(*rows: str) -> tuple[frozenset[int], frozenset[int]]:
    """The cells with x, who is to move, and those with o."""
    text = "".join(rows)
    return tuple(frozenset(cell for cell, stone in enumerate(text) if stone == side) for side in "xo")  # type: ignore[return-value]


def test_lines_of_a_board() -> None:
    assert len(TIC_TAC_TOE.lines) == len(set(TIC_TAC_TOE.lines)) == 8
    assert len(Square(size=6, in_a_row=4).lines) == 54
    assert [len(TIC_TAC_TOE.through[cell]) for cell in (0, 1, 4)] == [3, 2, 4]


def test_tic_tac_toe_against_the_general_solver() -> None:
    board = Board(height=3, width=3, in_a_row=3, gravity=False)
    general, rng = Solver(board), random.Random(1)
    for _ in range(100):
        actions = rng.sample(range(9), rng.randrange(2, 5))  # nobody has won yet
        plies = plies_to_end(TIC_TAC_TOE, *sides(actions))
        best = max(score for score in general.scores(actions) if score is not None)
        size = board.win_score(len(actions) + abs(plies))
        assert best == (0 if plies == 0 else size if plies > 0 else -size)


@pytest.mark.parametrize(
    ("rows", "fours", "threes"),
    [
        ([".....", ".xxx.", ".....", "ooo..", "....."], 1, 1),
        ([".....", ".xx..", ".....", ".....", "....o"], 3, 3),  # three in a row, open on both sides
        (["o....", "oxx.o", ".....", ".....", "....."], 0, 0),
        (["o....", ".x...", ".....", ".ox..", "....."], 0, 5),  # a three first
        (["..o..", "..x..", "x....", "..o..", "oo..x"], 0, 0),
        ([".....", ".xx..", "....o", "....o", "....o"], 0, 0),  # whoever is threatened has no time
        (["....o", ".xx..", "....o", ".....", "....o"], 3, 3),  # three, but not in a line of four
    ],
)
def test_wins_by_fours_and_threes(rows: list[str], fours: int, threes: int) -> None:
    board = Square(size=5, in_a_row=4)
    own, other = stones(*rows)
    assert forced_win(board, own, other, threes=False, plies=5) == fours
    assert forced_win(board, own, other, threes=True, plies=5) == threes
    if threes:
        assert forced_win(board, own, other, threes=True, plies=threes - 1) == 0
