"""Charts of many jobs over their knobs: every job as a line through all of them, and a surface over two.

Plain values in, pictures out; what is good was decided elsewhere. Loads matplotlib: import it late.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from c4.report.chart import Axis, Row, bars_on, drawing, new_figure, number, shape
from c4.report.picture import Picture, noted
from c4.report.style import light

WIDTH, HEIGHT = 1120, 380
MAP_WIDTH, MAP_HEIGHT = 540, 380


@dataclasses.dataclass(frozen=True, kw_only=True)
class Dot:
    """A job: its place on each axis, None where it has none."""

    places: Sequence[float | None]
    strength: float | None  # 0 to 1: how good it is; None for one that cannot be compared
    is_best: bool = False
    said: str = ""  # beside it
    note: str = ""


@drawing
def parallel(axes_of: Sequence[Axis], dots: Sequence[Dot], *, about: str) -> Picture:
    """An axis a knob, a line a job, the better the stronger."""
    figure, axes = new_figure(WIDTH, HEIGHT)
    scales = [_Scale.over(axis, [dot.places[index] for dot in dots]) for index, axis in enumerate(axes_of)]
    for dot in sorted(dots, key=lambda dot: (dot.is_best, dot.strength or -1.0)):
        points = [
            (index, scale.share(place))
            for index, (scale, place) in enumerate(zip(scales, dot.places, strict=True))
            if place is not None
        ]
        if len(points) > 1:
            (line,) = axes.plot(*zip(*points, strict=True), clip_on=False, **_line_look(dot))
            noted(line, dot.note)
    for index, scale in enumerate(scales):
        axes.axvline(index, color=light("soft"), lw=1, zorder=3)
        for value, name in scale.ticks.items():
            under = {"facecolor": light("card"), "alpha": 0.7, "lw": 0, "pad": 1}
            place = (index - 0.012, scale.share(value))
            axes.text(*place, name, ha="right", va="center", size=11, color=light("soft"), bbox=under)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    axes.set(xlim=(-0.06, len(scales) - 0.94), ylim=(-0.03, 1.03), yticks=[])
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(scales)), [axis.label for axis in axes_of], weight="bold", color=light("ink"))
    axes.tick_params("x", length=0)
    return Picture(figure=figure, about=about)


@drawing
def surface(x: Axis, y: Axis, dots: Sequence[Dot], *, about: str) -> Picture:
    """Seen from above: a dot a job, the better the darker."""
    figure, axes = new_figure(MAP_WIDTH, MAP_HEIGHT)
    _surface_on(axes, x, y, dots)
    return Picture(figure=figure, about=about)


@drawing
def surface_and_shares(
    x: Axis,
    y: Axis,
    dots: Sequence[Dot],
    rows: Sequence[Row],
    *,
    legend: Mapping[str, str],
    title: str,
    about: str,
) -> Picture:
    """For a document: a surface, and beside it what mattered."""
    figure = Figure(figsize=(900 / 72, 410 / 72), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[5, 3])
    _surface_on(left, x, y, dots)
    bars_on(right, rows, axis=Axis(label="share of what was explained (%)"), legend=legend)
    for axes, words in ((left, title), (right, "What mattered (PED-ANOVA)")):
        axes.set_title(words, loc="left", size=12, weight="bold", pad=12)
    return Picture(figure=figure, about=about)


def _surface_on(axes: Axes, x: Axis, y: Axis, dots: Sequence[Dot]) -> None:
    axes.grid(visible=True, axis="x")
    for dot in sorted(dots, key=lambda dot: (dot.is_best, dot.strength or -1.0)):
        across, up = dot.places
        if across is None or up is None:
            continue
        cut = dot.strength is None
        marks = axes.scatter(
            across, up, s=100 if cut else 260, clip_on=False, zorder=3,
            facecolors="none" if cut else to_rgba(light("blue"), dot.strength),
            edgecolors=light("orange") if dot.is_best else light("soft"),
            linewidths=3 if dot.is_best else 0.75, linestyles="dashed" if cut else "solid",
        )  # fmt: skip
        noted(marks, [dot.note])
        if dot.said:
            under = {"facecolor": light("card"), "alpha": 0.75, "lw": 0, "pad": 1.5}
            axes.annotate(
                dot.said, (across, up), xytext=(13, 0), textcoords="offset points", va="center", weight="bold",
                bbox=under, zorder=4,
            )  # fmt: skip
    shape(axes, x=x, y=y)


def _line_look(dot: Dot) -> dict[str, Any]:
    if dot.is_best:
        return {"color": light("orange"), "lw": 3.25}
    if dot.strength is None:
        return {"color": light("soft"), "lw": 1, "alpha": 0.4, "linestyle": (0, (3, 4))}
    return {"color": light("blue"), "lw": 1.5, "alpha": dot.strength}


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Scale:
    """One of many axes side by side: where a value lies between its ends, from 0 to 1."""

    low: float
    high: float
    log: bool
    ticks: Mapping[float, str]

    @classmethod
    def over(cls, axis: Axis, places: Sequence[float | None]) -> _Scale:
        known = [place for place in [*places, *axis.reaches, *(axis.ticks or ())] if place is not None] or [0.0]
        low, high = min(known), max(known)
        if high - low < 1e-12:
            low, high = low - 0.5, high + 0.5
        locator = ticker.LogLocator(subs=(1.0, 2.0, 5.0)) if axis.log else ticker.MaxNLocator(nbins=6)
        found = {float(one): number(one) for one in locator.tick_values(low, high) if low <= one <= high}
        return cls(low=low, high=high, log=axis.log, ticks=axis.ticks or found)

    def share(self, value: float) -> float:
        low, high, value = (math.log(one) if self.log else one for one in (self.low, self.high, value))
        return (value - low) / (high - low)
