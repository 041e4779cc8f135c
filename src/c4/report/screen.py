"""A screen of a terminal as SVG: blocks without seams, lines that meet, no fonts from elsewhere. Knows no terminal."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

WIDE, HIGH = 10, 20  # of a character
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
SIZE, BASELINE = 16, 15
ARMS = {  # of the characters of lines: up, down, left, right
    "─": "lr", "│": "ud", "┼": "udlr", "╋": "udlr", "┌": "dr", "┐": "dl", "└": "ur", "┘": "ul", "├": "udr", "┤": "udl",
    "┬": "dlr", "┴": "ulr",
}  # fmt: skip
ENDS = {"u": "v-10", "d": "v10", "l": "h-5", "r": "h5"}
THICK = {"╋": 4}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Span:
    """Characters that look alike."""

    text: str
    front: str
    back: str
    bold: bool = False
    underline: bool = False
    dim: bool = False


def screen_svg(lines: Sequence[Sequence[Span]], *, width: int, paper: str) -> str:
    """The same lines give the same file."""
    halves: list[list[str]] = []  # two rows of colours to a line
    texts: list[str] = []
    wires: dict[tuple[str, int], list[str]] = {}  # colour and thickness -> paths
    for y, line in enumerate(lines):
        pairs: list[tuple[str, str]] = []
        for span in line:
            texts += _texts(span, x=len(pairs), y=y)
            for x, character in enumerate(span.text, start=len(pairs)):
                if character in ARMS:
                    path = _wires(character, x=x, y=y)
                    wires.setdefault((span.front, THICK.get(character, 1)), []).append(path)
            pairs += [_pair(character, span) for character in span.text]
        halves += [[pair[half] for pair in pairs] for half in (0, 1)]
    areas = "".join(
        f'<path fill="{colour}" d="{"".join(path)}"/>' for colour, path in sorted(_areas(halves, paper=paper).items())
    )
    drawn_wires = "".join(
        f'<path stroke="{colour}" stroke-width="{thick}" d="{"".join(paths)}"/>'
        for (colour, thick), paths in sorted(wires.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * WIDE} {len(lines) * HIGH}">'
        f'<rect width="100%" height="100%" fill="{paper}"/>'
        f'<g transform="scale({WIDE})" shape-rendering="crispEdges">{areas}</g>'
        f'<g fill="none">{drawn_wires}</g>'
        f'<g font-family="{FONT}" font-size="{SIZE}" xml:space="preserve">{"".join(texts)}</g></svg>\n'
    )


def _pair(character: str, span: Span) -> tuple[str, str]:
    """The colours of a character's upper and lower half."""
    front, back = span.front, span.back
    return {"▀": (front, back), "▄": (back, front), "█": (front, front)}.get(character, (back, back))


def _texts(span: Span, *, x: int, y: int) -> Iterator[str]:
    look = (' font-weight="700"' if span.bold else "") + (' text-decoration="underline"' if span.underline else "")
    look += ' opacity=".6"' if span.dim else ""
    for kind, run in groupby(enumerate(span.text), key=lambda one: _kind(one[1])):
        found = list(run)
        at = x + found[0][0]
        if kind == "text":
            yield (
                f'<text x="{at * WIDE}" y="{y * HIGH + BASELINE}" textLength="{len(found) * WIDE}"'
                f' fill="{span.front}"{look}>{escape("".join(character for _, character in found))}</text>'
            )


def _kind(character: str) -> str:
    return "lines" if character in ARMS else "none" if character in " ▀▄█\u00a0" else "text"


def _wires(character: str, *, x: int, y: int) -> str:
    """Through the cell where it goes through, so that they meet."""
    arms, left, top = ARMS[character], x * WIDE, y * HIGH
    middle = f"M{left + WIDE // 2} {top + HIGH // 2}"
    across = f"M{left} {top + HIGH // 2}h{WIDE}" if {"l", "r"} <= {*arms} else ""
    down = f"M{left + WIDE // 2} {top}v{HIGH}" if {"u", "d"} <= {*arms} else ""
    rest = [middle + ENDS[arm] for arm in arms if arm not in ("lr" if across else "") + ("ud" if down else "")]
    return across + down + "".join(rest)


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
