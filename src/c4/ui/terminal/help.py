"""The keys, the words and what the numbers mean, over the board until a key is pressed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Click, Key
from textual.screen import ModalScreen
from textual.widgets import Static

from c4.ui.commands import WORDS
from c4.ui.terminal.keys import KEYS
from c4.ui.words import LEGEND

SCROLLS = {"up", "down", "pageup", "pagedown", "home", "end", "ctrl+c"}


class HelpScreen(ModalScreen[None]):
    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background; }
    HelpScreen VerticalScroll { width: 76; max-width: 96%; height: auto; max-height: 96%; border: round $primary;
        background: $surface; padding: 0 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "app.quit", show=False)]

    def __init__(self, *, words: Iterable[tuple[str, str]]) -> None:
        super().__init__()
        self._words = tuple(words)

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = "Help"
            box.border_subtitle = "any key goes back"
            yield Static(self._text())

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_key(self, event: Key) -> None:
        if event.key not in SCROLLS:
            event.stop()
            self.dismiss()

    def on_click(self, _: Click) -> None:
        self.dismiss()

    def _text(self) -> RenderableType:
        words = ((f":{word}", meaning) for word, meaning in (*WORDS.items(), *self._words))
        knobs = (
            (":cpuct=2", "any knob of the search, also as cpuct 2 or search.cpuct=2; help cpuct explains it"),
            (":seconds 3", "seconds for a move, instead of simulations"),
        )
        return Group(
            _heading("Keys"), _rows(KEYS), _heading("Beside the board"), _rows(LEGEND.items()),
            _heading("Commands, after the colon"), _rows((*words, *knobs)),
        )  # fmt: skip


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _rows(rows: Iterable[tuple[str, str]]) -> Grid:
    grid = Grid(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column()
    for left, right in rows:
        grid.add_row(left, right)
    return grid
