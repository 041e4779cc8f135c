"""Perfect play on small boards: alpha-beta over every line of play, with rules of its own.

Any k-in-a-row game, with gravity (Connect Four: an action is a column) or without (tic-tac-toe: an action is a cell,
row by row from the top). Plain Python: whole 4x4 and 5x4 boards take seconds, larger ones only positions near the end.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

MAX_REMEMBERED = 4_000_000  # bounds on positions kept, about 150 bytes each


@dataclasses.dataclass(frozen=True, kw_only=True)
class Board:
    height: int
    width: int
    in_a_row: int
    gravity: bool

    @property
    def cells(self) -> int:
        return self.height * self.width

    @property
    def stride(self) -> int:
        """Bits from a column to the next: one spare bit on top of each keeps lines from wrapping around.

        4x4 with its bits:   4  9 14 19   (spare)
                             3  8 13 18
                             2  7 12 17
                             1  6 11 16
                             0  5 10 15
        """
        return self.height + 1

    def column_bit(self, column: int) -> int:
        return 1 << column * self.stride

    def cell_bit(self, action: int) -> int:
        """The cell of an action of a game without gravity."""
        row, column = divmod(action, self.width)
        return self.column_bit(column) << (self.height - 1 - row)

    def wins(self, stones: int) -> bool:
        for direction in (1, self.stride - 1, self.stride, self.stride + 1):
            line = stones
            for _ in range(self.in_a_row - 1):
                line &= line >> direction
            if line:
                return True
        return False

    def win_score(self, last_ply: int) -> int:
        """What a win is worth whose last stone is the last_ply-th of the game: the sooner, the more; at least 1."""
        return (self.cells + 2 - last_ply) // 2


class GameOverError(ValueError):
    """A position in which there is nothing left to play."""


class Solver:
    """Exact scores of the moves of a position: positive wins, the larger the sooner; 0 draws."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._bounds: dict[int, tuple[int, int]] = {}
        self._shift = board.stride * board.width
        centre = (board.width - 1) / 2
        columns = sorted(range(board.width), key=lambda column: abs(column - centre))
        full = [((1 << board.height) - 1) * board.column_bit(column) for column in columns]
        self._floor = [(board.column_bit(column), cells) for column, cells in zip(columns, full, strict=True)]

    def scores(self, actions: Sequence[int]) -> list[int | None]:
        """One score an action, None where it is not legal. GameOverError when it is over, ValueError at a bad ply."""
        own, other = self._play(actions)
        ply, result = len(actions), list[int | None]()
        for action in range(self.board.width if self.board.gravity else self.board.cells):
            bit = self._bit(action, own | other)
            if not bit:
                result.append(None)
            elif self.board.wins(own | bit):
                result.append(self.board.win_score(ply + 1))
            else:
                limit = self.board.cells
                result.append(-self._solve(other, own | bit, ply + 1, -limit, limit))
        return result

    def _play(self, actions: Sequence[int]) -> tuple[int, int]:
        """The stones of the side to move and of the other after `actions`."""
        own = other = 0
        for ply, action in enumerate(actions, start=1):
            bit = self._bit(action, own | other)
            if not bit:
                raise ValueError(f"ply {ply}: action {action} is not legal")
            own, other = other, own | bit
            if self.board.wins(other) and ply < len(actions):
                raise ValueError(f"ply {ply + 1}: the game is already over")
        if self.board.wins(other) or len(actions) == self.board.cells:
            raise GameOverError(f"the game is over after ply {len(actions)}")
        return own, other

    def _bit(self, action: int, mask: int) -> int:
        """The cell that an action fills, 0 if there is none left."""
        if not self.board.gravity:
            inside = 0 <= action < self.board.cells
            return self.board.cell_bit(action) & ~mask if inside else 0
        if not 0 <= action < self.board.width:
            return 0
        bottom = self.board.column_bit(action)
        return (mask + bottom) & (((1 << self.board.height) - 1) * bottom)

    def _moves(self, mask: int) -> list[int]:
        """Cells that can be filled, those in the middle first, where most wins are."""
        if self.board.gravity:
            return [bit for bottom, cells in self._floor if (bit := (mask + bottom) & cells)]
        moves = []
        for _, cells in self._floor:
            free = cells & ~mask
            while free:
                moves.append(free & -free)
                free &= free - 1
        return moves

    def _solve(self, own: int, other: int, ply: int, alpha: int, beta: int) -> int:
        """The score for the side to move, exact inside of (alpha, beta), a bound outside. The last move did not win."""
        board = self.board
        if ply == board.cells:
            return 0
        moves = self._moves(own | other)
        if any(board.wins(own | bit) for bit in moves):
            return board.win_score(ply + 1)
        if ply + 1 == board.cells:
            return 0
        threats = [bit for bit in moves if board.wins(other | bit)]
        if len(threats) > 1:
            return -board.win_score(ply + 2)
        key = own << self._shift | other
        lower, upper = self._bounds.get(key, (-board.win_score(ply + 2), max(0, board.win_score(ply + 3))))
        alpha, beta = max(alpha, lower), min(beta, upper)
        if alpha >= beta:
            return lower if lower >= beta else upper
        best = -board.cells
        for bit in threats or moves:
            best = max(best, -self._solve(other, own | bit, ply + 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        if len(self._bounds) >= MAX_REMEMBERED:
            self._bounds.clear()
        self._bounds[key] = (best if best > alpha else lower, best if best < beta else upper)
        return best
