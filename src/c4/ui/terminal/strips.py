"""Boards as lines of a terminal: pixels by half blocks, and plain characters where there is no room or no colour."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from c4.ui.terminal.palette import DARK_TEXT, Palette, colour, hexed, mixed
from c4.ui.terminal.raster import HINT, LAST, Pixels, beneath_cursor, draw
from c4.ui.terminal.scene import Cell, Layout, Scene, star_points

HALF = "▀"  # the upper pixel in the colour of the text, the lower in that of the background


def drawn(scene: Scene, layout: Layout, colours: Palette, *, plain: bool) -> list[Strip]:
    """The frame and what is in it. `plain`: without any colour."""
    if plain:
        return _plain(scene, layout)
    if layout.lines == 1:
        return _characters(scene, layout, colours)
    pixels = draw(scene, layout, colours)
    if scene.falls:
        return blocks(pixels, lines=None, wire="", bare=frozenset())
    bare = frozenset(hexed(each) for each in (colour(colours.plate), beneath_cursor(colours)))
    return blocks(pixels, lines=_wires(layout), wire=colours.wire, bare=bare)


def blocks(pixels: Pixels, *, lines: list[str] | None, wire: str, bare: frozenset[str]) -> list[Strip]:
    """Two rows of pixels to a line. `lines`: characters that show where both are of a colour that is `bare`."""
    codes_of_bare = {int(each[1:], 16) for each in bare}
    whole = np.clip(np.round(pixels), 0, 255).astype(int)
    codes = (whole[:, :, 0] << 16) | (whole[:, :, 1] << 8) | whole[:, :, 2]
    strips = []
    for y, (upper, lower) in enumerate(zip(codes[::2].tolist(), codes[1::2].tolist(), strict=True)):
        text = lines[y] if lines is not None else " " * len(upper)
        cells = [
            (HALF, above, below)
            if above != below
            else (character, wire, below)
            if character != " " and below in codes_of_bare
            else (" ", None, below)
            for character, above, below in zip(text, upper, lower, strict=True)
        ]
        segments = []
        for (above, below), run in groupby(cells, key=lambda cell: cell[1:]):
            front = f"#{above:06x}" if isinstance(above, int) else above
            segments.append(Segment("".join(cell[0] for cell in run), Style(color=front, bgcolor=f"#{below:06x}")))
        strips.append(Strip(segments, len(upper)))
    return strips


def _wires(layout: Layout) -> list[str]:
    """The lines that stones lie on, for the whole frame."""
    rows = [" " * layout.frame_width]
    across, down = (layout.width - 1) // 2, (layout.lines - 1) // 2  # of the crossing in its cell
    for row in range(layout.rows):
        for line in range(layout.lines):
            text = "  "
            for column in range(layout.columns):
                if line == down:
                    left, right = _joints((row, column), layout=layout)
                    crossing = _crossing((row, column), layout=layout)
                    text += left * across + crossing + right * (layout.width - across - 1)
                else:
                    outside = row == 0 if line < down else row == layout.rows - 1
                    text += " " * across + (" " if outside else "│") + " " * (layout.width - across - 1)
            rows.append(text + " ")
    return [*rows, " " * layout.frame_width]


def _characters(scene: Scene, layout: Layout, colours: Palette) -> list[Strip]:
    """A cell is a line of two or three characters."""
    plate = colours.plate
    edge = hexed(mixed(colour(plate), colour("#000000"), share=0.3))
    side = Style(color=edge, bgcolor=plate)
    inner = layout.frame_width - 2
    lines = [Strip([Segment("▀" * (inner + 2), side)], layout.frame_width)]
    for row in range(layout.rows):
        segments = [Segment("▌ ", side)]
        for column in range(layout.columns):
            segments += _character(scene, (row, column), layout=layout, colours=colours)
        segments.append(Segment("▐", side))
        lines.append(Strip(segments, layout.frame_width))
    lines.append(Strip([Segment("▄" * (inner + 2), side)], layout.frame_width))
    return lines


def _character(scene: Scene, cell: Cell, *, layout: Layout, colours: Palette) -> list[Segment]:
    owner, ghost = scene.owner(cell), scene.ghost is not None and scene.ghost[0] == cell
    back, won = colours.plate, cell in scene.winning
    if cell == scene.newest or won:
        back = hexed(mixed(colour(back), colour("#ffffff" if scene.falls else LAST), share=0.45))
    elif cell == scene.cursor and not scene.falls:
        back = hexed(mixed(colour(back), colour("#ffffff"), share=0.4))
    faint = 0.55 if (scene.winning and not won) or (owner is None and ghost) else 0.0
    if owner is None and ghost and scene.ghost is not None:
        owner = scene.ghost[1]
    wire = Style(color=colours.wire, bgcolor=back)
    if owner is not None:
        shape = ("●", "◆")[owner] if scene.falls else "●"
        told = Style(
            color=hexed(mixed(colour(colours.stones[owner]), colour(back), share=faint)), bgcolor=back, bold=won
        )
    elif cell == scene.hint:
        shape, told = "★", Style(color=HINT if scene.falls else DARK_TEXT, bgcolor=back)
    elif scene.falls:
        shape, told = "●", Style(color=hexed(mixed(colour(back), colour(colours.hole), share=0.6)), bgcolor=back)
    else:
        shape, told = _crossing(cell, layout=layout), wire
    before, after = (" ", " ") if scene.falls else _joints(cell, layout=layout)
    if layout.width == 2:
        return [Segment(shape, told), Segment(after, wire if not scene.falls else Style(bgcolor=back))]
    return [Segment(before, wire), Segment(shape, told), Segment(after, wire)]


def _crossing(cell: Cell, *, layout: Layout) -> str:
    if cell in star_points(layout.rows, layout.columns):
        return "╋"
    rows = 0 if cell[0] == 0 else 2 if cell[0] == layout.rows - 1 else 1
    columns = 0 if cell[1] == 0 else 2 if cell[1] == layout.columns - 1 else 1
    return ("┌┬┐", "├┼┤", "└┴┘")[rows][columns]


def _joints(cell: Cell, *, layout: Layout) -> tuple[str, str]:
    return " " if cell[1] == 0 else "─", " " if cell[1] == layout.columns - 1 else "─"


def _plain(scene: Scene, layout: Layout) -> list[Strip]:
    """Without colour: a full stone and a hollow one, [ ] around the newest, ( ) around what has won."""
    inner = layout.frame_width - 2
    lines = ["┌" + "─" * inner + "┐"]
    for row in range(layout.rows):
        cells = [_plain_cell(scene, (row, column), layout=layout) for column in range(layout.columns)]
        lines += ["│ " + "".join(cell[line] for cell in cells) + "│" for line in range(layout.lines)]
    lines.append("└" + "─" * inner + "┘")
    return [Strip([Segment(line, Style())], layout.frame_width) for line in lines]


def _plain_cell(scene: Scene, cell: Cell, *, layout: Layout) -> list[str]:
    width, height, owner = layout.width, layout.lines, scene.owner(cell)
    shape = [" " * width for _ in range(height)]
    middle, small = (height - 1) // 2, min(width, 2 * height) < 6
    ghost = scene.ghost is not None and scene.ghost[0] == cell
    if owner is None:
        mark = "★" if cell == scene.hint else "░" if ghost else "┼" if cell == scene.cursor and not scene.falls else "·"
        shape[middle] = mark.center(width)
    elif small:
        shape[middle] = "●○"[owner].center(width)
    else:
        inner, body = width - 3, " " if owner else "█"
        ring = (" ▄" + "▀" * (inner - 1) + "▄ ", " ▀" + "▄" * (inner - 1) + "▀ ")
        full = (" ▄" + "█" * (inner - 1) + "▄ ", " ▀" + "█" * (inner - 1) + "▀ ")
        sides = (" █" + body * (inner - 1) + "█ ") if owner else " " + "█" * (inner + 1) + " "
        top, bottom = ring if owner else full
        shape = [top, *([sides] * (height - 2)), bottom]
    marks = "()" if cell in scene.winning else "[]" if cell == scene.newest and owner is not None else ""
    if marks and width > 2:
        shape[middle] = marks[0] + shape[middle][1:-1] + marks[1]
    return shape
