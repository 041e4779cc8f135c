"""The board on a terminal: stones that differ in shape as well as colour, a cursor, the mouse. Knows no search."""

from __future__ import annotations

import dataclasses

from rich.style import Style
from rich.text import Text
from textual.events import Click, Leave, MouseMove
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from c4.native._core import Position
from c4.ui.session import Session
from c4.ui.words import has_columns

FIRST, SECOND = "#ffd23f", "#ff8fa3"
WOOD, NEWEST, WINNING, HOLE = "#1d3461", "#39588f", "#2a7f4f", "#101d38"


BESIDE = 38  # characters that the bar and the numbers take


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cells:
    """How large a cell is, and what stands in it: nothing, the first player's stone (a disc), the second's (a ring)."""

    width: int
    stones: tuple[tuple[str, ...], ...]  # [3] of lines
    ghost: tuple[str, ...]  # where the chosen move would land

    @property
    def height(self) -> int:
        return len(self.ghost)


LARGE = Cells(
    width=6,
    stones=(
        ("      ", "  ··  ", "      "),
        (" ▄██▄ ", " ████ ", " ▀██▀ "),
        (" ▄▀▀▄ ", " █  █ ", " ▀▄▄▀ "),
    ),
    ghost=("      ", " ░░░░ ", "      "),
)
TINY = Cells(width=2, stones=(("· ",), ("● ",), ("○ ",)), ghost=("░ ",))
SMALL = Cells(width=3, stones=((" · ",), (" ● ",), (" ○ ",)), ghost=(" ░ ",))


class BoardView(Widget):
    """Shows a session; says which action the mouse chose."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"

    class Chosen(Message):
        def __init__(self, action: int) -> None:
            super().__init__()
            self.action = action

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._hint: int | None = None
        position = session.position
        self._columns = has_columns(position)
        self.rows: int = position.board().shape[0]
        self.columns: int = position.board().shape[1]
        self.cursor = (self.rows // 2, self.columns // 2)

    @property
    def action(self) -> int:
        """The move under the cursor."""
        row, column = self.cursor
        return int(column) if self._columns else int(row * self.columns + column)

    def move_cursor(self, *, rows: int, columns: int) -> None:
        row, column = self.cursor
        self.cursor = ((row + rows) % self.rows, (column + columns) % self.columns)
        self.refresh()

    def point_at(self, action: int, *, hint: bool) -> None:
        row, column = (self.cursor[0], action) if self._columns else divmod(action, self.columns)
        self.cursor = (row, column)
        self._hint = action if hint else None
        self.refresh()

    def show(self) -> None:
        """After the session has changed."""
        self._hint = None
        self.refresh()

    def get_content_width(self, _container: Size, _viewport: Size) -> int:
        return self._margin + self.columns * self._cells.width

    def get_content_height(self, _container: Size, _viewport: Size, _width: int) -> int:
        return 1 + self.rows * self._cells.height

    def render(self) -> Text:
        position = self._session.position
        lines = [self._head(position)]
        for row in range(self.rows):
            lines += self._row(position, row)
        return Text("\n", no_wrap=True).join(lines)

    def on_mouse_move(self, event: MouseMove) -> None:
        if (cell := self._cell_at(event.x, event.y)) is not None and cell != self.cursor:
            self.cursor = cell
            self.refresh()

    def on_leave(self, _event: Leave) -> None:
        self.refresh()

    def on_click(self, event: Click) -> None:
        if (cell := self._cell_at(event.x, event.y)) is not None:
            self.cursor = cell
            self.post_message(self.Chosen(self.action))

    @property
    def _cells(self) -> Cells:
        """The largest that the terminal has room for, beside the numbers and above the keys."""
        size = self.app.size
        for cells in (LARGE, SMALL):
            wide = self._margin + self.columns * cells.width + BESIDE
            if size.height >= 2 + self.rows * cells.height and size.width >= wide:
                return cells
        return TINY

    @property
    def _margin(self) -> int:
        return 0 if self._columns else 3

    def _cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        column, row = (x - self._margin) // self._cells.width, (y - 1) // self._cells.height
        if not 0 <= column < self.columns or row >= self.rows or (row < 0 and not self._columns):
            return None
        return max(row, 0), column

    def _head(self, position: Position) -> Text:
        head = Text(" " * self._margin)
        for column in range(self.columns):
            name = position.action_name(column)
            label = name if self._columns else name[0]
            mark = "▼" if column == self.cursor[1] and not self._session.over else ""
            if self._columns and self._hint == column:
                mark = "★"
            head.append(f"{mark}{label}".center(self._cells.width), Style(bold=bool(mark)))
        return head

    def _row(self, position: Position, row: int) -> list[Text]:
        cells, board = self._cells, position.board()
        winning, newest, ghost = set(position.winning_cells), self._session.last_cell, self._ghost(position)
        name = "" if self._columns else position.action_name(row * self.columns)[1:]
        lines = [
            Text(f"{name if index == cells.height // 2 else '':>2} "[: self._margin]) for index in range(cells.height)
        ]
        for column in range(self.columns):
            here, owner = (row, column), int(board[row, column])
            back = WINNING if here in winning else NEWEST if here == newest else WOOD
            style = Style(
                color=("#7088b8", FIRST, SECOND)[owner],
                bgcolor=back,
                bold=here in winning,
                underline=here == newest and cells is TINY,
            )
            shape = cells.ghost if here == ghost else cells.stones[owner]
            for index, (line, part) in enumerate(zip(lines, shape, strict=True)):
                middle = index == cells.height // 2
                if middle and cells.width > TINY.width and (here in winning or here == newest):
                    left, right = "()" if here in winning else "[]"
                    part = f"{left}{part[1:-1]}{right}"
                elif middle and not self._columns and self._hint == row * self.columns + column:
                    part = "★".center(cells.width)
                line.append(part, style)
        return lines

    def _ghost(self, position: Position) -> tuple[int, int] | None:
        if not self._session.persons_turn or self.action not in position.legal:
            return None
        if not self._columns:
            return self.cursor
        column = self.cursor[1]
        return int((position.board()[:, column] == 0).sum()) - 1, column
