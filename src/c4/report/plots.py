"""Drawings for a report, as SVG text made by hand. Colours come from the page's style sheet, so they follow its theme.

A series is told apart by colour, by the shape of its marks and by a label at its end: never by colour alone.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from c4.report.svg import element, path, picture, polyline, rect, text

WIDTH, HEIGHT = 640, 330
LEFT, RIGHT, TOP, BOTTOM = 58, 100, 14, 44
NAME_GAP = 15  # least distance between the names at the ends of two series
STYLES = 6  # classes s0 to s5 of the style sheet


@dataclasses.dataclass(frozen=True, kw_only=True)
class Point:
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    weight: float = 1.0  # 0 to 1: the size of the mark


@dataclasses.dataclass(frozen=True, kw_only=True)
class Series:
    label: str
    points: Sequence[Point]
    style: int
    marked: bool = True
    joined: bool = True
    faint: bool = False  # one of many, behind those that matter


@dataclasses.dataclass(frozen=True, kw_only=True)
class Axis:
    label: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    log: bool = False

    def share(self, value: float) -> float:
        """Where a value lies between the ends, from 0 to 1."""
        if self.log:
            return (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return (value - self.low) / (self.high - self.low)


def linear_axis(label: str, values: Sequence[float], *, zero: bool = False, unit: str = "") -> Axis:
    """Round numbers around the values."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    low = min(low, 0.0) if zero else low
    if high - low < 1e-9:
        high = low + 1.0
    step = _round_step((high - low) / 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [(index * step, f"{index * step:.6g}{unit}") for index in range(first, last + 1)]
    return Axis(label=label, low=first * step, high=last * step, ticks=ticks)


def counted_axis(label: str, *, to: int, parts: int) -> Axis:
    """From 0 to a whole number that ends the axis, however round it is."""
    step = math.ceil(to / parts)
    return Axis(label=label, low=0, high=to, ticks=[(tick, str(tick)) for tick in range(0, to + 1, step)])


def log_axis(label: str, values: Sequence[float], *, names: Callable[[float], str] = "{:g}".format) -> Axis:
    """One tick a value, for the few budgets of a report; those too near to the next are left out."""
    ends = sorted(set(values))
    low, high = ends[0], max(ends[-1], ends[0] * 2)
    ticks = [value for value, following in zip(ends, [*ends[1:], math.inf], strict=True) if following / value > 1.4]
    return Axis(label=label, low=low, high=high, ticks=[(value, names(value)) for value in ticks], log=True)


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= least * 0.999)


def chart(series: Sequence[Series], *, x: Axis, y: Axis, about: str, diagonal: bool = False) -> str:
    """Lines with their intervals as bands, marks, and a name at the end of each."""

    def at(point_x: float, point_y: float) -> tuple[float, float]:
        across = LEFT + x.share(point_x) * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - y.share(min(max(point_y, y.low), y.high)) * (HEIGHT - TOP - BOTTOM)

    parts = [_grid(x, y, at)]
    if diagonal:
        parts.append(path(polyline([at(x.low, y.low), at(x.high, y.high)]), class_="diagonal"))
    parts += [_band(one, at) for one in series]
    parts += [_line(one, at) for one in series]
    parts.append(_end_names(series, at))
    return picture("".join(parts), width=WIDTH, height=HEIGHT, about=about, class_="chart")


def bars(rows: Sequence[tuple[str, Point, int]], *, axis: Axis, about: str) -> str:
    """Horizontal bars from zero to each point's x, with whiskers: (label, point, style)."""
    left, right, row_height = 210, 24, 40
    bottom = row_height * len(rows) + 8

    def across(value: float) -> float:
        return left + axis.share(min(max(value, axis.low), axis.high)) * (WIDTH - left - right)

    parts = []
    for value, name in axis.ticks:
        parts.append(path(f"M{across(value):.1f} 4V{bottom}", class_="grid"))
        parts.append(text(name, across(value), bottom + 16, class_="tick"))
    for index, (label, point, style) in enumerate(rows):
        middle = index * row_height + row_height / 2 + 4
        start, end = sorted((across(0.0), across(point.x)))
        parts.append(text(label, left - 12, middle + 4, class_="name", anchor="end"))
        parts.append(
            rect(
                start, middle - 9, max(end - start, 1.5), 18, class_=f"{_style(style)} fill", radius=3, note=point.note
            )
        )
        if point.low is not None and point.high is not None:
            low, high = across(point.low), across(point.high)
            ends = "".join(f"M{edge:.1f} {middle - 5:.1f}v10" for edge in (low, high))
            parts.append(path(f"M{low:.1f} {middle:.1f}H{high:.1f}{ends}", class_="whisker"))
    parts.append(path(f"M{across(0.0):.1f} 4V{bottom}", class_="axis"))
    parts.append(text(axis.label, (left + WIDTH - right) / 2, bottom + 36, class_="label"))
    return picture("".join(parts), width=WIDTH, height=bottom + 42, about=about, class_="chart")


def stacked(shares: Sequence[tuple[str, float, str]], *, about: str) -> str:
    """One bar cut into shares of a whole: (label, share, class)."""
    start, parts = 0.0, []
    for label, share, name in shares:
        width = share * WIDTH
        parts.append(rect(start, 4, width, 38, class_=name, note=f"{label}: {share:.1%}"))
        if width > 60:
            parts.append(text(f"{share:.1%}", start + width / 2, 28, class_=f"on-{name}"))
        start += width
    return picture("".join(parts), width=WIDTH, height=46, about=about, class_="stacked")


_At = Callable[[float, float], tuple[float, float]]


def _style(number: int) -> str:
    return f"s{number % STYLES}"


def _grid(x: Axis, y: Axis, at: _At) -> str:
    bottom, parts = HEIGHT - BOTTOM, []
    for value, name in y.ticks:
        left, height = at(x.low, value)
        parts.append(path(f"M{left:.1f} {height:.1f}H{WIDTH - RIGHT}", class_="grid"))
        parts.append(text(name, left - 8, height + 4, class_="tick", anchor="end"))
    for value, name in x.ticks:
        across, _ = at(value, y.low)
        parts.append(path(f"M{across:.1f} {bottom}v4", class_="axis"))
        parts.append(text(name, across, bottom + 18, class_="tick"))
    parts.append(path(f"M{LEFT} {bottom}H{WIDTH - RIGHT}", class_="axis"))
    parts.append(text(x.label, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, class_="label"))
    parts.append(
        element("g", text(y.label, 0, 0, class_="label"), transform=f"translate(14 {(TOP + bottom) / 2}) rotate(-90)")
    )
    return "".join(parts)


def _band(series: Series, at: _At) -> str:
    edge = [(p.x, p.low, p.high) for p in series.points if p.low is not None and p.high is not None]
    if len(edge) < 2:
        return ""
    outline = [at(x, high) for x, _, high in edge] + [at(x, low) for x, low, _ in reversed(edge)]
    return path(polyline(outline) + "Z", class_=f"band {_style(series.style)}")


def _line(series: Series, at: _At) -> str:
    places = [at(point.x, point.y) for point in series.points]
    look = f"line {_style(series.style)}{' faint' if series.faint else ''}"
    parts = [path(polyline(places), class_=look)] if len(places) > 1 and series.joined else []
    if series.marked:
        parts += [
            _mark(x, y, series.style, size=3.0 + 4.0 * math.sqrt(point.weight), note=point.note)
            for (x, y), point in zip(places, series.points, strict=True)
        ]
    return "".join(parts)


def _mark(x: float, y: float, style: int, *, size: float, note: str = "") -> str:
    """Circle, square, triangle, diamond, triangle upside down, bar: the shape belongs to the style."""
    s, t = size, 1.2 * size
    corners = (
        [],
        [(-s, -s), (s, -s), (s, s), (-s, s)],
        [(0, -t), (t, 0.9 * s), (-t, 0.9 * s)],
        [(0, -1.3 * s), (1.3 * s, 0), (0, 1.3 * s), (-1.3 * s, 0)],
        [(0, t), (t, -0.9 * s), (-t, -0.9 * s)],
        [(-t, -s / 2), (t, -s / 2), (t, s / 2), (-t, s / 2)],
    )[style % STYLES]
    if corners:
        outline = polyline([(x + right, y + down) for right, down in corners]) + "Z"
    else:
        outline = f"M{x - s:.1f} {y:.1f}a{s:.1f} {s:.1f} 0 1 0 {2 * s:.1f} 0a{s:.1f} {s:.1f} 0 1 0 {-2 * s:.1f} 0Z"
    return path(outline, class_=f"mark {_style(style)}", note=note)


def _end_names(series: Sequence[Series], at: _At) -> str:
    """Names at the right end, pushed apart where lines end close to each other."""
    named = [one for one in series if one.points and one.label]
    wanted = {id(one): at(one.points[-1].x, one.points[-1].y)[1] for one in named}
    named.sort(key=lambda one: wanted[id(one)])
    heights: list[float] = []
    for one in named:
        heights.append(max(wanted[id(one)], heights[-1] + NAME_GAP) if heights else wanted[id(one)])
    limit = float(HEIGHT - BOTTOM)
    for index in range(len(heights) - 1, -1, -1):
        heights[index] = min(heights[index], limit)
        limit = heights[index] - NAME_GAP
    left, parts = WIDTH - RIGHT + 14, []
    for height, one in zip(heights, named, strict=True):
        parts.append(_mark(left, height, one.style, size=4.0))
        parts.append(text(one.label, left + 10, height + 4, class_="name", anchor="start"))
    return "".join(parts)
