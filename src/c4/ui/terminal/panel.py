"""What stands beside the board: whose turn, what the search thinks, the moves so far, what the letters mean.

Made for the room there is: what matters least is left out first.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text
from textual.widget import Widget

from c4.native._core import Position
from c4.players.oracle import ForcedWin
from c4.report.position import has_columns
from c4.ui.analysis import Analysis
from c4.ui.session import NAMES, Session
from c4.ui.terminal.palette import ICONS, Palette, palette
from c4.ui.words import (
    HEAD,
    LEGEND,
    SHORT_LEGEND,
    count,
    exact_text,
    forced_text,
    line_text,
    numbers,
    outcome_text,
    plies,
    proof_text,
    ranked,
    signed,
)

_CONSOLE = Console(width=1000)  # rich asks for one to break lines
FEWEST_MOVES = 3  # rows of candidates, however little room there is


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shown:
    """All that the panel tells."""

    status: str
    position: Position
    commentator: str
    analysis: Analysis | None = None
    exact: Sequence[int | None] | None = None
    forced: ForcedWin | None = None
    with_numbers: bool = True


def status_text(session: Session, *, opponent: str, paused: bool) -> str:
    """Whose turn it is, or how the game ended."""
    icons, outcome = ICONS[has_columns(session.position)], session.outcome
    if outcome is not None:
        won = outcome_text(outcome, seat=session.seat, opponent=opponent, stones=icons)
        return f"{won}\nn: another game, v: review"
    mover = f"{icons[session.to_move]} {NAMES[session.to_move]}"
    if session.persons_turn:
        return f"your move: {mover}, ply {session.position.ply + 1}"
    if paused:
        return f"paused, {opponent} ({mover}) to move: press p to continue"
    return f"waiting for {opponent} ({mover})"


class Panel(Widget):
    DEFAULT_CSS = "Panel { width: 1fr; height: 1fr; padding: 0 0 0 1; }"

    def __init__(self, shown: Shown) -> None:
        super().__init__()
        self._shown = shown

    def show(self, shown: Shown) -> None:
        self._shown = shown
        self.refresh()

    def render(self) -> RenderableType:
        dark = self.app.current_theme.dark
        width, height = max(self.content_size.width, 1), max(self.content_size.height, 1)
        colours = palette(dark=dark, falls=has_columns(self._shown.position))
        return Group(*lines(self._shown, width=width, height=height, colours=colours, colourful=not self.app.no_color))


def lines(shown: Shown, *, width: int, height: int, colours: Palette, colourful: bool) -> list[RenderableType]:
    """From top to bottom, in `height` lines of `width` characters."""
    icons = ICONS[has_columns(shown.position)]
    soft = Style(color=colours.soft) if colourful else Style(dim=True)
    head = _wrapped(Text(shown.status, Style(bold=True)), width)
    thoughts: list[Text] = []
    grid: RenderableType | None = None
    grid_rows = 0
    if shown.with_numbers and shown.analysis is not None:
        head += _wrapped(Text(_verdict(shown.analysis, icon=icons[shown.position.ply % 2])), width)
        if shown.forced is not None:
            good = Style(color=colours.good if colourful else None, bold=True)
            head += _wrapped(Text(f"{icons[shown.position.ply % 2]} {forced_text(shown.forced)}", good), width)
        head += _wrapped(Text(f"judge: {shown.commentator}, {count(shown.analysis.visits)} visits", soft), width)
        thoughts = _wrapped(Text(f"expected: {line_text(shown.analysis.line)}"), width)
    played = _wrapped(_played(shown.position, soft=soft), width)
    if thoughts and shown.analysis is not None:
        room = height - len(head) - len(thoughts) - 1 - min(len(played), 2)
        most = max(FEWEST_MOVES, min(room, len(shown.analysis.moves), 12))
        grid, grid_rows = _grid(shown, most=most, colours=colours if colourful else None), most + 1
    left = height - len(head) - grid_rows - len(thoughts)
    legend = _legend(shown, room=left - min(len(played), 3) - 2, width=width, soft=soft) if thoughts else []
    room_played = left - len(legend)
    blank = Text("")
    played = played[-room_played:] if room_played > 0 else []
    spare = room_played - len(played)
    parts: list[RenderableType] = [*head]
    if spare > 0:
        parts.append(blank)
    parts += [] if grid is None else [grid]
    parts += thoughts
    if spare > 1:
        parts.append(blank)
    parts += played
    parts += [blank] * max(0, spare - 2) if legend else []
    return parts + list[RenderableType](legend)


def _wrapped(text: Text, width: int) -> list[Text]:
    return list(text.wrap(_CONSOLE, width))


def _grid(shown: Shown, *, most: int, colours: Palette | None) -> Grid:
    assert shown.analysis is not None
    analysis, exact = shown.analysis, shown.exact
    columns = len(HEAD) if exact is not None else HEAD.index("exact")
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for name in HEAD[:columns]:
        grid.add_column(name, justify="right", no_wrap=True, header_style="dim")
    top = max((score for score in exact or [] if score is not None), default=None)
    for move in ranked(analysis, most=most):
        score = None if exact is None else exact[move.action]
        name, *cells, _ = numbers(move, exact=score)
        best = move.action == analysis.best
        told = [Text(exact_text(score), _truth_style(score, best=top, colours=colours))] if exact is not None else []
        grid.add_row(f"{'▸' if best else ' '}{name}", *cells, *told, style="bold" if best else "")
    return grid


def _truth_style(score: int | None, *, best: int | None, colours: Palette | None) -> Style:
    """Underlined: as good as it gets."""
    if score is None:
        return Style()
    colour = None if colours is None else colours.good if score > 0 else colours.bad if score < 0 else colours.even
    return Style(color=colour, underline=score == best)


def _played(position: Position, *, soft: Style) -> Text:
    """1. d3 d4  2. ..."""
    names = [position.action_name(action) for action in position.actions]
    pairs = [
        f"{ply // 2 + 1}.{' '.join(names[ply : ply + 2])}".replace(" ", "\u00a0") for ply in range(0, len(names), 2)
    ]
    return Text("moves: ", soft) + Text("  ".join(pairs) or "none yet")


def _legend(shown: Shown, *, room: int, width: int, soft: Style) -> list[Text]:
    """The longest that there is room for."""
    for meanings, glue in ((LEGEND, "\n"), (SHORT_LEGEND, "; ")):
        told = glue.join(
            f"{name}: {meaning}" for name, meaning in meanings.items() if name != "exact" or shown.exact is not None
        )
        legend = _wrapped(Text(told, soft), width)
        if len(legend) <= room:
            return legend
    return []


def _verdict(analysis: Analysis, *, icon: str) -> str:
    if analysis.proof is not None:
        return f"{icon} {proof_text(analysis.proof)}"
    return f"{icon} {signed(analysis.value)}, about {plies(round(analysis.plies_left))} left"
