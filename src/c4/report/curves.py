"""The course of a run, drawn from its metrics by generation. Empty where nothing of the kind was measured."""

from __future__ import annotations

import re
from collections.abc import Mapping

from c4.evaluation.statistics import wilson
from c4.report.chart import Axis, Point, Series, lines
from c4.report.picture import Picture
from c4.report.style import budget_colour, looks
from c4.report.words import short_budget

Rows = Mapping[int, Mapping[str, float]]
"""metrics.csv of a run: generation -> metric -> value."""

ERRORS, WRONG = "error (%)", "wrong sign (%)"


def error_curves(rows: Rows) -> list[Picture]:
    """How often moves gave the value away, with 95 % intervals where it is known of how many positions."""
    found = _names(rows, r"truth/value_preserving(_\d+)?")
    budgets = [_budget_of(name) for name in found]
    series = [
        Series(
            label=short_budget(budget), look=look, marked=_is_lonely(rows, name),
            points=[_error_point(row, name, generation) for generation, row in rows.items() if name in row],
        )
        for name, budget, look in zip(found, budgets, looks(budget_colour(one) for one in budgets), strict=True)
    ]  # fmt: skip
    return _drawn(series, y=Axis(label=ERRORS, reaches=(0.0, 1.0)), about="error during training")


def loss_curves(rows: Rows) -> list[Picture]:
    return _curves(rows, r"loss/.*", label="loss", about="losses by generation")


def blame_curves(rows: Rows) -> list[Picture]:
    return _curves(rows, r"truth/selfplay/blame_.*", label="throws a game", about="who threw games of self-play")


def strength_curve(rows: Rows) -> list[Picture]:
    return _curves(rows, r"baseline/strength", label="levels", about="strength against rollouts during training")


def target_curves(rows: Rows) -> list[Picture]:
    """How wrong the targets were. Without traces they are the results."""
    metric = "truth/selfplay/{}_wrong_sign"
    traced = any(row.get(metric.format("trace")) != row.get(metric.format("result")) for row in rows.values())
    known = "(result|root_value|trace)" if traced else "(result|root_value)"
    return _curves(rows, metric.format(known), label=WRONG, about="targets of wrong sign by generation", scale=100.0)


def _curves(rows: Rows, names: str, *, label: str, about: str, scale: float = 1.0) -> list[Picture]:
    found = _names(rows, names)
    titles = [_title(name) for name in found]
    series = [
        Series(
            label=title, look=look, marked=_is_lonely(rows, name),
            points=[Point(x=generation, y=scale * row[name]) for generation, row in rows.items() if name in row],
        )
        for name, title, look in zip(found, titles, looks(titles), strict=True)
    ]  # fmt: skip
    return _drawn(series, y=Axis(label=label, reaches=(0.0,)), about=about)


def _drawn(series: list[Series], *, y: Axis, about: str) -> list[Picture]:
    return [lines(series, x=Axis(label="generation", whole=True), y=y, about=about)] if series else []


def _names(rows: Rows, pattern: str) -> list[str]:
    return sorted({name for row in rows.values() for name in row if re.fullmatch(pattern, name)}, key=_order)


def _order(name: str) -> tuple[int, str]:
    return _budget_of(name), name


def _is_lonely(rows: Rows, name: str) -> bool:
    return sum(name in row for row in rows.values()) == 1


def _title(name: str) -> str:
    return name.rpartition("/")[2].removeprefix("blame_").removesuffix("_wrong_sign").replace("_", " ")


def _budget_of(name: str) -> int:
    last = name.rpartition("_")[2]
    return int(last) if last.isdecimal() else 0


def _error_point(row: Mapping[str, float], name: str, generation: int) -> Point:
    share, count = row[name], round(row.get(name.replace("value_preserving", "positions"), 0))
    known = wilson(round(share * count), count) if count else None
    low, high = (100 * (1 - known.high), 100 * (1 - known.low)) if known else (None, None)
    return Point(x=generation, y=100 * (1 - share), low=low, high=high)
