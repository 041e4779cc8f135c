"""What of a game is to be seen on the board, and where on the screen its cells are. Draws nothing."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from c4.native._core import Position
from c4.report.position import has_columns

Cell = tuple[int, int]  # row from the top, column

FRAME_LEFT, FRAME_TOP, FRAME_RIGHT, FRAME_BOTTOM = 2, 1, 1, 1  # characters around the cells
LARGEST = 12  # lines of a cell


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scene:
    board: NDArray[np.int8]  # [rows, columns]: 0 empty, 1 the first player's stone, 2 the second's
    falls: bool  # stones fall into columns; else they lie on crossing lines
    newest: Cell | None = None
    winning: frozenset[Cell] = frozenset()
    ghost: tuple[Cell, int] | None = None  # where the chosen move would land, whose it is
    hint: Cell | None = None
    cursor: Cell | None = None
    dropping: tuple[Cell, int] | None = None  # a stone on its way down, and whose it is

    def owner(self, cell: Cell) -> int | None:
        """0 the first player, 1 the second, None nobody."""
        if self.dropping is not None and self.dropping[0] == cell:
            return self.dropping[1]
        stone = int(self.board[cell])
        return stone - 1 if stone else None


def scene_of(position: Position, *, newest: Cell | None) -> Scene:
    return Scene(
        board=position.board(),
        falls=has_columns(position),
        newest=newest,
        winning=frozenset((row, column) for row, column in position.winning_cells),
    )


def landing(board: NDArray[np.int8], *, falls: bool, cursor: Cell) -> Cell | None:
    """Where a stone comes to lie; None where there is no room."""
    column = cursor[1]
    if not falls:
        return cursor if board[cursor] == 0 else None
    free = int((board[:, column] == 0).sum())
    return (free - 1, column) if free else None


def star_points(rows: int, columns: int) -> frozenset[Cell]:
    """The dots by which people find their way on a large board."""
    if rows != columns or rows < 9 or rows % 2 == 0:
        return frozenset()
    edge, middle = 3 if rows > 12 else 2, rows // 2
    corners = {(row, column) for row in (edge, rows - 1 - edge) for column in (edge, columns - 1 - edge)}
    return frozenset(corners | {(middle, middle)})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Layout:
    """Of a board in characters: the frame around the cells, coordinates beside or above it."""

    rows: int
    columns: int
    falls: bool
    lines: int  # of a cell
    width: int  # of a cell

    @classmethod
    def fitting(cls, *, rows: int, columns: int, falls: bool, room: tuple[int, int]) -> Layout:
        """The largest for a room of so many columns and lines; the smallest where there is no room at all."""
        sizes = [(lines, 2 * lines) for lines in range(LARGEST, 1, -1)] + [(1, 3), (1, 2)]
        for lines, width in sizes:
            one = cls(rows=rows, columns=columns, falls=falls, lines=lines, width=width)
            if one.whole_width <= room[0] and one.whole_height <= room[1]:
                return one
        return one

    @property
    def margin(self) -> int:
        """For the numbers of the rows."""
        return 0 if self.falls else 3

    @property
    def left(self) -> int:
        """Of the first cell."""
        return self.margin + FRAME_LEFT

    @property
    def top(self) -> int:
        """Of the first cell: names of columns are above where stones are dropped in, else below."""
        return FRAME_TOP + (1 if self.falls else 0)

    @property
    def frame_width(self) -> int:
        return FRAME_LEFT + self.columns * self.width + FRAME_RIGHT

    @property
    def frame_height(self) -> int:
        return FRAME_TOP + self.rows * self.lines + FRAME_BOTTOM

    @property
    def whole_width(self) -> int:
        return self.margin + self.frame_width

    @property
    def whole_height(self) -> int:
        return self.frame_height + 1

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Under a character. Above the board counts as its top row where stones fall."""
        column, row = (x - self.left) // self.width, (y - self.top) // self.lines
        if not 0 <= column < self.columns or row >= self.rows or (row < 0 and not self.falls):
            return None
        return max(row, 0), column
