"""What a run shows of itself beside its numbers: tables, pictures and the card of its player. Knows no tracker."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from c4.evaluation.report import Report
from c4.native._core import Position
from c4.report.champion import card_text
from c4.report.page import sheet
from c4.report.page_charts import Rows, calibration_chart, training_charts, worst_boards
from c4.report.page_tables import sets_table
from c4.report.words import markdown_table

Cell = str | int | float | None
OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Table:
    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def markdown(self) -> str:
        return markdown_table(self.columns, [[_shown(cell) for cell in row] for row in self.rows])


@dataclasses.dataclass(frozen=True, kw_only=True)
class Picture:
    """A page of its own: nothing in it comes from elsewhere."""

    name: str
    html: str


def evaluation_table(report: Report) -> Table:
    """Errors by set and budget, in per cent; a slower win is none."""
    rows = []
    for name, budgets in {**report["sets"], "all": report["overall"]}.items():
        for budget, figures in budgets.items():
            kept, distance = figures["value_preserving"], figures["distance_optimal"]
            rows.append(
                (
                    *(name, int(budget), figures["positions"]),
                    *(_error(kept[key]) for key in ("value", "high", "low")),
                    *(_error(figures["value_preserving_decisive"]["value"]), _error(distance["value"])),
                )
            )
    columns = ("set", "simulations", "positions", "error %", "at least %", "at most %", "decisive %", "not fastest %")
    return Table(name="evaluation/sets", columns=columns, rows=tuple(rows))


def mistakes_table(report: Report) -> Table:
    rows = []
    for one in report["worst"]:
        played = one["scores"][one["played"]]
        name = Position(report["game"], one["moves"]).action_name(one["played"])
        became = OUTCOMES[(played > 0) - (played < 0)]
        scores = " ".join("·" if score is None else str(score) for score in one["scores"])
        rows.append((one["moves"], one["simulations"], name, OUTCOMES[one["truth"]], became, one["value"], scores))
    columns = ("position", "simulations", "plays", "truth", "becomes", "value", "scores of all moves")
    return Table(name="evaluation/mistakes", columns=columns, rows=tuple(rows))


def grading_exhibits(report: Report) -> list[Table | Picture]:
    """Of one grading: what was wrong, and how sure the network was of it."""
    drawings = {
        "errors": sets_table([report]),
        "calibration": calibration_chart(report),
        "mistakes": worst_boards(report),
    }
    pictures = [Picture(name=f"pictures/{name}", html=sheet(name, body=body)) for name, body in drawings.items()]
    return [evaluation_table(report), mistakes_table(report), *pictures]


def learning_exhibits(rows: Rows) -> list[Table | Picture]:
    """Of the whole run so far: its curves."""
    curves = training_charts(rows)
    return [Picture(name="pictures/learning", html=sheet("learning", body=curves))] if curves else []


def card(report: Report | None, *, title: str, origin: Mapping[str, Any], metrics: Mapping[str, float]) -> str:
    """Markdown for whoever finds the player: how it came about, its errors where they were graded, its metrics."""
    if report is not None:
        return card_text(report, title=title, origin=origin)
    figures = Table(name="metrics", columns=("metric", "value"), rows=tuple(sorted(metrics.items())))
    lines = [f"- {name}: {_shown(value)}" for name, value in origin.items()]
    return "\n\n".join([f"# {title}", "\n".join(lines), figures.markdown()]) + "\n"


def _error(share: float | None) -> float | None:
    return None if share is None else round(100 * (1 - share), 3)


def _shown(cell: Cell) -> str:
    return "–" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else str(cell)
