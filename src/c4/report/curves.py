"""The course of a run, drawn from its metrics by generation. Empty where nothing of the kind was measured."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from c4.evaluation.statistics import wilson
from c4.report.chart import Axis, Point, Series, lines
from c4.report.picture import Picture
from c4.report.style import budget_colour
from c4.report.words import ERRORS, short_budget

Rows = Mapping[int, Mapping[str, float]]
"""metrics.csv of a run: generation -> metric -> value."""

AsPoint = Callable[[int, Mapping[str, float], str], Point]
WRONG = "wrong sign (%)"


def _plain_point(generation: int, row: Mapping[str, float], name: str) -> Point:
    return Point(x=generation, y=row[name])


def _share_point(generation: int, row: Mapping[str, float], name: str) -> Point:
    return Point(x=generation, y=100 * row[name])


def _error_point(generation: int, row: Mapping[str, float], name: str) -> Point:
    share, count = row[name], round(row.get(name.replace("value_preserving", "positions"), 0))
    known = wilson(round(share * count), count) if count else None
    low, high = (100 * (1 - known.high), 100 * (1 - known.low)) if known else (None, None)
    return Point(x=generation, y=100 * (1 - share), low=low, high=high)


def error_curves(rows: Rows) -> list[Picture]:
    """Errors, with 95 % intervals where it is known of how many positions."""
    y = Axis(label=ERRORS, reaches=(0.0, 1.0))
    return _curves(rows, r"truth/value_preserving(_\d+)?", y=y, about="errors during training", point=_error_point)


def blind_curve(rows: Rows) -> list[Picture]:
    """Of the bare network: what a search makes of it depends on the search's size."""
    y = Axis(label="positions (%)", reaches=(0.0, 1.0))
    return _curves(rows, r"truth/blind", y=y, about="positions where right moves go unseen", point=_share_point)


def loss_curves(rows: Rows) -> list[Picture]:
    return _curves(rows, r"loss/.*", y=Axis(label="loss", reaches=(0.0,)), about="losses by generation")


def blame_curves(rows: Rows) -> list[Picture]:
    y = Axis(label="errors per game", reaches=(0.0,))
    return _curves(rows, r"truth/selfplay/blame_.*", y=y, about="causes of errors in self-play")


def strength_curve(rows: Rows) -> list[Picture]:
    y = Axis(label="levels", reaches=(0.0,))
    return _curves(rows, r"baseline/strength", y=y, about="strength against rollouts during training")


def target_curves(rows: Rows) -> list[Picture]:
    """How wrong the targets were. Without traces they are the results."""
    metric = "truth/selfplay/{}_wrong_sign"
    traced = any(row.get(metric.format("trace")) != row.get(metric.format("result")) for row in rows.values())
    known = metric.format("(result|root_value|trace)" if traced else "(result|root_value)")
    y = Axis(label=WRONG, reaches=(0.0,))
    return _curves(rows, known, y=y, about="targets of wrong sign by generation", point=_share_point)


def _curves(rows: Rows, names: str, *, y: Axis, about: str, point: AsPoint = _plain_point) -> list[Picture]:
    found = {name for row in rows.values() for name in row if re.fullmatch(names, name)}
    series = [
        Series(
            label=label, thing=thing, marked=False,
            points=[point(generation, row, name) for generation, row in rows.items() if name in row],
        )
        for (_, label, thing), name in sorted((_told(name), name) for name in found)
    ]  # fmt: skip
    return [lines(series, x=Axis(label="generation", whole=True), y=y, about=about)] if series else []


def _told(name: str) -> tuple[int, str, str]:
    """In which order it stands, what it is called, and whose look it has."""
    last = name.rpartition("_")[2]
    if "value_preserving" in name:
        budget = int(last) if last.isdecimal() else 0
        return budget, short_budget(budget), budget_colour(budget)
    title = name.rpartition("/")[2].removeprefix("blame_").removesuffix("_wrong_sign").replace("_", " ")
    return 0, title, title
