"""The carried sets of Gomoku: of their definition, true, and made again from their seed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from c4.evaluation.labels import NOT_LEGAL, LabelledSet
from c4.evaluation.make_gomoku_sets import AFTER_PLIES, CELLS, FORCED_PLIES, forced_after, make_cells, make_forced
from c4.evaluation.openings import ends_at_once
from c4.evaluation.sets import labelled_set
from c4.native._core import GomokuSolver, Position
from c4.players.oracle import GameOverError, oracle
from c4.reference.solver import Board, Solver


def rows_of(labels: LabelledSet, *, count: int, least: int) -> list[int]:
    """Some rows with at least so many stones."""
    rng = random.Random(labels.name)
    late = np.flatnonzero(labels.ply >= least).tolist()
    return rng.sample(late, min(count, len(late)))


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_the_cells_are_what_they_are_called(cell) -> None:
    labels = labelled_set(cell.name, game="gomoku6")
    assert len(labels) == (150 if cell.name.startswith("begin") else 500)
    assert set(labels.ply.tolist()) <= set(cell.played)
    assert set(labels.moves_left.tolist()) <= set(cell.left)
    assert not any(ends_at_once(position) for position in labels.positions())


def test_dev_has_wins_draws_and_losses_of_every_length() -> None:
    dev = labelled_set("dev", game="gomoku6")
    assert len(dev) == 1000
    assert set(range(6, 30)) <= set(dev.ply.tolist())
    assert {-1, 0, 1} == set(dev.value.tolist())
    assert {3, 4, 5, 6, 7, 8, 9, 10, 11} <= set(dev.moves_left.tolist())
    assert dev.decisive.mean() > 0.5


@pytest.mark.parametrize("name", ["dev", *(cell.name for cell in CELLS)])
def test_the_scores_are_true(name: str) -> None:
    """By the solver in native/ where that is quick, and by the general one in reference/ at the end of games."""
    labels, truth = labelled_set(name, game="gomoku6"), oracle("gomoku6")
    general = Board(height=6, width=6, in_a_row=4, gravity=False)
    for row in rows_of(labels, count=8, least=14):
        assert [NOT_LEGAL if s is None else s for s in truth.scores(labels.moves[row])] == labels.scores[row].tolist()
    for row in rows_of(labels, count=2, least=24):
        assert Solver(general).scores(labels.moves[row]) == truth.scores(labels.moves[row])


def test_the_oracle_knows_finished_games() -> None:
    won = Position("gomoku6", "a1 a6 b1 b6 c1 c6 d1")
    assert oracle("gomoku6").value(won.actions) == -1
    with pytest.raises(GameOverError, match="the game is over after ply 7"):
        oracle("gomoku6").scores(won.actions)


@pytest.mark.parametrize("game", ["gomoku8", "gomoku9"])
def test_forced_wins_are_wins_and_something_has_to_be_found(game: str) -> None:
    forced = labelled_set("forced", game=game)
    assert len(forced) == 500
    assert set(forced.value.tolist()) == {1}
    assert forced.decisive.all()
    assert set(forced.moves_left.tolist()) == set(range(3, FORCED_PLIES + 1, 2))
    solver = GomokuSolver(size=int(game.removeprefix("gomoku")), in_a_row=5, entries=1 << 16)
    for row in rows_of(forced, count=6, least=0):
        position = Position.from_actions(game, forced.moves[row])
        for action in position.legal:
            length = forced_after(solver, position.play(action), likely=[])
            assert length == (forced.plies[row, action] if forced.scores[row, action] > 0 else 0)
            assert length <= AFTER_PLIES + 2


@pytest.mark.slow
def test_the_sets_can_be_made_again() -> None:
    first, again = (
        {cell.name: labels for cell, labels in make_cells(count=1, begin=1, seed=9, known=set())} for _ in range(2)
    )
    assert set(first) == {cell.name for cell in CELLS}
    assert all(first[name].moves == again[name].moves for name in first)
    made = [make_forced(game="gomoku8", count=2, seed=3, known=set()) for _ in range(2)]
    assert made[0].moves == made[1].moves
