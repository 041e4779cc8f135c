"""A search tree as a picture: from left to right, the principal variation along the top. A unit is a point.

Loads matplotlib: import it late.
"""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path as Outline
from matplotlib.textpath import TextPath

from c4.evaluation.branches import Branch, branches
from c4.games import game_spec
from c4.native._core import Position
from c4.players.moves import MoveNumbers, Proof, Tree
from c4.report.chart import drawing
from c4.report.picture import Picture, noted
from c4.report.position import has_columns, newest_cell
from c4.report.style import light

BOARDS = 15  # drawn; what was visited less is a point
BOARD = 84.0  # width of one
EDGE = 24.0  # of the picture
HEAD = 92.0
BEND, LABEL = 24.0, 96.0  # between two plies: where an edge turns, and what is written on it
CORNER = 10.0
UNDER = 9.5  # size of the words under a board
GAP = 12.0  # between two lines
ABOVE, BELOW = 17.0, 32.0  # of an edge that ends in a point: what is written over and under it
THINNEST, THICKEST = 1.2, 9.0
STONES = {True: ("first", "second"), False: ("black", "white")}  # by whether stones fall
LEGEND = (
    "N visits, shown as the width of the line; P prior; Q value for the player who moves; M plies left.",
    "Blue, along the top: the line expected of both.",
)
KINDS = {1: "green", 0: "slate", -1: "red"}
VERBS = {1: "wins", 0: "draws", -1: "loses"}


@drawing
def tree_picture(tree: Tree) -> Picture:
    """Of a search as it stands now; whoever has one may ask."""
    root = branches(tree)
    head = _head(root)
    sketch = _Sketch(root, least=max(line.width for line in head) + 2 * EDGE)
    axes = _canvas(sketch.width, sketch.height)
    for line in head:
        axes.text(EDGE, line.y, line.words, size=line.size, weight=line.weight, color=light(line.colour))
    for one in sketch.places:  # edges lie below everything else
        for child in one.children:
            _edge(axes, one, child, whole=root.visits)
    for one in sketch.places:
        _label(axes, one, whole=root.visits)
    _boards(axes, [one for one in sketch.places if one.has_board], cell=sketch.cell)
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    where = root.position.text or "the empty board"
    return Picture(figure=figure, about=f"search tree of {where}, {root.visits} visits", name="pictures/search_tree")


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Line:
    """Of the words above everything."""

    words: str
    y: float
    size: float
    weight: str = "normal"
    colour: str = "ink"

    @property
    def width(self) -> float:
        return _width(self.words, size=self.size, weight=self.weight)


@dataclasses.dataclass(eq=False)
class _Place:
    """Where a branch is drawn: `y` is that of the edge that leads there."""

    branch: Branch
    depth: int
    has_board: bool
    children: list[_Place]
    above: float
    below: float
    left: float = 0.0
    right: float = 0.0
    y: float = 0.0

    def width(self, whole: int) -> float:
        """Of the edge that leads here, of so many visits in all."""
        return THINNEST + (THICKEST - THINNEST) * math.sqrt(self.branch.visits / max(1, whole))

    def walk(self) -> Iterator[_Place]:
        yield self
        for child in self.children:
            yield from child.walk()


class _Sketch:
    """Sizes and places: the first child of a node stands in its line, the others below everything that follows it."""

    def __init__(self, root: Branch, *, least: float) -> None:
        """`least`: how wide it is at any rate."""
        spec = game_spec(root.position.game)
        self.cell = BOARD / max(spec.width, spec.height)
        self._wide, self._high = self.cell * spec.width, self.cell * spec.height
        ranked = sorted(_all(root), key=lambda one: (not one.in_line, -one.visits))
        self._drawn = {id(one) for one in ranked[:BOARDS]}
        self._root = self._made(root, depth=0)
        self._bottom: defaultdict[int, float] = defaultdict(lambda: HEAD)
        self._settle(self._root)
        self.places = list(self._root.walk())
        reach = max(
            one.right + max(0.0, _width(_under(one.branch), size=UNDER) - self._wide) / 2 for one in self.places
        )
        self.width = max(reach + EDGE, least)
        self.height = max(self._bottom.values()) + EDGE

    def _made(self, branch: Branch, *, depth: int) -> _Place:
        has_board = id(branch) in self._drawn
        place = _Place(
            branch=branch,
            depth=depth,
            has_board=has_board,
            children=[self._made(child, depth=depth + 1) for child in branch.children],
            above=max(ABOVE, self._high / 2) if has_board else ABOVE,
            below=max(BELOW, self._high / 2 + (16 if _under(branch) else 2)) if has_board else BELOW,
        )
        place.left = EDGE + depth * (self._wide + BEND + LABEL)
        place.right = place.left + (self._wide if has_board else 0.0)
        return place

    def _settle(self, place: _Place) -> None:
        line = [place]
        while line[-1].children:
            line.append(line[-1].children[0])
        y = max(self._bottom[one.depth] + GAP + one.above for one in line)
        for one in line:
            one.y = y
            self._bottom[one.depth] = y + one.below
        for one in reversed(line):  # the deepest first, so that no edge crosses another
            for child in one.children[1:]:
                self._settle(child)


def _all(branch: Branch) -> Iterator[Branch]:
    yield branch
    for child in branch.children:
        yield from _all(child)


def _canvas(width: float, height: float) -> Axes:
    figure = Figure(figsize=(width / 72, height / 72))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    return axes


def _head(root: Branch) -> list[_Line]:
    position = root.position
    where = f"after {position.text}" if position.ply else "the empty board"
    if len(where) > 60:
        where = f"after {position.ply} plies"
    who = "first" if position.ply % 2 == 0 else "second"
    said = f"{root.visits:,} visits, value {_signed(root.value)}, {_plies(root.plies_left)} plies left"
    if root.proof is not None:
        said = f"{root.visits:,} visits: {_proven(root.proof)}, proven"
    title = f"{game_spec(position.game).title}, {where}: {who} player to move"
    legend = [_Line(words=words, y=62 + 15 * row, size=10.5, colour="soft") for row, words in enumerate(LEGEND)]
    return [_Line(words=title, y=26, size=15, weight="bold"), _Line(words=said, y=45, size=11), *legend]


def _edge(axes: Axes, parent: _Place, child: _Place, *, whole: int) -> None:
    in_line = child.branch.in_line
    width = child.width(whole)
    start, end, trunk = parent.right, child.left, parent.right + 0.4 * BEND
    if child.y == parent.y:
        outline = Outline([(start, parent.y), (end, child.y)])
    else:
        turn = trunk + CORNER
        points = [(start, parent.y), (trunk, parent.y), (trunk, parent.y + CORNER)]
        points += [(trunk, child.y - CORNER), (trunk, child.y), (turn, child.y), (end, child.y)]
        curve, line = Outline.CURVE3, Outline.LINETO
        outline = Outline(points, [Outline.MOVETO, curve, curve, line, curve, curve, line])
    edge = PathPatch(outline, fill=False, edgecolor=light("blue" if in_line else "branch"), lw=width)
    edge.set(capstyle="butt", joinstyle="round", zorder=2 if in_line else 1)
    assert child.branch.move is not None
    noted(axes.add_patch(edge), _note(child.branch.move))


def _label(axes: Axes, place: _Place, *, whole: int) -> None:
    branch, move = place.branch, place.branch.move
    if place.has_board and (under := _under(branch)):
        axes.text(
            place.left + (place.right - place.left) / 2,
            place.y + place.below - 5,
            under,
            ha="center",
            size=UNDER,
            color=light("soft"),
        )
    if move is None:
        return
    weight = "bold" if branch.in_line else "normal"
    x, y = place.left - LABEL + 6, place.y
    half = place.width(whole) / 2
    over, below = y - 10 - half, y + 11 + half
    stone = _stone_of(branch.position.ply - 1, position=branch.position)
    axes.scatter([x + 8], [over - 1], s=17**2, color=light(stone), edgecolors=light("edge"), lw=0.8, zorder=4)
    size = 10.5 if len(move.name) == 1 else 8.5
    axes.text(
        x + 8,
        over - 0.6,
        move.name,
        size=size,
        weight="bold",
        color=light(f"on_{stone}"),
        ha="center",
        va="center_baseline",
        zorder=5,
    )
    if move.proof is not None:
        _badge(axes, move.proof, x=x + 21, y=over - 1)
    else:
        axes.text(x + 22, over, f"N {move.visits:,}", size=10.5, weight=weight, va="center_baseline")
    lines = [f"P {_percent(move.prior)}", f"Q {_signed(move.q)}  M {_plies(move.plies_left)}"]
    if move.proof is not None:
        lines[0] = f"N {move.visits:,}  {lines[0]}"
    colour = light("ink" if branch.in_line else "soft")
    for number, words in enumerate(lines):
        axes.text(x, below + 13 * number, words, size=9.5, color=colour, va="center_baseline")
    if not place.has_board:
        axes.scatter([place.left], [y], s=6**2, color=light("blue" if branch.in_line else "slate"), zorder=3)


def _badge(axes: Axes, proof: Proof, *, x: float, y: float) -> None:
    colour = KINDS[proof.result]
    words = _proven(proof)
    wide = 5.4 * len(words) + 8
    style = "round,pad=0,rounding_size=5"
    axes.add_patch(FancyBboxPatch((x, y - 8), wide, 16, boxstyle=style, color=light(f"{colour}_soft"), lw=0, zorder=3))
    axes.text(
        x + wide / 2,
        y + 0.5,
        words,
        size=9,
        weight="bold",
        color=light(colour),
        ha="center",
        va="center_baseline",
        zorder=4,
    )


def _boards(axes: Axes, places: Sequence[_Place], *, cell: float) -> None:
    """All at once: a call for each kind of stone, not for each stone."""
    centres: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    newest: list[tuple[float, float]] = []
    winning: list[tuple[float, float]] = []
    wires: list[Any] = []
    falling = has_columns(places[0].branch.position)
    for place in places:
        position = place.branch.position
        rows = position.board()
        high, wide = (cell * size for size in rows.shape)
        left, top = place.left, place.y - high / 2

        def centre(y: int, x: int, *, left: float = left, top: float = top) -> tuple[float, float]:
            return left + (x + 0.5) * cell, top + (y + 0.5) * cell

        style = f"round,pad=0,rounding_size={0.35 * cell}"
        pad = 0.12 * cell
        axes.add_patch(
            FancyBboxPatch(
                (left - pad, top - pad),
                wide + 2 * pad,
                high + 2 * pad,
                boxstyle=style,
                facecolor=light("board" if falling else "wood"),
                lw=0,
                zorder=3,
            )
        )
        for y, x in np.ndindex(*rows.shape):
            owner = int(rows[y, x])
            if owner or falling:
                kind = STONES[falling][owner - 1] if owner else "paper"
                centres[kind].append(centre(y, x))
        if not falling:
            wires += [[centre(y, 0), centre(y, rows.shape[1] - 1)] for y in range(rows.shape[0])]
            wires += [[centre(0, x), centre(rows.shape[0] - 1, x)] for x in range(rows.shape[1])]
        if place.branch.move is not None:
            landed = newest_cell(position)
            assert landed is not None
            newest.append(centre(*landed))
        winning += [centre(y, x) for y, x in position.winning_cells]
    axes.add_collection(LineCollection(wires, colors=light("wire"), linewidths=0.7, zorder=4))
    for kind, at in centres.items():
        _dots(axes, at, size=0.78 * cell, color=light(kind))
    ink = light("card" if falling else "orange")
    _dots(axes, newest, size=0.3 * cell, color=ink)
    _dots(axes, winning, size=0.86 * cell, color="none", edgecolors=light("ink"), linewidths=1.6)


def _dots(axes: Axes, places: Sequence[tuple[float, float]], *, size: float, **look: Any) -> None:
    if places:
        x, y = zip(*places, strict=True)
        axes.scatter(x, y, s=size**2, zorder=5, **({"linewidths": 0} | look))


def _stone_of(ply: int, *, position: Position) -> str:
    return STONES[has_columns(position)][ply % 2]


def _under(branch: Branch) -> str:
    """What is not drawn of it."""
    if branch.then:
        return f"then {' '.join(branch.then)}"
    if branch.others_visits:
        return f"+ {branch.others} more, N {branch.others_visits:,}"
    return ""


def _proven(proof: Proof) -> str:
    return f"{VERBS[proof.result]} in {proof.plies}"


def _note(move: MoveNumbers) -> str:
    said = f"{move.name}: {move.visits:,} visits, prior {_percent(move.prior)}"
    if move.q is not None:
        said += f", value {_signed(move.q)}, {_plies(move.plies_left)} plies left"
    return said if move.proof is None else f"{said}; {_proven(move.proof)}, proven"


def _width(words: str, *, size: float, weight: str = "normal") -> float:
    return float(TextPath((0, 0), words, size, FontProperties(weight=weight)).get_extents().x1) if words else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.005 else "< 1 %"


def _signed(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{round(value, 2):+.2f}".replace("-", "−") if abs(value) >= 0.005 else "0.00"


def _plies(plies: float | None) -> str:
    return "–" if plies is None else f"{plies:.0f}"
