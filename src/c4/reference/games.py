"""The rules of every game, plain and slow: what native/games must agree with. Knows nothing of search.

The names are those of the C++ concept (native/game.h) in Python's spelling. States are immutable; two are equal
when the same stones lie on the same board, and then the same side is to move.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

Cells = tuple[tuple[int, ...], ...]  # row 0 on top; 0 empty, 1 the first player's stone, 2 the second player's

LINES = ((0, 1), (1, 0), (1, 1), (1, -1))  # steps (down, right) along a row, a column and both diagonals


@dataclasses.dataclass(frozen=True)
class State(ABC):
    """Two players place stones in turn. Who first has in_a_row of them in a line has won; a full board is a draw."""

    in_a_row: int
    board: Cells

    symmetries: ClassVar[int]

    @classmethod
    def start(cls, *, width: int, height: int, in_a_row: int) -> Self:
        return cls(in_a_row, ((0,) * width,) * height)

    @property
    def height(self) -> int:
        return len(self.board)

    @property
    def width(self) -> int:
        return len(self.board[0])

    @property
    def max_plies(self) -> int:
        return self.height * self.width

    @property
    def key(self) -> Cells:
        return self.board

    @cached_property
    def ply(self) -> int:
        return sum(stone != 0 for row in self.board for stone in row)

    @property
    def to_move(self) -> int:
        return 1 if self.ply % 2 == 0 else 2

    @property
    def has_just_moved(self) -> int:
        return 3 - self.to_move

    @property
    @abstractmethod
    def actions(self) -> int:
        """How many actions the game has."""

    @abstractmethod
    def cell_of(self, action: int) -> tuple[int, int] | None:
        """(row, column) where a stone comes to lie, or None when the rules do not allow the action."""

    @abstractmethod
    def action_name(self, action: int) -> str: ...

    @abstractmethod
    def image_of(self, row: int, column: int, symmetry: int) -> tuple[int, int]:
        """Where a cell is seen under a symmetry."""

    @abstractmethod
    def transform(self, action: int, symmetry: int) -> int:
        """The action that this one becomes when the board is seen under a symmetry."""

    @cached_property
    def winning_cells(self) -> list[tuple[int, int]]:
        """The cells of every winning line, row by row."""
        winner = self.has_just_moved
        cells = set()
        for row in range(self.height):
            for column in range(self.width):
                for down, right in LINES:
                    line = [(row + i * down, column + i * right) for i in range(self.in_a_row)]
                    if all(self.stone_at(*cell) == winner for cell in line):
                        cells.update(line)
        return sorted(cells)

    def stone_at(self, row: int, column: int) -> int:
        """0 outside of the board too."""
        inside = 0 <= row < self.height and 0 <= column < self.width
        return self.board[row][column] if inside else 0

    def is_terminal(self) -> bool:
        return bool(self.winning_cells) or self.ply == self.max_plies

    def result(self) -> int:
        """For the side to move (value: native/value.h): -1 lost, 0 drawn."""
        if not self.is_terminal():
            raise ValueError("the game is not over")
        return -1 if self.winning_cells else 0

    def is_legal(self, action: int) -> bool:
        return not self.is_terminal() and 0 <= action < self.actions and self.cell_of(action) is not None

    def legal_actions(self) -> list[int]:
        return [action for action in range(self.actions) if self.is_legal(action)]

    def play(self, action: int) -> Self:
        cell = self.cell_of(action) if self.is_legal(action) else None
        if cell is None:
            raise ValueError(f"action {action} is not legal here")
        rows = [list(row) for row in self.board]
        rows[cell[0]][cell[1]] = self.to_move
        return dataclasses.replace(self, board=tuple(tuple(row) for row in rows))

    def seen_under(self, symmetry: int) -> Self:
        """The symmetric image of this state."""
        rows = [[0] * self.width for _ in range(self.height)]
        for row in range(self.height):
            for column in range(self.width):
                image_row, image_column = self.image_of(row, column, symmetry)
                rows[image_row][image_column] = self.board[row][column]
        return dataclasses.replace(self, board=tuple(tuple(row) for row in rows))

    def canonical_key(self) -> Cells:
        """The same for all symmetric images."""
        return min(self.seen_under(symmetry).key for symmetry in range(self.symmetries))

    def planes(self, symmetry: int = 0) -> NDArray[np.uint8]:
        """[3, H, W]: own stones, the opponent's stones, ones if the first player is to move."""
        board = np.array(self.seen_under(symmetry).board)
        first = np.full_like(board, self.to_move == 1)
        return np.stack([board == self.to_move, board == self.has_just_moved, first]).astype(np.uint8)


class Connect4(State):
    """An action is a column; the stone falls onto the topmost one there."""

    symmetries = 2  # identity, mirror

    @property
    def actions(self) -> int:
        return self.width

    def cell_of(self, action: int) -> tuple[int, int] | None:
        for row in reversed(range(self.height)):
            if self.board[row][action] == 0:
                return row, action
        return None

    def action_name(self, action: int) -> str:
        return str(action + 1)

    def image_of(self, row: int, column: int, symmetry: int) -> tuple[int, int]:
        return (row, self.width - 1 - column) if symmetry == 1 else (row, column)

    def transform(self, action: int, symmetry: int) -> int:
        return self.image_of(0, action, symmetry)[1]


class Gomoku(State):
    """An action is an empty cell of a square board, counted row by row from the top left."""

    symmetries = 8  # three bits: 4 swaps rows and columns, then 2 turns upside down, then 1 swaps left and right

    @property
    def actions(self) -> int:
        return self.height * self.width

    def cell_of(self, action: int) -> tuple[int, int] | None:
        row, column = divmod(action, self.width)
        return (row, column) if self.board[row][column] == 0 else None

    def action_name(self, action: int) -> str:
        row, column = divmod(action, self.width)
        return "abcdefghijklmno"[column] + str(self.height - row)

    def image_of(self, row: int, column: int, symmetry: int) -> tuple[int, int]:
        if symmetry & 4:
            row, column = column, row
        if symmetry & 2:
            row = self.height - 1 - row
        if symmetry & 1:
            column = self.width - 1 - column
        return row, column

    def transform(self, action: int, symmetry: int) -> int:
        row, column = self.image_of(*divmod(action, self.width), symmetry)
        return row * self.width + column


START: dict[str, State] = {
    "connect4": Connect4.start(width=7, height=6, in_a_row=4),
    "connect4_4x4": Connect4.start(width=4, height=4, in_a_row=4),
    "connect4_5x4": Connect4.start(width=5, height=4, in_a_row=4),
    "connect4_5x5": Connect4.start(width=5, height=5, in_a_row=4),
    "connect4_6x5": Connect4.start(width=6, height=5, in_a_row=4),
    "gomoku6": Gomoku.start(width=6, height=6, in_a_row=4),
    "gomoku8": Gomoku.start(width=8, height=8, in_a_row=5),
    "gomoku9": Gomoku.start(width=9, height=9, in_a_row=5),
    "gomoku15": Gomoku.start(width=15, height=15, in_a_row=5),
    "tictactoe": Gomoku.start(width=3, height=3, in_a_row=3),
}
