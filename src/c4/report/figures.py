"""The figures of reports as rows that terminal, page and card share: errors, every other figure, seeds, mistakes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

from c4.evaluation.report import Report
from c4.evaluation.seeds import spread_words
from c4.report.table import Cell, Table
from c4.report.words import OUTCOMES, PACE, error_of, failing, interval, outcome, percent, played_name, scores_text


class Kind(Enum):
    RIGHT = "a share of what is right; shown is what is not"
    WRONG = "a share of what is wrong"
    AMOUNT = "a number"


FIGURES = (  # key, what a person reads, what it is
    ("value_preserving", "errors", Kind.RIGHT),
    ("value_preserving_decisive", "… in decisive positions", Kind.RIGHT),
    ("distance_optimal", PACE, Kind.RIGHT),
    ("plies_lost_winning", "plies lost when winning", Kind.AMOUNT),
    ("plies_lost_losing", "plies lost when losing", Kind.AMOUNT),
    ("policy_mass", "policy on errors", Kind.RIGHT),
    ("blind", "right moves below 1 % of the policy", Kind.WRONG),
    ("policy_cross_entropy", "policy cross-entropy (nats)", Kind.AMOUNT),
    ("policy_divergence", "… above its minimum", Kind.AMOUNT),
    ("value_sign", "value of the wrong sign", Kind.RIGHT),
    ("value_outcome", "wrong about win, draw or loss", Kind.RIGHT),
    ("value_brier", "Brier score of the value", Kind.AMOUNT),
    ("moves_left_mae", "error of moves left (plies)", Kind.AMOUNT),
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
    """Every figure over all sets, each the better the lower: a row a figure, a column a budget."""
    overall = report["overall"].values()
    rows = [(name, [_figure_cell(one.get(key), kind=kind) for one in overall]) for key, name, kind in FIGURES]
    return [
        *rows,
        ("calibration error of the value (ECE)", [Cell(text=f"{one.get('value_ece', 0):.3f}") for one in overall]),
    ]


def _figure_cell(figure: Mapping[str, Any] | None, *, kind: Kind) -> Cell:
    if figure is None or figure["value"] is None:
        return UNKNOWN
    if kind is not Kind.AMOUNT:
        wrong = failing(figure) if kind is Kind.RIGHT else figure
        return Cell(text=percent(wrong["value"]), small=interval(wrong))
    margin = (figure["high"] - figure["low"]) / 2 if figure["high"] is not None else 0.0
    return Cell(text=f"{figure['value']:.2f}", small=f"± {margin:.2f}")


def seed_rows(group: Mapping[str, Any]) -> list[tuple[str, int, list[str]]]:
    """Mean and standard deviation over seeds: a row a figure and budget, a column a set."""
    sets = list(group["figures"].values())
    return [
        (title, int(budget), ["–" if key not in one[budget] else spread_words(one[budget][key]) for one in sets])
        for key, title in (("value_preserving", "errors, %"), ("distance_optimal", f"{PACE}, %"))
        for budget in sets[0]
    ]


def evaluation_table(report: Report) -> Table:
    """Errors by set and budget, in per cent; a slower win is not one."""
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
    columns = (
        "set",
        "simulations",
        "positions",
        "error %",
        "at least %",
        "at most %",
        "decisive %",
        "errors or slow %",
    )
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
