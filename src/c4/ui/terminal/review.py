"""A game gone through move by move: its value as a chart, its mistakes, and a board to step along. Judges nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Key
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Footer, Static

from c4.native._core import Position
from c4.report.position import has_columns, newest_cell
from c4.ui.table import Reviewed
from c4.ui.terminal.palette import ICONS, Palette, palette
from c4.ui.terminal.stage import Stage
from c4.ui.words import line_text, plies, signed

CHART = 6  # lines, half of them for each player
MARKS = {"??": "blunder", "?": "mistake", "?!": "inaccuracy"}


class ReviewPanel(Widget):
    DEFAULT_CSS = "ReviewPanel { width: 1fr; height: 1fr; padding: 0 0 0 1; }"

    def __init__(self, game: Sequence[Position]) -> None:
        super().__init__()
        self._game, self._told, self._at = game, list[Reviewed](), 0

    def show(self, told: Sequence[Reviewed], *, at: int) -> None:
        self._told, self._at = list(told), at
        self.refresh()

    def render(self) -> RenderableType:
        width, height = max(self.content_size.width, 1), max(self.content_size.height, 1)
        colours = palette(dark=self.app.current_theme.dark, falls=has_columns(self._game[0]))
        colourful = not self.app.no_color
        head = [_progress(self._told, of=len(self._game)), *_about(self._game, self._told, at=self._at)]
        chart = _chart(self._told, at=self._at, of=len(self._game), width=width, colours=colours if colourful else None)
        head_lines = [line for text in head for line in text.wrap(self.app.console, width)]
        icons = ICONS[has_columns(self._game[0])]
        key = Text(f"value: up for {icons[0]}, down for {icons[1]}", Style(dim=True))
        room = height - len(head_lines) - len(chart) - 2
        moves = _moves(
            self._game, self._told, at=self._at, most=room, icons=icons, bad=colours.bad if colourful else None
        )
        return Group(*head_lines, key, *chart, *moves)


class ReviewScreen(ModalScreen[int | None]):
    """Ends with the ply at which the game is to go on, or None."""

    DEFAULT_CSS = """
    ReviewScreen { background: $background; }
    ReviewScreen #title { height: 1; background: $panel; padding: 0 1; }
    ReviewScreen #main { height: 1fr; }
    ReviewScreen Footer { background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "step(-1)", "step", key_display="← →"),
        Binding("right,down", "step(1)", show=False),
        Binding("home", "step(-10000)", "start"),
        Binding("end", "step(10000)", "end"),
        Binding("b", "mistake(-1)", "mistakes", key_display="b n"),
        Binding("n", "mistake(1)", show=False),
        Binding("enter", "play_on", "play on from here"),
        Binding("escape,q,v", "leave", "back", key_display="esc"),
        Binding("ctrl+c", "app.quit", show=False),
    ]

    def __init__(self, game: Sequence[Position], *, side: int) -> None:
        """`side`: the width of what stands beside the board."""
        super().__init__()
        self._game, self._told, self._at, self._side = tuple(game), list[Reviewed](), len(game) - 1, side

    @property
    def told(self) -> Sequence[Reviewed]:
        return self._told

    def compose(self) -> ComposeResult:
        yield Static("Review", id="title", markup=False)
        with Horizontal(id="main"):
            yield Stage(self._game[-1], animated=False)
            panel = ReviewPanel(self._game)
            panel.styles.width = self._side
            yield panel
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._show()

    def tell(self, told: Reviewed) -> None:
        """One more ply was judged."""
        self._told.append(told)
        self._show()

    def action_step(self, plies: int) -> None:
        self._at = min(max(self._at + plies, 0), len(self._game) - 1)
        self._show()

    def action_mistake(self, way: int) -> None:
        """To the next move in this direction that was marked."""
        marked = [told.ply for told in self._told if told.verdict is not None and told.verdict.mark]
        ahead = [ply for ply in marked if (ply - self._at) * way > 0]
        if ahead:
            self._at = min(ahead) if way > 0 else max(ahead)
            self._show()
        else:
            self._say("no more mistakes in that direction" if marked else "no mistakes were found")

    def action_play_on(self) -> None:
        self.dismiss(self._at)

    def action_leave(self) -> None:
        self.dismiss(None)

    def on_key(self, event: Key) -> None:
        if event.is_printable and event.key not in self.active_bindings:
            self._say(f"{event.character} does nothing here: arrows step, n and b jump between mistakes, esc goes back")

    def _show(self) -> None:
        position = self._game[self._at]
        newest = newest_cell(position)
        stage = self.query_one(Stage)
        stage.board.show(position, newest=newest, to_move=None)
        told = self._told[self._at] if self._at < len(self._told) else None
        verdict = None if told is None else told.verdict
        if verdict is not None and verdict.better is not None:
            stage.board.point_before(self._game[self._at - 1], verdict.better)
        stage.bar.show(None if told is None else told.analysis.value_of_first)
        self.query_one(ReviewPanel).show(self._told, at=self._at)
        self._say("")

    def _say(self, sentence: str) -> None:
        self.query_one("#title", Static).update(sentence or f"Review: ply {self._at} of {len(self._game) - 1}")


def _progress(told: Sequence[Reviewed], *, of: int) -> Text:
    if len(told) < of:
        return Text(f"judging ply {len(told)} of {of - 1} ...")
    found = [each.verdict.mark for each in told if each.verdict is not None and each.verdict.mark]
    if not found:
        return Text("no mistakes were found", Style(bold=True))
    counted = [(found.count(mark), noun) for mark, noun in MARKS.items() if mark in found]
    nouns = {"inaccuracy": "inaccuracies"}
    words = [f"{count} {noun if count == 1 else nouns.get(noun, f'{noun}s')}" for count, noun in counted]
    return Text(", ".join(words), Style(bold=True))


def _about(game: Sequence[Position], told: Sequence[Reviewed], *, at: int) -> list[Text]:
    """The move that led here, and what was to be done."""
    if at >= len(told):
        return []
    here, icons = told[at], ICONS[has_columns(game[0])]
    lines = []
    if here.verdict is not None:
        name = game[at - 1].action_name(game[at].actions[-1])
        sentence = f": {here.verdict.sentence} (by {here.verdict.by})" if here.verdict.sentence else ""
        lines.append(Text(f"{icons[(at - 1) % 2]} {name}{here.verdict.mark}{sentence}"))
    value, left = signed(here.analysis.value_of_first), plies(round(here.analysis.plies_left))
    lines.append(Text(f"value for {icons[0]} {value}, {left} left"))
    if here.analysis.line:
        lines.append(Text(f"expected: {line_text(here.analysis.line)}", Style(dim=True)))
    return lines


def _chart(told: Sequence[Reviewed], *, at: int, of: int, width: int, colours: Palette | None) -> list[Text]:
    """The value for the first player over the plies: upwards in its colour, downwards in the other's."""
    wide = max(1, min(4, width // of))
    fit = width // wide
    first = max(0, min(at - fit // 2, of - fit))
    half = CHART // 2
    lines = [Text() for _ in range(CHART + 1)]
    for ply in range(first, min(of, first + fit)):
        value = told[ply].analysis.value_of_first if ply < len(told) else 0.0
        tall = round(value * 2 * half) or (value > 0.005) - (value < -0.005)  # half lines
        colour = None if colours is None else colours.bars[value < 0]
        for line in range(CHART):
            nearest = 2 * (half - 1 - line) if line < half else 2 * (line - half)  # half lines from the middle
            filled = min(max(abs(tall) - nearest, 0), 2) if (tall > 0) == (line < half) else 0
            shape = " ▄█"[filled] if line < half else " ▀█"[filled]
            lines[line].append(shape * max(wide - 1, 1) + " " * (wide > 1), Style(color=colour))
        pointer = "▲" if ply == at else "·"
        lines[CHART].append(pointer.center(max(wide - 1, 1)) + " " * (wide > 1))
    return lines


def _moves(
    game: Sequence[Position], told: Sequence[Reviewed], *, at: int, most: int, icons: Sequence[str], bad: str | None
) -> list[Text]:
    """Two plies a line, with their marks; the one that is looked at in reverse."""
    names = [game[ply].action_name(game[ply + 1].actions[-1]) for ply in range(len(game) - 1)]
    rows = []
    for ply in range(0, len(names), 2):
        text = Text(f"{ply // 2 + 1:>3}. ", Style(dim=True))
        for each in range(ply, min(ply + 2, len(names))):
            verdict = told[each + 1].verdict if each + 1 < len(told) else None
            mark = "" if verdict is None else verdict.mark
            style = Style(bold=bool(mark), color=bad if mark else None, dim=False, reverse=each + 1 == at)
            text.append(f"{names[each]}{mark}".ljust(8), style)
        rows.append(text)
    here = max(at - 1, 0) // 2
    first = max(0, min(here - most // 2, len(rows) - most))
    head = Text(f"     {icons[0]:<8}{icons[1]}", Style(dim=True))
    return [head, *rows[first : first + most]] if most > 0 else []
