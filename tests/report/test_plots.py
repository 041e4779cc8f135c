"""Drawings: words are escaped, axes are round, and names at the ends of lines keep apart."""

from __future__ import annotations

import itertools
import re

import pytest

from c4.report.plots import Axis, Point, Series, bars, chart, counted_axis, linear_axis, log_axis, stacked
from c4.report.svg import element, polyline, text, title


def test_elements_are_escaped_and_rounded() -> None:
    assert element("rect", x=1.0, stroke_width=0.26, class_="a") == '<rect x="1" stroke-width="0.3" class="a"/>'
    assert element("a", "<b/>", href='"') == '<a href="&quot;"><b/></a>'
    assert text("a < b", 1, 2, class_="t") == '<text class="t" x="1" y="2" text-anchor="middle">a &lt; b</text>'
    assert title("<&>") == "<title>&lt;&amp;&gt;</title>"
    assert not title("")
    assert polyline([(0, 0), (1.25, 2)]) == "M0.0 0.0L1.2 2.0"


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.0, 1.0], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([3.0, 47.0], ["0", "10", "20", "30", "40", "50"]),
        ([0.0, 0.0], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([-0.3, 0.9], ["-0.5", "-0.25", "0", "0.25", "0.5", "0.75", "1"]),
    ],
)
def test_axes_have_round_ticks_around_the_values(values: list[float], ticks: list[str]) -> None:
    axis = linear_axis("label", values)
    assert [name for _, name in axis.ticks] == ticks
    assert axis.low <= min(values)
    assert max(values) <= axis.high


def test_axes_of_counts_and_of_budgets() -> None:
    assert [value for value, _ in counted_axis("plies", to=42, parts=8).ticks] == [0, 6, 12, 18, 24, 30, 36, 42]
    axis = log_axis("simulations", [0.5, 1, 32, 512, 600])
    assert [value for value, _ in axis.ticks] == [0.5, 1, 32, 600]  # 512 would be written over 600
    assert (axis.share(0.5), axis.share(600)) == (0.0, 1.0)
    assert log_axis("simulations", [8.0]).share(8.0) == 0.0


def _lines(*ends: float) -> list[Series]:
    return [
        Series(label=f"line {index}", style=index, points=[Point(x=0, y=0), Point(x=1, y=end, low=end, high=end)])
        for index, end in enumerate(ends)
    ]


def test_names_at_the_ends_keep_apart_and_inside() -> None:
    unit = Axis(label="", low=0, high=1, ticks=[])
    drawing = chart(_lines(0.0, 0.0, 0.01, 0.02), x=unit, y=unit, about="lines")
    heights = [float(y) for y in re.findall(r'class="name" x="[^"]*" y="([^"]*)"', drawing)]
    assert len(heights) == 4
    assert all(later - earlier >= 14.9 for earlier, later in itertools.pairwise(heights))
    assert max(heights) < 330 - 40 + 5


def test_a_bar_starts_at_zero_and_may_point_either_way() -> None:
    axis = linear_axis("change", [-1.0, 1.0])
    rows = [("up", Point(x=0.5, y=0, low=0.2, high=0.8), 0), ("down", Point(x=-0.5, y=0), 1)]
    up, down = re.findall(
        r'<rect class="s\d fill" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', bars(rows, axis=axis, about="")
    )
    assert float(up[0]) == pytest.approx(float(down[0]) + float(down[1]), abs=0.11)
    assert up[1] == down[1]


def test_shares_fill_the_bar() -> None:
    drawing = stacked([("a", 0.25, "one"), ("b", 0.75, "two")], about="shares")
    assert [float(width) for width in re.findall(r'width="([\d.]+)" height="38"', drawing)] == [160.0, 480.0]
    assert "b: 75.0%" in drawing
