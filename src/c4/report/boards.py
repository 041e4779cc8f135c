"""Boards: stones, the exact score over each move, what was played; the end of a game. A unit is a point.

Loads matplotlib: import it late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from c4.games import game_spec
from c4.native._core import Position
from c4.report.chart import drawing
from c4.report.picture import Picture, noted
from c4.report.position import has_columns
from c4.report.style import light
from c4.report.words import mistake_words, score_text

CELL, STONE = 34, 13.5
HEAD, FOOT, EDGE = 50, 34, 8  # above and below a board by columns; around any other
CAPTION, GAP, LEAST = 56, 26, 272  # of a sheet; so wide is what is said below a board
FALLING, LYING = {1: "first", 2: "second"}, {1: "black", 2: "white"}
KINDS = {1: "green", 0: "slate", -1: "red"}


@drawing
def board(mistake: Mapping[str, Any], *, game: str) -> Picture:
    """A mistake of a report. Games by column show scores over the columns, others in the cells."""
    width, height = _size(mistake)
    axes = _canvas(width, height)
    _draw(axes, mistake, left=0, top=0)
    about = f"{game_spec(game).in_a_row} in a row, position {mistake['moves'] or 'empty'}"
    return Picture(figure=_figure(axes), about=about)


@drawing
def board_sheet(mistakes: Sequence[Mapping[str, Any]], *, game: str, columns: int = 4) -> Picture:
    """Many of them on one picture, with what was played."""
    wide, high = _size(mistakes[0])
    width, height = max(wide, LEAST) + GAP, high + CAPTION + GAP
    columns = min(columns, len(mistakes))
    axes = _canvas(columns * width + GAP, -(-len(mistakes) // columns) * height + GAP)
    for index, mistake in enumerate(mistakes):
        row, column = divmod(index, columns)
        left, top = GAP + column * width, GAP + row * height
        _draw(axes, mistake, left=left, top=top)
        became, *rest = mistake_words(mistake, game=game)
        under = top + high
        axes.text(left, under + 14, became, weight="bold")
        for line, words in enumerate(rest):
            axes.text(left, under + 30 + 16 * line, _short(words, width - GAP), color=light("soft"))
    return Picture(figure=_figure(axes), about=f"the {len(mistakes)} worst errors")


@drawing
def game_board(game: str, actions: Sequence[int]) -> Picture:
    """The end of a game, each stone with its ply; the winning ones are outlined."""
    position, ply_of = Position(game), dict[tuple[int, int], int]()
    for action in actions:
        before, position = position.board(), position.play(action)
        ((y, x),) = np.argwhere(position.board() != before)
        ply_of[int(y), int(x)] = position.ply
    rows = position.board().tolist()
    axes = _canvas(CELL * len(rows[0]), CELL * len(rows))
    stones = FALLING if has_columns(position) else LYING
    _stones(axes, rows, stones=stones, left=0, top=0, marked=False)
    for (y, x), ply in ply_of.items():
        ink = light(f"on_{stones[rows[y][x]]}")
        axes.text(*_centre(x, y), str(ply), ha="center", va="center", size=11, weight="bold", color=ink)
    _circles(axes, [_centre(x, y) for y, x in position.winning_cells], STONE + 1.5, color="none", edge="ink", lw=3)
    return Picture(figure=_figure(axes), about=f"a game of {len(actions)} plies: {position.text}")


def _by_column(mistake: Mapping[str, Any]) -> bool:
    return len(mistake["scores"]) == len(mistake["board"][0])


def _size(mistake: Mapping[str, Any]) -> tuple[float, float]:
    rows = mistake["board"]
    return CELL * len(rows[0]), CELL * len(rows) + (HEAD + FOOT if _by_column(mistake) else 2 * EDGE)


def _canvas(width: float, height: float) -> Axes:
    axes = Figure(figsize=(width / 72, height / 72)).add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    return axes


def _figure(axes: Axes) -> Figure:
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    return figure


def _draw(axes: Axes, mistake: Mapping[str, Any], *, left: float, top: float) -> None:
    rows: list[list[int]] = mistake["board"]
    head = top + (HEAD if _by_column(mistake) else EDGE)
    _stones(axes, rows, stones=FALLING if _by_column(mistake) else LYING, left=left, top=head, marked=True)
    if _by_column(mistake):
        _column_scores(axes, mistake, left=left, top=top)
        column = mistake["played"]
        row = max((y for y, cells in enumerate(rows) if cells[column] == 0), default=0)
        axes.scatter(left + column * CELL + CELL / 2, top + 11, s=90, marker="v", color=light("ink"), linewidths=0)
    else:
        row, column = divmod(mistake["played"], len(rows[0]))
        for action, score in enumerate(mistake["scores"]):
            if score is not None:
                y, x = divmod(action, len(rows[0]))
                across, down = _centre(x, y, left=left, top=head)
                axes.text(across, down, score_text(score), ha="center", va="center", size=10, weight="bold")
    landing = [_centre(column, row, left=left, top=head)]
    _circles(axes, landing, STONE - 1, color="none", edge="ink", lw=2.5, linestyle=(0, (2.4, 1.8)))


def _column_scores(axes: Axes, mistake: Mapping[str, Any], *, left: float, top: float) -> None:
    bottom = top + HEAD + CELL * len(mistake["board"]) + FOOT - 4
    most = max(mistake["policy"], default=0.0) or 1.0
    for column, score in enumerate(mistake["scores"]):
        if score is None:
            continue
        x, colour = left + column * CELL, KINDS[(score > 0) - (score < 0)]
        axes.add_patch(_rounded(x + 2, top + 20, CELL - 4, 22, radius=6, colour=f"{colour}_soft"))
        look: dict[str, Any] = {"ha": "center", "va": "center", "size": 13, "weight": "bold", "color": light(colour)}
        axes.text(x + CELL / 2, top + 31.5, score_text(score), **look)
        if mistake["policy"]:
            share = mistake["policy"][column]
            tall = max(22 * share / most, 0.5)
            bar = Rectangle((x + 9, bottom - tall), CELL - 18, tall, color=light("slate"), alpha=0.75, lw=0)
            noted(axes.add_patch(bar), f"{100 * share:.1f} % of the policy")


def _stones(
    axes: Axes, rows: Sequence[Sequence[int]], *, stones: Mapping[int, str], left: float, top: float, marked: bool
) -> None:
    """Marked, so that they differ without colour: a ring on the first player's, a diamond on the second's."""
    falling = stones is FALLING
    wide, high = CELL * len(rows[0]), CELL * len(rows)
    axes.add_patch(_rounded(left, top, wide, high, radius=8, colour="board" if falling else "wood"))
    cells = [(owner, _centre(x, y, left=left, top=top)) for y, row in enumerate(rows) for x, owner in enumerate(row)]
    if falling:
        _circles(axes, [place for of, place in cells if of == 0], STONE, color=light("paper"))
    else:
        half = CELL / 2
        down, across = (range(1, len(rows) + 1), range(1, len(rows[0]) + 1))
        look: dict[str, Any] = {"colors": light("wire"), "lw": 1, "zorder": 1}
        axes.hlines([top + CELL * y - half for y in down], left + half, left + wide - half, **look)
        axes.vlines([left + CELL * x - half for x in across], top + half, top + high - half, **look)
    for player, colour in stones.items():
        places = [place for of, place in cells if of == player]
        _circles(axes, places, STONE, color=light(colour))
        if marked:
            radius, shape = (0.52 * STONE, "o") if player == 1 else (0.42 * STONE, "D")
            _circles(axes, places, radius, color="none", edge=f"{colour}_mark", lw=2, marker=shape)


def _circles(
    axes: Axes, places: Sequence[tuple[float, float]], radius: float, *, edge: str = "", lw: float = 0, **look: Any
) -> None:
    if places:
        x, y = zip(*places, strict=True)
        edges = light(edge) if edge else "none"
        axes.scatter(x, y, s=(2 * radius) ** 2, edgecolors=edges, linewidths=lw, clip_on=False, **look)


def _rounded(x: float, y: float, width: float, height: float, *, radius: float, colour: str) -> FancyBboxPatch:
    style = f"round,pad=0,rounding_size={radius}"
    return FancyBboxPatch((x, y), width, height, boxstyle=style, color=light(colour), lw=0)


def _centre(x: int, y: int, *, left: float = 0, top: float = 0) -> tuple[float, float]:
    return left + x * CELL + CELL / 2, top + y * CELL + CELL / 2


def _short(words: str, width: float) -> str:
    """About as much as there is room for."""
    most = int(width / 7.5)
    return words if len(words) <= most else words[: most - 1] + "…"
