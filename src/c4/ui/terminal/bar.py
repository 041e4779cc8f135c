"""Who is ahead, as a bar beside the board: filled from below for the first player, from above for the second."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from c4.ui.terminal.palette import colour, hexed, ink_on, mixed, palette

WIDTH = 4


class EvaluationBar(Widget):
    DEFAULT_CSS = f"EvaluationBar {{ width: {WIDTH}; }}"

    def __init__(self, *, falls: bool) -> None:
        super().__init__()
        self._falls = falls
        self._value: float | None = None

    def show(self, value_of_first: float | None) -> None:
        if self._value != value_of_first:
            self._value = value_of_first
            self.refresh()

    def render_line(self, y: int) -> Strip:
        height, value = max(self.size.height, 1), self._value
        if self.app.no_color:
            return Strip([Segment(self._plain(y, height=height), Style())], WIDTH)
        colours = palette(dark=self.app.current_theme.dark, falls=self._falls)
        if value is None:
            return Strip(
                [
                    Segment(
                        " " * WIDTH,
                        Style(bgcolor=hexed(mixed(colour(colours.paper), colour(colours.soft), share=0.25))),
                    )
                ]
            )
        first = round((value + 1) / 2 * 2 * height)  # half lines from below
        above, below = (colours.bars[0] if 2 * height - 2 * y - half <= first else colours.bars[1] for half in (0, 1))
        label = self._label(y, height=height)
        if label:
            return Strip([Segment(label, Style(color=ink_on(below), bgcolor=below, bold=True))], WIDTH)
        middle = y == height // 2 and above == below
        text = "╌" * WIDTH if middle else "▀" * WIDTH
        shade = hexed(mixed(colour(below), colour(ink_on(below)), share=0.35)) if middle else above
        return Strip([Segment(text, Style(color=shade, bgcolor=below))], WIDTH)

    def _label(self, y: int, *, height: int) -> str:
        """At the end of who is ahead."""
        value = self._value
        if value is None or y != (height - 1 if value >= 0 else 0):
            return ""
        return f"{abs(value):.2f}".center(WIDTH)

    def _plain(self, y: int, *, height: int) -> str:
        if self._value is None:
            return " ┊┊ "
        mine = round((self._value + 1) / 2 * height)
        return self._label(y, height=height) or ("████" if y >= height - mine else "░░░░")
