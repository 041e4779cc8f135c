"""A small exact search from a leaf, by the rules alone, as its specification: native/search/proof.h.

The two agree on what they prove and on how many nodes they need for it. On a board with gravity (Connect Four) the
search sees threats: it never leaves a win at once to the other side, and knows a loss in two plies without a node for
it. In tic-tac-toe it finds wins by trying moves. In Gomoku it looks for wins by fours, and losses to
them: fours.py.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import lru_cache

from c4.reference.fours import Fours, OutOfNodesError, wins
from c4.reference.games import Connect4, Gomoku, State
from c4.reference.gomoku_solver import Square, Stones
from c4.reference.solver import Board


@dataclasses.dataclass(frozen=True)
class Proof:
    result: int  # for the side to move (value: native/value.h)
    plies: int  # to the end, both sides playing perfectly, or the winner by fours


@lru_cache(maxsize=100_000)
def prove(state: State, nodes: int) -> Proof | None:
    """None: more than `nodes` would be needed, or fours do not tell. Precondition: the game is not over."""
    try:
        by_fours = isinstance(state, Gomoku) and state.in_a_row > 3  # three are few enough to try every move
        return _prove_by_fours(state, nodes) if by_fours else _prove_by_all(state, nodes)
    except OutOfNodesError:
        return None


def _prove_by_all(state: State, nodes: int) -> Proof:
    board = Board(height=state.height, width=state.width, in_a_row=state.in_a_row, gravity=isinstance(state, Connect4))
    stones = [0, 0, 0]  # none, the first player's, the second player's
    for row in range(state.height):
        for column in range(state.width):
            stones[state.board[row][column]] |= board.cell_bit(row * state.width + column)
    return _Prover(board, nodes).prove(stones[state.to_move], stones[state.has_just_moved])


def _prove_by_fours(state: State, nodes: int) -> Proof | None:
    fours = Fours(_square(size=state.height, in_a_row=state.in_a_row), nodes)
    own, other = _stones(state, state.to_move), _stones(state, state.has_just_moved)
    if wins(fours.board.lines, own, other):
        return Proof(result=1, plies=1)
    if len(wins(fours.board.lines, other, own)) > 1:
        return Proof(result=-1, plies=2)
    win = fours.wins_in(own, other)
    if win is not None:
        return Proof(result=1, plies=win.plies)
    plies = fours.loses_in(own, other)
    return None if plies is None else Proof(result=-1, plies=plies)


_square = lru_cache(Square)  # its lines are found once


def _stones(state: State, player: int) -> Stones:
    return frozenset(cell for cell, stone in enumerate(sum(state.board, ())) if stone == player)


class _Prover:
    """A position is the stones of the side to move and those of the other. A score is a result and its distance in one:
    the sooner won, the higher; the sooner lost, the lower; 0 is a draw."""

    def __init__(self, board: Board, nodes: int) -> None:
        self.board, self.nodes_left = board, nodes
        self.bounds: dict[tuple[int, int], tuple[int, int]] = {}
        self.soonest_win = 3 if board.gravity else 1

    def win_at(self, ply: int) -> int:
        return max(0, self.board.cells + 1 - ply)

    def prove(self, own: int, other: int) -> Proof:
        ply = (own | other).bit_count()
        if self.board.gravity and self.can_win(own, other):
            return Proof(result=1, plies=1)
        for plies in range(2 if self.board.gravity else 1, self.board.cells - ply + 1):
            if plies % 2 == 1 and self.is_at_least(own, other, self.win_at(ply + plies)):
                return Proof(result=1, plies=plies)
            if plies % 2 == 0 and not self.is_at_least(own, other, -self.win_at(ply + plies) + 1):
                return Proof(result=-1, plies=plies)
        return Proof(result=0, plies=self.board.cells - ply)

    def is_at_least(self, own: int, other: int, least: int) -> bool:
        """Whether the score is `least` or more. With gravity, the side to move cannot win at once."""
        ply = (own | other).bit_count()
        lower, upper = self.bounds.get((own, other), (-self.win_at(ply + 2), self.win_at(ply + self.soonest_win)))
        if least > upper:
            return False
        if least <= lower:
            return True
        if self.nodes_left == 0:
            raise OutOfNodesError
        self.nodes_left -= 1
        found = self.has_move(own, other, least)
        # What was found out below of this very position does not exist: no line of play comes back to it.
        self.bounds[own, other] = (least, upper) if found else (lower, least - 1)
        return found

    def has_move(self, own: int, other: int, least: int) -> bool:
        """Whether a move leads to such a score."""
        ply = (own | other).bit_count()
        if self.board.gravity:
            moves = [bit for bit in self.moves(own | other) if not self.can_win(other, own | bit)]
            if moves and least <= -self.win_at(ply + 4):
                return True
        else:
            moves = list(self.moves(own | other))
            if any(self.board.wins(own | bit) for bit in moves):
                return True
            if least > self.win_at(ply + 3):
                return False
        return any(not self.is_at_least(other, own | bit, -least + 1) for bit in moves)

    def can_win(self, own: int, other: int) -> bool:
        return any(self.board.wins(own | bit) for bit in self.moves(own | other))

    def moves(self, mask: int) -> Iterator[int]:
        """In the order in which they are tried: columns from the middle, of equals the left first; cells in order."""
        board = self.board
        if not board.gravity:
            yield from (bit for action in range(board.cells) if (bit := board.cell_bit(action) & ~mask))
            return
        for column in sorted(range(board.width), key=lambda column: abs(2 * column + 1 - board.width)):
            bottom = board.column_bit(column)
            if bit := (mask + bottom) & ((1 << board.height) - 1) * bottom:
                yield bit
