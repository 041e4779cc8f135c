"""What a run shows of itself beside its numbers: tables, pictures and the card of its player. Knows no tracker.

Loads matplotlib: import it late.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from c4.evaluation.report import Report
from c4.report.boards import board_sheet
from c4.report.chart import Axis, Row, ranges
from c4.report.curves import Rows, error_curves, loss_curves, strength_curve, target_curves
from c4.report.figures import evaluation_table, mistakes_table, with_all
from c4.report.picture import Picture
from c4.report.player import calibration_picture
from c4.report.style import budget_colour
from c4.report.table import Bars, Table
from c4.report.words import ERRORS, error_of, short_budget


def grading_exhibits(gradings: Mapping[int, Report]) -> list[Table | Picture | Bars]:
    """Of the newest of these generations: what was wrong, and how sure the network was of it; the mistakes of all."""
    report = gradings[max(gradings)]
    pictures = [_named("errors", errors_picture(report)), _named("calibration", calibration_picture(report))]
    if report["worst"]:
        pictures.append(_named("mistakes", board_sheet(report["worst"], game=report["game"])))
    return [evaluation_table(report), errors_bars(report), mistakes_table(gradings), *pictures]


def learning_exhibits(rows: Rows) -> list[Picture]:
    """Of the whole run so far: its curves."""
    curves = {"learning": error_curves, "losses": loss_curves, "targets": target_curves, "strength": strength_curve}
    return [_named(name, drawn) for name, draw in curves.items() for drawn in draw(rows)]


def errors_bars(report: Report) -> Bars:
    """Errors by set and budget."""
    found = tuple(
        (f"{name}, {short_budget(int(budget))}", error_of(figures["value_preserving"])[0])
        for name, budgets in with_all(report).items()
        for budget, figures in budgets.items()
    )
    title = ERRORS
    return Bars(name="charts/errors", about="errors by set and budget", label="set, budget", value=title, bars=found)


def errors_picture(report: Report) -> Picture:
    """Errors by set and budget, with their intervals."""
    rows = []
    for name, budgets in with_all(report).items():
        for simulations, figures in ((int(budget), figures) for budget, figures in budgets.items()):
            error, low, high = error_of(figures["value_preserving"])
            label, colour = f"{name}, {short_budget(simulations)}", budget_colour(simulations)
            rows.append(Row(label=label, value=error, low=low, high=high, colour=colour, said=f"{error:.1f}"))
    axis = Axis(label=ERRORS, reaches=(0.0,))
    return ranges(rows, axis=axis, about="errors by set and budget")


def _named(name: str, picture: Picture) -> Picture:
    return dataclasses.replace(picture, name=f"pictures/{name}")
