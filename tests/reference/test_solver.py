"""The plain solver against known facts, exhaustive play, and an independent solver of the large board."""

from __future__ import annotations

import random
from functools import cache

import pytest

from c4.native._core import Position
from c4.reference import solver as solver_module
from c4.reference.solver import Board, GameOverError, Solver

FOUR = Board(height=4, width=4, in_a_row=4, gravity=True)
TIC_TAC_TOE = Board(height=3, width=3, in_a_row=3, gravity=False)
LARGE = Board(height=6, width=7, in_a_row=4, gravity=True)


def test_known_values_of_empty_boards() -> None:
    # All three are draws; on 5x4 a corner column gives the second player a win with the last stone but one or the last.
    assert Solver(FOUR).scores([]) == [0, 0, 0, 0]
    assert Solver(Board(height=4, width=5, in_a_row=4, gravity=True)).scores([]) == [-1, 0, 0, 0, -1]
    assert Solver(TIC_TAC_TOE).scores([]) == [0] * 9


def test_tic_tac_toe_as_everybody_knows_it() -> None:
    solver = Solver(TIC_TAC_TOE)
    assert solver.scores([0]) == [None, -2, -2, -2, 0, -2, -2, -2, -2]  # a corner: only the centre holds
    assert solver.scores([4]) == [0, -2, 0, -2, None, -2, 0, -2, 0]  # the centre: only corners hold
    assert solver.scores([0, 3, 1, 4])[2] == 3  # completes the top row with the fifth stone: (9 + 2 - 5) / 2


@pytest.mark.parametrize(
    ("moves", "score"),
    [("", 1), ("4455", 18), ("44455554221", -15)],
)
def test_published_scores_of_the_large_board(moves: str, score: int) -> None:
    pytest.importorskip("bitbully")
    from c4.players.oracle import oracle

    scores = oracle("connect4").scores(Position("connect4", moves).actions)
    assert max(one for one in scores if one is not None) == score


@cache
def _plain(own: frozenset[int], other: frozenset[int]) -> int:
    """Tic-tac-toe by trying everything, written without bitboards, windows or memory of bounds."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    if any(set(line) <= other for line in lines):
        return -((9 + 2 - len(own) - len(other)) // 2)
    free = set(range(9)) - own - other
    return max((-_plain(other, own | {cell}) for cell in free), default=0)


def test_every_position_of_tic_tac_toe() -> None:
    solver, seen = Solver(TIC_TAC_TOE), set[int]()

    def visit(position: Position) -> None:
        if position.key in seen or position.is_terminal:
            return
        seen.add(position.key)
        scores = solver.scores(position.actions)
        own = frozenset(position.actions[position.ply % 2 :: 2])
        other = frozenset(position.actions) - own
        for action, score in enumerate(scores):
            assert (score is not None) == (action in position.legal)
            if score is not None:
                assert score == -_plain(other, own | {action}), position.text
                visit(position.play(action))

    visit(Position("tictactoe"))
    assert len(seen) == 4520  # 5,478 reachable positions, 958 of them finished


def test_scores_agree_with_their_own_continuations() -> None:
    """A move's score is the other side's best answer turned around, ply by ply, on random games of four by four."""
    solver, rng = Solver(FOUR), random.Random(2)
    for _ in range(60):
        position = Position("connect4_4x4")
        while not position.is_terminal:
            scores = solver.scores(position.actions)
            action = rng.choice(position.legal)
            after = position.play(action)
            if after.is_terminal:
                expected = FOUR.win_score(after.ply) if after.value else 0
            else:
                expected = -max(score for score in solver.scores(after.actions) if score is not None)
            assert scores[action] == expected
            position = after


def test_the_end_of_the_large_board_agrees_with_an_independent_solver() -> None:
    pytest.importorskip("bitbully")
    from c4.players.oracle import oracle

    solver, rng, compared = Solver(LARGE), random.Random(3), 0
    while compared < 80:
        position, target = Position("connect4"), rng.randrange(24, 42)
        while position.ply < target and not position.is_terminal:
            position = position.play(rng.choice(position.legal))
        if not position.is_terminal:
            assert solver.scores(position.actions) == oracle("connect4").scores(position.actions), position.text
            compared += 1


def test_a_win_is_worth_more_the_sooner_it_comes() -> None:
    assert FOUR.win_score(7) == 5  # (16 + 2 - 7) / 2 rounded down
    assert LARGE.win_score(7) == 18
    assert LARGE.win_score(41) == LARGE.win_score(42) == 1  # who plays the last stone tells the two apart


def test_what_cannot_be_played_is_refused() -> None:
    solver = Solver(FOUR)
    with pytest.raises(ValueError, match="ply 5: action 0 is not legal"):
        solver.scores([0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="ply 1: action 4 is not legal"):
        solver.scores([4])
    with pytest.raises(ValueError, match="ply 8: the game is already over"):
        solver.scores([0, 1, 0, 1, 0, 1, 0, 1])
    with pytest.raises(GameOverError, match="over after ply 7"):
        solver.scores([0, 1, 0, 1, 0, 1, 0])


def test_forgetting_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = Solver(FOUR).scores([0, 1])
    monkeypatch.setattr(solver_module, "MAX_REMEMBERED", 50)
    assert Solver(FOUR).scores([0, 1]) == remembered


@pytest.mark.slow
def test_reachable_positions_of_four_by_four_can_be_labelled() -> None:
    solver, layer, count = Solver(FOUR), {Position("connect4_4x4").key: Position("connect4_4x4")}, 0
    while layer:
        following: dict[int, Position] = {}
        for position in layer.values():
            count += 1
            if position.is_terminal:
                continue
            if count % 16 == 0 or position.ply < 4:  # of every ply; all of them would take most of a minute
                scores = solver.scores(position.actions)
                assert [action for action, score in enumerate(scores) if score is not None] == position.legal
            for action in position.legal:
                after = position.play(action)
                following[after.key] = after
        layer = following
    assert count == 161_029  # Tromp's count
