"""The specification of proofs against the plain solvers, which know every line of play, or every win by fours."""

from __future__ import annotations

import random

import pytest

from c4.reference.fours import Fours, OutOfNodesError
from c4.reference.games import START
from c4.reference.gomoku_solver import Square, Stones, forced_win, plies_to_end, sides
from c4.reference.proof import Proof, prove
from c4.reference.solver import Board, Solver

BOARDS = {
    "connect4_4x4": Board(height=4, width=4, in_a_row=4, gravity=True),
    "connect4_5x4": Board(height=4, width=5, in_a_row=4, gravity=True),
    "tictactoe": Board(height=3, width=3, in_a_row=3, gravity=False),
}


def truth(solver: Solver, moves: list[int]) -> Proof:
    """Result and distance from the score: what is left is odd where the side to move wins, and even where it loses."""
    cells, best = solver.board.cells, max(score for score in solver.scores(moves) if score is not None)
    if best == 0:
        return Proof(result=0, plies=cells - len(moves))
    last = cells + 2 - 2 * abs(best)
    left = last - len(moves)
    return Proof(result=1 if best > 0 else -1, plies=left - (left % 2 == (0 if best > 0 else 1)))


@pytest.mark.parametrize("game", BOARDS)
def test_is_true_at_every_budget_that_is_enough(game: str) -> None:
    rng, solver, proven = random.Random(game), Solver(BOARDS[game]), 0
    for _ in range(30):
        state, moves = START[game], list[int]()
        for _ in range(rng.randrange(solver.board.cells // 3, solver.board.cells)):
            action = rng.choice(state.legal_actions())
            if not state.play(action).is_terminal():
                state = state.play(action)
                moves.append(action)
        for nodes in (1, 10, 100_000):
            proof = prove(state, nodes)
            assert proof in {None, truth(solver, moves)}
            proven += proof is not None
        assert prove(state, 100_000) is not None
    assert proven > 40


def test_says_nothing_without_enough_nodes() -> None:
    start = START["connect4_4x4"]
    needed = next(nodes for nodes in range(1, 10_000) if prove(start.play(0).play(0).play(1).play(1), nodes))
    assert needed > 1
    assert prove(start.play(0).play(0).play(1).play(1), needed - 1) is None


@pytest.mark.parametrize("board", [Square(size=5, in_a_row=4), Square(size=6, in_a_row=4), Square(size=6, in_a_row=5)])
def test_finds_the_shortest_win_by_fours(board: Square) -> None:
    """Up to seven plies, and none where there is none."""
    rng, seen = random.Random(f"{board}"), set[int]()
    for _ in range(120):
        actions = rng.sample(range(board.size**2), 2 * board.size + rng.randrange(4))
        own, other = sides(actions)
        wins = [sum(board.wins(side, cell) for cell in board.empty(own, other)) for side in (own, other)]
        if wins[0] or wins[1] > 1 or any(line <= side for line in board.lines for side in (own, other)):
            continue
        fours = Fours(board, nodes_left=10_000)
        win = fours.wins_in(own, other)
        expected = forced_win(board, own, other, threes=False, plies=7)
        assert expected == (win.plies if win and win.plies <= 7 else 0), actions
        seen.add(expected)
        used = 10_000 - fours.nodes_left
        assert Fours(board, nodes_left=used).wins_in(own, other) == win
        with pytest.raises(OutOfNodesError):
            Fours(board, nodes_left=used - 1).wins_in(own, other)
    assert seen >= {0, 3, 5}


def test_loses_to_fours_whatever_is_played() -> None:
    """By trying every move; and perfect play loses no later."""
    board, rng, seen = Square(size=5, in_a_row=4), random.Random(5), set[int]()
    for _ in range(100):
        actions = rng.sample(range(25), rng.choice([14, 15, 16]))
        own, other = sides(actions)
        over = any(line <= side for line in board.lines for side in (own, other))
        if over or any(board.wins(own, cell) for cell in board.empty(own, other)):
            continue
        plies = Fours(board, nodes_left=10_000).loses_in(own, other)
        assert plies == _latest_loss(board, own, other), actions
        if plies:
            best = plies_to_end(board, own, other)
            assert -plies <= best < 0
            assert best == -plies or plies > 4
        seen.add(plies or 0)
    assert seen >= {0, 2, 4}


def _latest_loss(board: Square, own: Stones, other: Stones) -> int | None:
    """Plies in which `own` loses at the latest, when after each move of its own the other side wins at once or by
    fours; after a four, when it has to stop it and `own` is lost then."""
    latest = 2
    for move in board.empty(own, other):
        laid = own | {move}
        wins = [cell for cell in board.empty(laid, other) if board.wins(laid, cell)]
        if any(board.wins(other, cell) for cell in board.empty(laid, other)):
            continue
        if len(wins) > 1:
            return None
        if wins:
            after = _latest_loss(board, laid, other | {wins[0]})
            plies = after and after + 2
        else:
            by_fours = forced_win(board, other, laid, threes=False, plies=25)
            plies = by_fours and by_fours + 1
        if not plies:
            return None
        latest = max(latest, plies)
    return latest


def test_looks_at_each_attack_once() -> None:
    """Each of two threes, stopped at one end, can become a four in two ways or not yet."""
    fours = Fours(Square(size=9, in_a_row=5), nodes_left=100)
    assert fours.wins_in(frozenset({1, 2, 3, 73, 74, 75}), frozenset({0, 72})) is None
    assert fours.nodes_left == 100 - 9
