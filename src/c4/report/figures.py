"""The figures of reports as rows that terminal, page and card share: errors, every other figure, seeds, mistakes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from c4.evaluation.report import Report
from c4.evaluation.seeds import spread_words
from c4.report.table import Cell, Table
from c4.report.words import OUTCOMES, error_of, interval, outcome, percent, played_name, scores_text

FIGURES = (  # key, what a person reads, whether it is a rate
    ("value_preserving", "value-preserving", True),
    ("value_preserving_decisive", "… on decisive positions", True),
    ("distance_optimal", "distance-optimal", True),
    ("plies_lost_winning", "plies lost when winning", False),
    ("plies_lost_losing", "plies lost when losing", False),
    ("policy_mass", "policy on right moves", True),
    ("policy_cross_entropy", "policy cross-entropy (nats)", False),
    ("policy_divergence", "… above the least possible", False),
    ("value_sign", "sign of the value", True),
    ("value_outcome", "win, draw or loss", True),
    ("value_brier", "Brier score", False),
    ("moves_left_mae", "moves left, mean error (plies)", False),
)
UNKNOWN = Cell(text="–")


def error_cell(rate: Mapping[str, Any]) -> Cell:
    """Per cent of failures, with the interval; the shade goes with the logarithm."""
    if rate["value"] is None:
        return UNKNOWN
    error, low, high = error_of(rate)
    shade = min(1.0, math.log10(1 + 9 * error) / 2.5)
    return Cell(text=f"{error:.1f}", small=f"{low:.1f} – {high:.1f}", shade=shade)


def error_rows(report: Report) -> list[tuple[str, list[Cell]]]:
    """A row a set, and one of all together, a column a budget."""
    return [
        (name, [error_cell(figures[budget]["value_preserving"]) for budget in report["overall"] if budget in figures])
        for name, figures in with_all(report).items()
    ]


def with_all(report: Report) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Set -> budget -> figures, with all positions together as a last one where there are several sets."""
    return {**report["sets"], **({"all": report["overall"]} if len(report["sets"]) > 1 else {})}


def figure_rows(report: Report) -> list[tuple[str, list[Cell]]]:
    """Every figure over all sets: a row a figure, a column a budget."""
    overall = report["overall"].values()
    rows = [(name, [_figure_cell(one.get(key), is_rate=is_rate) for one in overall]) for key, name, is_rate in FIGURES]
    return [*rows, ("calibration error (ECE)", [Cell(text=f"{one.get('value_ece', 0):.3f}") for one in overall])]


def _figure_cell(figure: Mapping[str, Any] | None, *, is_rate: bool) -> Cell:
    if figure is None or figure["value"] is None:
        return UNKNOWN
    if is_rate:
        return Cell(text=percent(figure["value"]), small=interval(figure))
    margin = (figure["high"] - figure["low"]) / 2 if figure["high"] is not None else 0.0
    return Cell(text=f"{figure['value']:.2f}", small=f"± {margin:.2f}")


def seed_rows(group: Mapping[str, Any]) -> list[tuple[str, int, list[str]]]:
    """Mean and standard deviation over seeds: a row a figure and budget, a column a set."""
    sets = list(group["figures"].values())
    return [
        (title, int(budget), [_spread(one[budget].get(key), error=key == "value_preserving") for one in sets])
        for key, title in (("value_preserving", "errors, %"), ("distance_optimal", "distance-optimal, %"))
        for budget in sets[0]
    ]


def _spread(figure: Mapping[str, float] | None, *, error: bool) -> str:
    return "–" if figure is None else spread_words(figure, error=error)


def evaluation_table(report: Report) -> Table:
    """Errors by set and budget, in per cent; a slower win is none."""
    rows = []
    for name, budgets in {**report["sets"], "all": report["overall"]}.items():
        for budget, figures in budgets.items():
            kept, distance = figures["value_preserving"], figures["distance_optimal"]
            rows.append(
                (
                    *(name, int(budget), figures["positions"]),
                    *(_rounded(kept[key]) for key in ("value", "high", "low")),
                    *(_rounded(figures["value_preserving_decisive"]["value"]), _rounded(distance["value"])),
                )
            )
    columns = ("set", "simulations", "positions", "error %", "at least %", "at most %", "decisive %", "not fastest %")
    return Table(name="evaluation/sets", columns=columns, rows=tuple(rows))


def mistakes_table(gradings: Mapping[int, Report]) -> Table:
    """Of all generations that were graded, so that it grows with the run."""
    rows = tuple(
        (
            *(generation, one["moves"], one["simulations"], played_name(one, game=report["game"])),
            *(OUTCOMES[one["truth"]], outcome(one["scores"][one["played"]]), one["value"], scores_text(one)),
        )
        for generation, report in gradings.items()
        for one in report["worst"]
    )
    columns = ("generation", "position", "simulations", "plays", "truth", "becomes", "value", "scores of all moves")
    return Table(name="evaluation/mistakes", columns=columns, rows=rows)


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(100 * (1 - share), 3)
