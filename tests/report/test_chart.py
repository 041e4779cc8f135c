"""Charts by their data: no axis cuts anything, colours belong to things, names at the ends of lines keep apart."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report.drawn import all_notes, assert_nothing_is_cut, assert_words_keep_apart, words_of

from c4.report.chart import Axis, Point, Row, Series, apart, bars, budget_axis, lines, number, place_of, ranges, shares
from c4.report.knobs import Dot, parallel, surface

FEW = settings(max_examples=15, deadline=None)
VALUES = st.floats(-1e4, 1e4, allow_nan=False).map(lambda value: round(value, 3))


@st.composite
def some_points(draw: st.DrawFn) -> list[Point]:
    found = []
    for x in sorted(draw(st.sets(st.integers(0, 60), min_size=1, max_size=8))):
        y = draw(VALUES)
        low, high = (y - draw(st.floats(0, 50)), y + draw(st.floats(0, 50))) if draw(st.booleans()) else (None, None)
        found.append(Point(x=x, y=y, low=low, high=high, note=f"ply {x}", weight=draw(st.floats(0, 1))))
    return found


def series(*points: Sequence[Point], labels: Sequence[str] = ("bare", "32 sims", "600 sims")) -> list[Series]:
    return [Series(label=label, points=one) for one, label in zip(points, labels, strict=False)]


@FEW
@given(st.lists(some_points(), min_size=1, max_size=3), st.booleans(), st.booleans())
def test_no_axis_cuts_a_line_a_band_or_a_mark(points: list[list[Point]], zero: bool, whole: bool) -> None:
    reaches = (0.0,) if zero else ()
    x, y = Axis(label="generation", whole=whole), Axis(label="error (%)", reaches=reaches)
    assert_nothing_is_cut(lines(series(*points), x=x, y=y, about=""))


@FEW
@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(0, 30)), min_size=1, max_size=6), st.booleans())
def test_no_axis_cuts_a_bar_or_a_whisker(rows: list[tuple[float, float]], from_zero: bool) -> None:
    told = [
        Row(
            label=f"knob {index}",
            value=value,
            low=value - half,
            high=value + half,
            colour="blue",
            said=f"{value:.1f}",
        )
        for index, (value, half) in enumerate(rows)
    ]
    draw = bars if from_zero else ranges
    picture = draw(told, axis=Axis(label="change (plies)"), about="")
    assert_nothing_is_cut(picture)
    low, high = picture.figure.axes[0].get_xlim()
    assert low <= 0 <= high or not from_zero


NASTY = {
    "one": [Point(x=3, y=5)],
    "zero": [Point(x=0, y=0, low=0, high=0)],
    "huge interval": [Point(x=1, y=1, low=-1e6, high=1e6)],
    "all equal": [Point(x=x, y=7, low=7, high=7) for x in range(3)],
    "all zero": [Point(x=x, y=0, low=0, high=0) for x in range(3)],
    "far apart": [Point(x=1, y=1e9, low=-1e12, high=1e12), Point(x=2, y=1e-9, low=0, high=1e-3)],
    "at the top": [Point(x=x, y=100, low=99, high=100) for x in range(2)],
}


@pytest.mark.parametrize("points", NASTY.values(), ids=NASTY)
def test_no_axis_cuts_nasty_data(points: list[Point]) -> None:
    errors = Axis(label="errors (%)", reaches=(0.0, 1.0))
    named = [Series(label="bare", points=points)]
    assert_nothing_is_cut(lines(named, x=Axis(label="generation", whole=True), y=errors, about=""))
    placed = [dataclasses.replace(one, x=place_of(int(one.x)), y=abs(one.y) + 1e-9, low=None) for one in points]
    by_budget = budget_axis([int(one.x) for one in points])
    above_zero = [Series(label="bare", points=placed)]
    assert_nothing_is_cut(lines(above_zero, x=by_budget, y=Axis(label="errors (%)", log=True), about=""))
    rows = [Row(label=f"{one.x}", value=one.y, low=one.low, high=one.high, colour="blue", said="yes") for one in points]
    assert_nothing_is_cut(bars(rows, axis=Axis(label="change (plies)"), about=""))
    assert_nothing_is_cut(ranges(rows, axis=Axis(label="change (plies)"), about=""))
    dots = [Dot(places=(one.x + 1, one.y), strength=0.5, said="best: 2.22 % (1.92 – 2.57)") for one in points]
    knobs = Axis(label="cpuct", log=True), Axis(label="mlh_cap")
    assert_nothing_is_cut(surface(*knobs, dots, about=""))
    assert_nothing_is_cut(parallel(knobs, dots, about=""))


def test_the_interval_of_a_single_point_is_seen() -> None:
    """A band needs two."""
    point = Point(x=1, y=5, low=2, high=9)
    drawn = lines(series([point]), x=Axis(label="generation"), y=Axis(label="errors (%)"), about="").figure.axes[0]
    assert [line.get_ydata().tolist() for line in drawn.lines if len(line.get_ydata()) == 2] == [[2, 9]]


@given(st.lists(st.floats(0, 300), max_size=8))
def test_names_at_the_ends_keep_apart_in_order_and_inside(wanted: list[float]) -> None:
    places = apart(wanted, gap=15, low=0, high=300)
    order = sorted(range(len(wanted)), key=lambda one: wanted[one])
    assert all(places[b] - places[a] >= 15 - 1e-9 for a, b in itertools.pairwise(order))
    assert all(0 <= place <= 300 for place in places)
    if all(b - a >= 15 for a, b in itertools.pairwise(sorted(wanted))):
        assert places == pytest.approx(wanted)


def test_a_line_has_its_name_its_notes_and_axes_with_units() -> None:
    points = [Point(x=0, y=1, note="first"), Point(x=6, y=2, note="second")]
    picture = lines(
        series(points), x=Axis(label="plies played"), y=Axis(label="error (%)", reaches=(0.0, 1.0)), about="x"
    )
    assert {"bare", "plies played", "error (%)"} <= set(words_of(picture))
    assert all_notes(picture) == ["first", "second"]
    assert picture.figure.axes[0].get_ylim()[0] == 0.0


def test_an_axis_reaches_as_far_as_it_is_said_to() -> None:
    y = Axis(label="error (%)", reaches=(0.0, 1.0))
    picture = lines(
        series([Point(x=0, y=0.0), Point(x=1, y=0.0)]), x=Axis(label="generation", whole=True), y=y, about=""
    )
    low, high = picture.figure.axes[0].get_ylim()
    assert low == 0.0
    assert high >= 1.0


def test_budgets_stand_by_their_logarithm_with_the_bare_network_first() -> None:
    axis = budget_axis([0, 1, 32, 512, 600])
    assert axis.ticks == {0.5: "bare", 1: "1", 32: "32", 600: "600"}  # 512 would be written over 600
    points = [Point(x=place_of(budget), y=10 - index) for index, budget in enumerate((0, 1, 32, 512, 600))]
    picture = lines(series(points), x=axis, y=Axis(label="error (%)"), about="")
    assert picture.figure.axes[0].get_xscale() == "log"
    assert_words_keep_apart(picture)
    assert_nothing_is_cut(picture)


def test_shares_fill_the_bar_and_say_how_much_they_are() -> None:
    picture = shares([("a", 0.25, "green"), ("b", 0.7, "slate_soft"), ("c", 0.05, "red")], about="")
    ends = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in picture.figure.axes[0].patches]
    assert ends == [(0, 0.25), (0.25, pytest.approx(0.95)), (pytest.approx(0.95), pytest.approx(1.0))]
    assert words_of(picture) == ["25.0 %", "70.0 %"]  # the third has no room
    assert all_notes(picture) == ["a: 25.0 %", "b: 70.0 %", "c: 5.0 %"]


def test_rows_of_a_group_stand_closer_than_groups_do() -> None:
    rows = [Row(label=label, value=1, colour="blue") for label in ("a", "", "b", "")]
    legend = {"one": "blue", "other": "violet"}
    picture = bars(rows, axis=Axis(label="share (%)"), about="", legend=legend)
    middles = [bar.get_y() + bar.get_height() / 2 for bar in picture.figure.axes[0].patches]
    gaps = [later - earlier for earlier, later in itertools.pairwise(middles)]
    assert max(gaps[0], gaps[2]) < gaps[1]
    assert {"one", "other"} <= set(words_of(picture))
    assert_nothing_is_cut(picture)


@pytest.mark.parametrize(("value", "text"), [(0.1 + 0.2, "0.3"), (-2.0, "−2"), (12500.0, "12,500"), (1e-3, "0.001")])
def test_numbers_of_axes(value: float, text: str) -> None:
    assert number(value) == text
