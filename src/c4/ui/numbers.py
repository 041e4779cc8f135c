"""What the search thinks, on a terminal: a bar for who is ahead, a row of numbers a move, the line it expects."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text
from textual.widget import Widget

from c4.ui.analysis import Analysis
from c4.ui.board import FIRST, SECOND
from c4.ui.words import HEAD, STONES, exact_text, line_text, numbers, ranked, verdict


class EvaluationBar(Widget):
    """Filled from below for the first player, from above for the second."""

    DEFAULT_CSS = "EvaluationBar { width: 5; height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self._value: float | None = None

    def show(self, analysis: Analysis | None) -> None:
        self._value = None if analysis is None else analysis.value_of_first
        self.refresh()

    def render(self) -> Text:
        height = max(self.size.height, 1)
        if self._value is None:
            return Text("\n".join([" ┊ "] * height))
        mine = round((self._value + 1) / 2 * height)
        lines = []
        for row in range(height):
            first = row >= height - mine
            lines.append(Text("███" if first else "░░░", Style(color=FIRST if first else SECOND)))
        ahead = STONES[self._value < 0] if round(self._value, 2) else "="
        lines[height // 2] = Text(f"{ahead}{abs(self._value):.2f}".center(5), Style(reverse=True))
        return Text("\n").join(lines)


class Numbers(Widget):
    DEFAULT_CSS = "Numbers { width: 1fr; height: auto; }"

    def __init__(self) -> None:
        super().__init__()
        self._analysis: Analysis | None = None
        self._exact: Sequence[int | None] | None = None
        self._to_move, self._most = 0, 12

    def show(self, analysis: Analysis | None, *, exact: Sequence[int | None] | None, to_move: int) -> None:
        self._analysis, self._exact, self._to_move = analysis, exact, to_move
        self.refresh(layout=True)

    def render(self) -> RenderableType:
        analysis = self._analysis
        if analysis is None:
            return Text("")
        grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False)
        for name in HEAD:
            grid.add_column(name, justify="right", no_wrap=True, header_style="dim")
        best_exact = max((score for score in self._exact or [] if score is not None), default=None)
        for move in ranked(analysis, most=self._most):
            exact = None if self._exact is None else self._exact[move.action]
            name, *cells, _ = numbers(move, exact=exact)
            mark = "▸" if move.action == analysis.best else " "
            told = Text(exact_text(exact), _truth_style(exact, best=best_exact))
            grid.add_row(f"{mark}{name}", *cells, told, style="bold" if mark == "▸" else "")
        head = f"{verdict(analysis, to_move=self._to_move)} ({analysis.visits} visits)"
        return Group(Text(head), grid, Text(f"line: {line_text(analysis.line)}", style="dim"))


def _truth_style(score: int | None, *, best: int | None) -> str:
    """Underlined: as good as it gets."""
    if score is None:
        return ""
    colour = "green" if score > 0 else "red" if score < 0 else "yellow"
    return f"{colour} underline" if score == best else colour
