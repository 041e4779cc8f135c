"""The solver of Gomoku in C++ against its plain twin, and against the general solver in reference/."""

from __future__ import annotations

import random

import pytest

from c4.native._core import GomokuSolver
from c4.reference.gomoku_solver import Square, forced_win, holds, plies_to_end, sides
from c4.reference.solver import Board, Solver

NODES = 10**9
TIC_TAC_TOE = Square(size=3, in_a_row=3)


def unsettled(board: Square, *, stones: range, rng: random.Random) -> list[int]:
    """Random play to one of these numbers of stones at which nobody has won, nor could at once."""
    while True:
        actions = list[int]()
        for cell in rng.sample(range(board.size**2), rng.choice(stones) + 1):
            own, _ = sides(actions)
            if any(board.wins(own, one) for one in board.empty(*sides(actions))):
                break
            actions.append(cell)
        else:
            return actions[:-1]


def native(board: Square, *, entries: int = 1 << 12) -> GomokuSolver:
    return GomokuSolver(size=board.size, in_a_row=board.in_a_row, entries=entries)


def test_every_position_of_tic_tac_toe() -> None:
    known: dict[tuple[frozenset[int], frozenset[int]], int] = {}
    assert plies_to_end(TIC_TAC_TOE, frozenset(), frozenset(), known) == 0
    solver = native(TIC_TAC_TOE)
    for (own, other), plies in known.items():
        if len(own) + len(other) < 9:
            first, second = (own, other) if len(own) == len(other) else (other, own)
            actions = [cell for pair in zip(sorted(first), [*sorted(second), -1], strict=False) for cell in pair]
            assert solver.solve([cell for cell in actions if cell >= 0], nodes=NODES) == plies


@pytest.mark.parametrize(
    ("board", "empty", "count", "kinds"),
    [
        (Square(size=4, in_a_row=3), 11, 40, 2),
        (Square(size=4, in_a_row=4), 10, 20, 1),
        (Square(size=5, in_a_row=4), 9, 60, 3),
        (Square(size=6, in_a_row=4), 10, 4, 2),
        (Square(size=6, in_a_row=5), 8, 20, 1),
    ],
)
def test_the_ends_of_games(board: Square, empty: int, count: int, kinds: int) -> None:
    rng, solver, cells = random.Random(f"{board}"), native(board), board.size**2
    seen = set[int]()
    for _ in range(count):
        actions = unsettled(board, stones=range(cells - empty, cells - 2), rng=rng)
        plies = plies_to_end(board, *sides(actions))
        assert solver.solve(actions, nodes=NODES) == plies, actions
        seen.add(plies)
    assert len(seen) >= kinds


@pytest.mark.parametrize("entries", [0, 1 << 16])
def test_longer_ends_against_the_general_solver(entries: int) -> None:
    """With and without a memory to speak of."""
    board, rng = Square(size=6, in_a_row=4), random.Random(6)
    solver, general = native(board, entries=entries), Board(height=6, width=6, in_a_row=4, gravity=False)
    seen = set[int]()
    for _ in range(25):
        actions = unsettled(board, stones=range(20, 27), rng=rng)
        plies = solver.solve(actions, nodes=NODES)
        assert plies is not None
        best = max(score for score in Solver(general).scores(actions) if score is not None)
        expected = general.win_score(len(actions) + abs(plies)) if plies else 0
        assert best == (expected if plies > 0 else -expected), actions
        seen.add(plies)
    assert min(seen) < 0 < max(seen)
    assert 0 in seen


@pytest.mark.parametrize(
    ("board", "stones", "plies", "count"),
    [
        (Square(size=4, in_a_row=3), range(1, 6), 5, 20),
        (Square(size=5, in_a_row=4), range(5, 13), 5, 30),
        (Square(size=6, in_a_row=4), range(8, 15), 5, 30),
        (Square(size=6, in_a_row=5), range(18, 26), 5, 15),
    ],
)
def test_wins_by_fours_and_threes(board: Square, stones: range, plies: int, count: int) -> None:
    rng, solver = random.Random(f"{board}"), native(board)
    seen = set[tuple[int, int]]()
    for _ in range(count):
        actions = unsettled(board, stones=stones, rng=rng)
        found = [solver.forced(actions, threes=threes, plies=plies, nodes=NODES) for threes in (False, True)]
        assert found == [forced_win(board, *sides(actions), threes=threes, plies=plies) for threes in (False, True)]
        seen.add((found[0] or 0, found[1] or 0))
    assert len(seen) > 1


def test_a_forced_win_is_a_win_and_none_is_sooner_than_perfect_play() -> None:
    board, rng = Square(size=6, in_a_row=4), random.Random(8)
    solver, both = native(board, entries=1 << 18), 0
    for _ in range(200):
        actions = unsettled(board, stones=range(8, 20), rng=rng)
        threes, fours = (solver.forced(actions, threes=one, plies=15, nodes=NODES) for one in (True, False))
        assert threes is not None
        assert fours is not None
        assert threes <= fours or fours == 0
        assert threes > 0 or fours == 0
        if threes:
            exact = solver.solve(actions, nodes=NODES)
            assert exact is not None
            assert 0 < exact <= threes
            both += 1
    assert both > 20


@pytest.mark.parametrize(
    ("board", "stones", "answers", "count"),
    [
        (Square(size=4, in_a_row=3), range(1, 10), 1, 60),
        (Square(size=4, in_a_row=4), range(8), 0, 40),
        (Square(size=5, in_a_row=4), range(6, 16), 1, 60),
        (Square(size=6, in_a_row=5), range(12, 24), 1, 20),
    ],
)
def test_who_holds_by_pairs_of_cells(board: Square, stones: range, answers: int, count: int) -> None:
    """What native code proves its twin proves, too, which looks at more answers and at every pairing."""
    rng, solver, found = random.Random(f"{board} holds"), native(board), list[tuple[bool | None, bool]]()
    for _ in range(count):
        actions = unsettled(board, stones=stones, rng=rng)
        here = solver.holds(actions, answers=answers, nodes=NODES)
        there = holds(board, *sides(actions), answers=answers)
        assert there or not here, actions
        found.append((here, there))
    assert sum(here == there for here, there in found) > 0.9 * count
    assert {there for _, there in found} == {True, False}


@pytest.mark.parametrize(
    ("board", "stones", "count"),
    [(Square(size=5, in_a_row=4), range(8, 18), 600), (Square(size=6, in_a_row=4), range(15, 28), 600)],
)
def test_who_holds_does_not_lose(board: Square, stones: range, count: int) -> None:
    """Against perfect play."""
    rng, solver, proven, won = random.Random(f"{board} against"), native(board, entries=1 << 18), 0, 0
    for _ in range(count):
        actions = unsettled(board, stones=stones, rng=rng)
        plies = solver.solve(actions, nodes=NODES)
        assert plies is not None
        held = solver.holds(actions, answers=3, nodes=NODES)
        assert not (held and plies > 0), actions
        proven += bool(held)
        won += plies > 0
    assert proven > 0.6 * (count - won)
    assert won > 0.1 * count
