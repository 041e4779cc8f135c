"""The board as a widget: a cursor, the mouse, a stone that falls, the names of columns and rows. Knows no search."""

from __future__ import annotations

import dataclasses
from functools import cached_property

from rich.segment import Segment
from rich.style import Style
from textual.events import Click, MouseMove
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from c4.native._core import Position
from c4.report.position import has_columns
from c4.ui.terminal.palette import Palette, ink_on, palette
from c4.ui.terminal.scene import Cell, Layout, Scene, landing, scene_of
from c4.ui.terminal.strips import drawn

FRAME_SECONDS = 0.035  # of a stone that falls by a cell


class BoardView(Widget):
    """Shows a position; says which action the mouse chose."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"

    class Chosen(Message):
        def __init__(self, action: int) -> None:
            super().__init__()
            self.action = action

    def __init__(self, position: Position, *, animated: bool = False) -> None:
        super().__init__()
        self._scene = scene_of(position, newest=None)
        self._position, self.animated = position, animated
        self._to_move: int | None = None  # whose stone the cursor would set; None: nobody's
        self._hint: int | None = None
        self._better: Cell | None = None  # a cell that a review points at
        self._falling: Timer | None = None
        self._strips: list[Strip] | None = None
        self.cursor = (self.rows // 2, self.columns // 2)
        self.layout_of_cells = self._fitted(Size(0, 0))

    @property
    def rows(self) -> int:
        return int(self._scene.board.shape[0])

    @property
    def columns(self) -> int:
        return int(self._scene.board.shape[1])

    @cached_property
    def falls(self) -> bool:
        return has_columns(self._position)

    @property
    def is_falling(self) -> bool:
        return self._falling is not None

    @property
    def action(self) -> int:
        """The move under the cursor."""
        row, column = self.cursor
        return int(column) if self.falls else int(row * self.columns + column)

    @property
    def colours(self) -> Palette:
        return palette(dark=self.app.current_theme.dark, falls=self.falls)

    def fit(self, room: Size) -> None:
        """As large as the room allows."""
        self.layout_of_cells = self._fitted(room)
        self.styles.width, self.styles.height = self.layout_of_cells.whole_width, self.layout_of_cells.whole_height
        self.redraw()

    def show(self, position: Position, *, newest: Cell | None, to_move: int | None) -> None:
        """Another position, or other people's turn. A stone that was added falls, where that is wanted."""
        added = position.ply == self._position.ply + 1 and position.actions[:-1] == self._position.actions
        self._position, self._to_move, self._hint, self._better = position, to_move, None, None
        self._scene = scene_of(position, newest=newest)
        self._stop_falling()
        if added and newest is not None and self.animated and self.falls and newest[0] > 0:
            self._drop(newest)
        self.redraw()

    def move_cursor(self, *, rows: int, columns: int) -> None:
        row, column = self.cursor
        self.cursor = ((row + rows) % self.rows, (column + columns) % self.columns)
        self.redraw()

    def point_at(self, action: int, *, hint: bool) -> None:
        self.cursor = (self.cursor[0], action) if self.falls else divmod(action, self.columns)
        self._hint = action if hint else None
        self.redraw()

    def point_before(self, before: Position, action: int) -> None:
        """Marks where another move of the position before would have led."""
        cell = (0, action) if self.falls else divmod(action, self.columns)
        self._better = landing(before.board(), falls=self.falls, cursor=cell)
        self.redraw()

    def redraw(self) -> None:
        self._strips = None
        self.refresh()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips = None  # another theme

    def render_line(self, y: int) -> Strip:
        if self._strips is None:
            self._strips = self._drawn()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width, self.rich_style)

    def on_mouse_move(self, event: MouseMove) -> None:
        cell = self.layout_of_cells.cell_at(event.x, event.y)
        if cell is not None and cell != self.cursor:
            self.cursor = cell
            self.redraw()

    def on_click(self, event: Click) -> None:
        if (cell := self.layout_of_cells.cell_at(event.x, event.y)) is not None:
            self.cursor = cell
            self.post_message(self.Chosen(self.action))

    def _fitted(self, room: Size) -> Layout:
        return Layout.fitting(rows=self.rows, columns=self.columns, falls=self.falls, room=(room.width, room.height))

    def _drop(self, cell: Cell) -> None:
        """From the top to where it lies, a cell at a time."""
        below, owner = iter(range(1, cell[0] + 1)), int(self._scene.board[cell]) - 1
        without = self._scene.board.copy()
        without[cell] = 0
        whole = self._scene
        self._scene = dataclasses.replace(
            whole, board=without, dropping=((0, cell[1]), owner), newest=None, winning=frozenset()
        )

        def fall() -> None:
            row = next(below, cell[0])
            if row == cell[0]:
                self._stop_falling()
                self._scene = whole
            else:
                self._scene = dataclasses.replace(self._scene, dropping=((row, cell[1]), owner))
            self.redraw()

        self._falling = self.set_interval(FRAME_SECONDS, fall)

    def _stop_falling(self) -> None:
        if self._falling is not None:
            self._falling.stop()
            self._falling = None

    # ---- drawing

    def _drawn(self) -> list[Strip]:
        layout, plain = self.layout_of_cells, self.app.no_color
        frame = drawn(self._seen(), layout, self.colours, plain=plain)
        if self.falls:
            return [self._names(above=True), *frame]
        sides = [
            Strip([Segment(self._side(line), self._text(bold=self._is_cursors(line)))]) for line in range(len(frame))
        ]
        return [
            *(Strip.join([side, strip]) for side, strip in zip(sides, frame, strict=True)),
            self._names(above=False),
        ]

    def _seen(self) -> Scene:
        """With what points at the board."""
        scene = self._scene
        goes_to = landing(scene.board, falls=self.falls, cursor=self.cursor)
        hint = self._better
        if self._hint is not None:
            pointed = (0, self._hint) if self.falls else divmod(self._hint, self.columns)
            hint = landing(scene.board, falls=self.falls, cursor=pointed)
        mover = self._to_move
        ghost = None if mover is None or goes_to is None or self.is_falling else (goes_to, mover)
        return dataclasses.replace(scene, ghost=ghost, hint=hint, cursor=None if mover is None else self.cursor)

    def _names(self, *, above: bool) -> Strip:
        """Of the columns; ▼ at the cursor, ★ at a hint."""
        layout, colours = self.layout_of_cells, self.colours
        segments = [Segment(" " * layout.left, self._text())]
        for column in range(self.columns):
            name = self._position.action_name(column)
            label, chosen = name if self.falls else name[0], column == self.cursor[1] and self._to_move is not None
            pointer = "★" if above and self._hint == column else "▼" if above and chosen else ""
            text = (
                (pointer + label)[: layout.width]
                .center(layout.width - (1 if layout.width > 3 else 0))
                .ljust(layout.width)
            )
            style = self._text(bold=chosen or bool(pointer))
            if pointer == "▼" and self._to_move is not None and not self.app.no_color:
                back = colours.bars[self._to_move]
                style = Style(color=ink_on(back), bgcolor=back, bold=True)
            segments.append(Segment(text, style))
        used = sum(len(segment.text) for segment in segments)
        segments.append(Segment(" " * max(0, layout.whole_width - used), self._text()))
        return Strip(segments, layout.whole_width)

    def _side(self, line: int) -> str:
        """The number of a row, at the line of its crossings."""
        layout = self.layout_of_cells
        row, within = divmod(line - layout.top, layout.lines)
        if not 0 <= row < self.rows or within != (layout.lines - 1) // 2:
            return " " * layout.margin
        return f"{self._position.action_name(row * self.columns)[1:]:>2} "

    def _is_cursors(self, line: int) -> bool:
        return (
            self._to_move is not None
            and (line - self.layout_of_cells.top) // self.layout_of_cells.lines == self.cursor[0]
        )

    def _text(self, *, bold: bool = False) -> Style:
        if self.app.no_color:
            return Style(bold=bold)
        colours = self.colours
        return Style(color=colours.ink if bold else colours.soft, bgcolor=colours.paper, bold=bold)
