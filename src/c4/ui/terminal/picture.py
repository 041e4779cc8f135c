"""A screen of the terminal as an SVG file, the same each time: blocks as areas without seams, no fonts from elsewhere.

Knows no game: it draws the lines that a running app shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.color import Color

WIDE, HIGH = 10, 20  # of a character
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
SIZE, BASELINE = 16, 15

ARMS = {  # of the characters of lines: up, down, left, right
    "─": "lr", "│": "ud", "┼": "udlr", "╋": "udlr", "┌": "dr", "┐": "dl", "└": "ur", "┘": "ul", "├": "udr", "┤": "udl",
    "┬": "dlr", "┴": "ulr",
}  # fmt: skip
ENDS = {"u": "v-10", "d": "v10", "l": "h-5", "r": "h5"}
THICK = {"╋": 4}

Pair = tuple[str, str]  # of a character: colours of its upper and its lower half


def svg_of(app: App[None]) -> str:
    """What the app shows now."""
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate)
    lines = [[segment for strip in strips for segment in strip] for strips in update.strips]
    width, height = app.size
    halves: list[list[str]] = []
    texts: list[str] = []
    paper = app.screen.background_colors[1].hex
    for y, line in enumerate(lines):
        pairs: list[Pair] = []
        for segment in line:
            style = segment.style or Style()
            front, back = _colours(style, paper=paper)
            texts += _texts(segment.text, x=len(pairs), y=y, front=front, style=style)
            pairs += [_pair(character, front, back) for character in segment.text]
        halves += [[pair[half] for pair in pairs] for half in (0, 1)]
    areas = "".join(
        f'<path fill="{colour}" d="{"".join(path)}"/>' for colour, path in sorted(_areas(halves, paper=paper).items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * WIDE} {height * HIGH}">'
        f'<rect width="100%" height="100%" fill="{paper}"/>'
        f'<g transform="scale({WIDE})" shape-rendering="crispEdges">{areas}</g>'
        f'<g font-family="{FONT}" font-size="{SIZE}" xml:space="preserve">{"".join(texts)}</g></svg>\n'
    )


def _colours(style: Style, *, paper: str) -> Pair:
    """Of the text and of what is behind it."""
    front = "#e0e0e0" if style.color is None else Color.from_rich_color(style.color).hex
    back = paper if style.bgcolor is None else Color.from_rich_color(style.bgcolor).hex
    return (back, front) if style.reverse else (front, back)


def _pair(character: str, front: str, back: str) -> Pair:
    return {"▀": (front, back), "▄": (back, front), "█": (front, front)}.get(character, (back, back))


def _texts(text: str, *, x: int, y: int, front: str, style: Style) -> Iterator[str]:
    """Runs of what is no block and no space."""
    for kind, run in groupby(enumerate(text), key=lambda one: _kind(one[1])):
        if kind == "lines":
            yield from (_wires(character, x=x + at, y=y, front=front) for at, character in run)
        elif kind == "text":
            at, word = (found := list(run))[0][0], "".join(character for _, character in found)
            look = (' font-weight="700"' if style.bold else "") + (
                ' text-decoration="underline"' if style.underline else ""
            )
            faint = ' opacity=".6"' if style.dim else ""
            length = len(word) * WIDE
            yield (
                f'<text x="{(x + at) * WIDE}" y="{y * HIGH + BASELINE}" textLength="{length}"'
                f' fill="{front}"{look}{faint}>{escape(word)}</text>'
            )


def _kind(character: str) -> str:
    return "lines" if character in ARMS else "none" if character in " ▀▄█\u00a0" else "text"


def _wires(character: str, *, x: int, y: int, front: str) -> str:
    """Drawn, so that they meet."""
    middle = f"M{x * WIDE + WIDE // 2} {y * HIGH + HIGH // 2}"
    path = "".join(middle + ENDS[arm] for arm in ARMS[character])
    return f'<path d="{path}" fill="none" stroke="{front}" stroke-width="{THICK.get(character, 1)}"/>'


def _areas(halves: list[list[str]], *, paper: str) -> dict[str, list[str]]:
    """Of each colour, its rectangles: runs in a row, drawn taller where the next rows have the same."""
    open_runs: dict[tuple[int, int, str], int] = {}  # start, length, colour -> the row where it began
    areas: dict[str, list[str]] = {}
    for y, row in enumerate([*halves, []]):
        runs, x = set(), 0
        for colour, run in groupby(row):
            length = len(list(run))
            if colour != paper:
                runs.add((x, length, colour))
            x += length
        for one in [one for one in open_runs if one not in runs]:
            start, length, colour = one
            top = open_runs.pop(one)
            areas.setdefault(colour, []).append(f"M{start} {top}h{length}v{y - top}h-{length}z")
        for one in runs:
            open_runs.setdefault(one, y)
    return {colour: sorted(paths) for colour, paths in areas.items()}
