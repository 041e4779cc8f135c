"""The board with the evaluation bar beside it, as large as there is room and in the middle of it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Resize
from textual.geometry import Size

from c4.native._core import Position
from c4.report.position import has_columns
from c4.ui.terminal.bar import WIDTH, EvaluationBar
from c4.ui.terminal.board import BoardView

GAP = 1  # between the bar and the board


class Stage(Horizontal):
    DEFAULT_CSS = f"""
    Stage {{ align: center middle; width: 1fr; height: 1fr; overflow: hidden; }}
    Stage EvaluationBar {{ margin-right: {GAP}; }}
    """

    def __init__(self, position: Position, *, animated: bool) -> None:
        super().__init__()
        self.bar = EvaluationBar(falls=has_columns(position))
        self.board = BoardView(position, animated=animated)

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.board

    def on_resize(self, event: Resize) -> None:
        self._fit(event.size)

    def show_bar(self, shown: bool) -> None:
        self.bar.display = shown

    def _fit(self, room: Size) -> None:
        board = self.board
        board.fit(Size(room.width - WIDTH - GAP, room.height))
        self.bar.styles.height = board.layout_of_cells.frame_height
        above, below = (1, 0) if board.falls else (0, 1)  # the names of the columns
        self.bar.styles.margin = (above, GAP, below, 0)
