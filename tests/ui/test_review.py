"""What a move gave away, by the search and by the truth. value: native/value.h."""

from __future__ import annotations

import pytest

from c4.players.moves import MoveNumbers
from c4.ui.analysis import Analysis
from c4.ui.review import by_search, by_solver

NAMES = [str(column + 1) for column in range(7)]


def analysis(value: float, *, best: int) -> Analysis:
    moves = tuple(
        MoveNumbers(action=each, name=NAMES[each], visits=1, prior=0.1, q=0.0, plies_left=9.0, proof=None)
        for each in range(7)
    )
    return Analysis(
        position="", visits=100, value=value, value_of_first=value, plies_left=10.0, proof=None, moves=moves, line=(),
        best=best,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "mark"),
    [(0.9, 0.8, "??"), (0.3, 0.3, "?"), (0.1, 0.15, "?!"), (0.1, 0.05, ""), (0.5, -0.5, ""), (-0.9, 0.95, "")],
)
def test_what_is_lost_is_counted_for_the_one_who_moved(before: float, after: float, mark: str) -> None:
    """A value after the move belongs to the opponent: 0.9 before and 0.8 after is nearly all that can be lost."""
    verdict = by_search(analysis(before, best=3), played=0, after=analysis(after, best=0))
    assert verdict.mark == mark
    assert verdict.better == (3 if mark else None)
    assert ("4 was better" in verdict.sentence) == bool(mark)


def test_the_best_move_is_never_a_mistake() -> None:
    assert by_search(analysis(0.9, best=3), played=3, after=analysis(0.9, best=0)).mark == ""


@pytest.mark.parametrize(
    ("scores", "played", "sentence"),
    [
        ([5, -3, None, 0, 0, 0, 0], 1, "turns a win into a loss: 1 was better"),
        ([5, -3, None, 0, 0, 0, 0], 3, "turns a win into a draw: 1 was better"),
        ([-5, -3, None, 0, 0, 0, 0], 0, "turns a draw into a loss: 4 was better"),
        ([5, 3, None, 0, 0, 0, 0], 1, ""),  # slower, but a win
        ([-5, -3, -4, -4, -4, -4, -4], 0, ""),
    ],
)
def test_the_truth_marks_what_changes_the_result(scores: list[int | None], played: int, sentence: str) -> None:
    verdict = by_solver(scores, played=played, names=NAMES)
    assert verdict.sentence == sentence
    assert verdict.mark == ("??" if sentence else "")
