"""Charts: lines with their intervals, bars and ranges, shares of a whole. Plain points in, pictures out.

Limits come from all that is drawn, intervals too, so that no axis cuts anything. Loads matplotlib: import it late.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

import matplotlib as mpl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.transforms import offset_copy

from c4.report.picture import RC, Picture, noted
from c4.report.style import LOOKS, Look, light, looks

NARROW, BROAD = (500, 300), (1120, 340)  # beside another, and over the whole width of a page
NAME_GAP = 15.0  # least distance between the names at the ends of two lines
ROW = 34  # height of a bar and the space around it

drawing = mpl.rc_context(RC)
"""Decorates what draws: colours, fonts and lines as pages have them."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Point:
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    weight: float = 0.0  # 0 to 1: the size of the mark


@dataclasses.dataclass(frozen=True, kw_only=True)
class Series:
    label: str
    points: Sequence[Point]
    thing: str = ""  # whose look it has, or a colour; by itself that of its label
    marked: bool = True
    joined: bool = True
    faint: bool = False  # one of many, behind those that matter


@dataclasses.dataclass(frozen=True, kw_only=True)
class Axis:
    """Ends where the data ends, unless it is said to reach on."""

    label: str  # with the unit
    reaches: Sequence[float] = ()  # values that it has in any case
    whole: bool = False
    log: bool = False
    ticks: Mapping[float, str] | None = None  # None: round numbers


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """A bar or a range: a value with its interval."""

    label: str
    value: float
    colour: str
    low: float | None = None
    high: float | None = None
    said: str = ""  # beside it
    note: str = ""


def budget_axis(budgets: Sequence[int]) -> Axis:
    """Simulations by their logarithm, with the bare network left of one; names too near to the next are left out."""
    places = sorted({place_of(budget) for budget in budgets})
    far = [one for one, following in zip(places, [*places[1:], math.inf], strict=True) if following / one > 1.4]
    return Axis(label="simulations", log=True, ticks={one: "bare" if one < 1 else f"{one:,.0f}" for one in far})


def ply_axis(most: int) -> Axis:
    """Over a whole game, however long it may last."""
    step = -(-most // 8)
    return Axis(label="plies played", reaches=(0, most), ticks={ply: str(ply) for ply in range(0, most + 1, step)})


def place_of(budget: int) -> float:
    """Where a budget stands on its axis: no logarithm has a place for none."""
    return max(float(budget), 0.5)


@drawing
def lines(series: Sequence[Series], *, x: Axis, y: Axis, about: str, size: tuple[float, float] = NARROW) -> Picture:
    """Lines with their intervals as bands, marks, and a name at the end of each."""
    figure, axes = new_figure(*size)
    bold = [one for one in series if not one.faint]
    seen = [(one, LOOKS["slate"]) for one in series if one.faint]
    seen += zip(bold, looks(one.thing or one.label for one in bold), strict=True)
    for one, look in seen:
        _band(axes, one, look)
    for one, look in seen:
        _line(axes, one, look)
    shape(axes, x=x, y=y)
    _name_ends(figure, axes, [(one, look) for one, look in seen if one.points and one.label])
    return Picture(figure=figure, about=about)


@drawing
def bars(rows: Sequence[Row], *, axis: Axis, about: str, legend: Mapping[str, str] | None = None) -> Picture:
    """From zero to each value, with whiskers."""
    figure, axes = _for_rows(rows, more=18 * len(legend or ()))
    bars_on(axes, rows, axis=axis, legend=legend)
    return Picture(figure=figure, about=about)


def bars_on(axes: Axes, rows: Sequence[Row], *, axis: Axis, legend: Mapping[str, str] | None = None) -> None:
    """A row without a label belongs to the one above; the legend says whose colours these are."""
    colours = [light(row.colour) for row in rows]
    drawn = axes.barh(_places(rows), [row.value for row in rows], height=0.5, color=colours, clip_on=False)
    for row, bar in zip(rows, drawn, strict=True):
        noted(bar, row.note)
    axes.axvline(0.0, color=light("soft"), lw=1)
    _rows(axes, rows, axis=dataclasses.replace(axis, reaches=(*axis.reaches, 0.0)), whisker="ink")
    if legend:
        patches = [Patch(color=light(colour), label=name) for name, colour in legend.items()]
        axes.figure.legend(handles=patches, loc="outside lower right", frameon=False)


@drawing
def ranges(rows: Sequence[Row], *, axis: Axis, about: str) -> Picture:
    """A mark at each value, with whiskers: for what need not begin at zero."""
    figure, axes = _for_rows(rows)
    for place, row in zip(_places(rows), rows, strict=True):
        look = LOOKS[row.colour]
        mark = axes.scatter(row.value, place, s=64, color=look.light, marker=look.mark, clip_on=False, zorder=3)
        noted(mark, [row.note])
    _rows(axes, rows, axis=axis)
    return Picture(figure=figure, about=about)


@drawing
def shares(parts: Sequence[tuple[str, float, str]], *, about: str) -> Picture:
    """One bar cut into shares of a whole: (label, share, colour). A share that has the room says how much it is."""
    figure = Figure(figsize=(NARROW[0] / 72, 46 / 72))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
    axes.set_axis_off()
    start = 0.0
    for label, share, colour in parts:
        (bar,) = axes.barh(0.5, share, left=start, height=0.9, color=light(colour))
        noted(bar, f"{label}: {100 * share:.1f} %")
        if share > 0.1:
            ink = "ink" if colour.endswith("_soft") else "card"
            axes.text(
                start + share / 2,
                0.5,
                f"{100 * share:.1f} %",
                ha="center",
                va="center",
                color=light(ink),
                weight="bold",
            )
        start += share
    return Picture(figure=figure, about=about)


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width / 72, height / 72), layout="constrained")
    return figure, figure.add_subplot()


def shape(axes: Axes, *, x: Axis, y: Axis) -> None:
    """Labels, ticks and limits, once everything is drawn."""
    axes.margins(x=0.03, y=0.05)
    for axis, side, line in ((x, "x", axes.xaxis), (y, "y", axes.yaxis)):
        line.set_label_text(axis.label)
        if axis.log:
            axes.set(**{f"{side}scale": "log"})
            line.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
        else:
            line.set_major_locator(ticker.MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10], integer=axis.whole))
        line.set_major_formatter(ticker.FuncFormatter(lambda value, _: number(value)))
        line.set_minor_locator(ticker.NullLocator())
        if axis.ticks is not None:
            line.set_ticks(list(axis.ticks), labels=list(axis.ticks.values()))
        axes.update_datalim([(value, value) for value in axis.reaches], updatex=side == "x", updatey=side == "y")
    axes.autoscale_view()
    for axis, side in ((x, "x"), (y, "y")):
        low, high = getattr(axes.dataLim, f"interval{side}")
        if 0.0 in axis.reaches and low == 0.0 < high:  # never below zero: the axis is at zero, not a margin below
            axes.set(**{f"{side}lim": (0.0, None)})


def _name_ends(figure: Figure, axes: Axes, named: Sequence[tuple[Series, Look]]) -> None:
    """Names at the right end, pushed apart where lines end close to each other."""
    beside = [offset_copy(axes.get_yaxis_transform(), figure, x=right, units="points") for right in (8, 16)]
    labels = [axes.text(1, one.points[-1].y, one.label, transform=beside[1], va="center") for one, _ in named]
    figure.draw_without_rendering()  # only now it is known how high the axes are
    low, high = axes.get_window_extent().intervaly
    wanted = [axes.transData.transform((one.points[-1].x, one.points[-1].y))[1] for one, _ in named]
    places = apart(wanted, gap=NAME_GAP, low=low, high=high)
    for (_, look), label, place in zip(named, labels, places, strict=True):
        _, y = axes.transData.inverted().transform((low, place))
        label.set_y(y)
        axes.scatter([1], [y], transform=beside[0], marker=look.mark, s=30, color=look.light, clip_on=False)


def number(value: float) -> str:
    """As axes write it."""
    return f"{round(float(value), 9):,.6g}".replace("-", "−")


def apart(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Each as near to where it wants to be as it can, in the same order, `gap` from the next, below `high`."""
    order = sorted(range(len(wanted)), key=lambda one: wanted[one])
    places = [0.0] * len(wanted)
    least = low
    for one in order:
        places[one] = least = max(wanted[one], least)
        least += gap
    most = high
    for one in reversed(order):
        places[one] = most = min(places[one], most)
        most -= gap
    return places


def _band(axes: Axes, series: Series, look: Look) -> None:
    known = [(point.x, point.low, point.high) for point in series.points if point.low is not None]
    if not known:
        return
    x, low, high = zip(*known, strict=True)
    if len(known) > 1:
        axes.fill_between(x, low, high, color=look.light, alpha=0.14, lw=0, clip_on=False)
    else:  # a band without width is none
        axes.plot([x[0], x[0]], [low[0], high[0]], color=look.light, lw=1.5, alpha=0.6, clip_on=False)


def _line(axes: Axes, series: Series, look: Look) -> None:
    x, y = [point.x for point in series.points], [point.y for point in series.points]
    if series.joined and len(x) > 1:
        (line,) = axes.plot(x, y, color=look.light, clip_on=False)
        if series.faint:
            line.set(color=light("soft"), alpha=0.28, linewidth=1)
        elif look.dash:
            line.set_dashes(look.dash)
    if series.marked or len(x) == 1:
        sizes = [44 + 110 * point.weight for point in series.points]
        marks = axes.scatter(
            x, y, s=sizes, marker=look.mark, color=look.light, edgecolors=light("card"), lw=1, clip_on=False, zorder=3
        )
        noted(marks, [point.note for point in series.points])


def _for_rows(rows: Sequence[Row], *, more: float = 0) -> tuple[Figure, Axes]:
    return new_figure(NARROW[0], ROW * (_places(rows)[-1] + 1) + 56 + more)


def _places(rows: Sequence[Row]) -> list[float]:
    """How far down each stands; rows of one group stand closer."""
    return list(accumulate((1.0 if row.label else 0.65 for row in rows[1:]), initial=0.0))


def _rows(axes: Axes, rows: Sequence[Row], *, axis: Axis, whisker: str = "") -> None:
    """Whiskers, names and what is said beside them, and the axes; `whisker` is a colour, in place of the row's own."""
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="x")
    for place, row in zip(_places(rows), rows, strict=True):
        end = row.value if row.high is None else row.high
        axes.annotate(row.said, (end, place), xytext=(6, 0), textcoords="offset points", va="center")
        if row.low is not None and row.high is not None:
            around, colour = [[row.value - row.low], [row.high - row.value]], light(whisker or row.colour)
            _, caps, (bar,) = axes.errorbar(row.value, place, xerr=around, color=colour, lw=1.5, capsize=4)
            for part in (*caps, bar):
                part.set_clip_on(False)
    names = {place: row.label for place, row in zip(_places(rows), rows, strict=True)}
    shape(axes, x=axis, y=Axis(label="", ticks=names))
    axes.set_ylim(max(names) + 0.6, -0.6)  # the first on top
    axes.tick_params("y", labelcolor=light("ink"), labelsize=12)
