"""The report as one self-contained page: no script, style, font or image from elsewhere. Plain data in, HTML out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from c4.evaluation.report import Report
from c4.report.page_audit import selfplay_cards, target_curves
from c4.report.page_charts import (
    Rows,
    ablation_chart,
    budget_chart,
    calibration_chart,
    duel_boards,
    moves_left_chart,
    ply_chart,
    search_cards,
    training_charts,
    worst_boards,
)
from c4.report.page_tables import figures_table, hero, seeds_tables, sets_table

STYLE = Path(__file__).parent / "data" / "report.css"


def page(reports: Sequence[Report], *, curves: Mapping[str, Rows]) -> str:
    graded = [report for report in reports if report["sets"]]
    sections = [hero(reports), seeds_tables(graded), sets_table(graded), budget_chart(graded)]
    for report in reports:
        sections.append(f'<h2 class="subject">{escape(report["name"])}</h2>' if len(reports) > 1 else "")
        if report["sets"]:
            sections += [ply_chart(report), calibration_chart(report), moves_left_chart(report)]
            sections += [search_cards(report), ablation_chart(report)]
        rows = curves.get(report["name"], {})
        sections += [duel_boards(report), training_charts(rows), target_curves(rows), selfplay_cards(report)]
        if report["sets"]:
            sections += [worst_boards(report), figures_table(report)]
    title = "Against perfect play: " + ", ".join(report["name"] for report in reports)
    body = "\n".join(section for section in sections if section)
    return sheet(title, body=f"{body}\n{_notes()}")


def sheet(title: str, *, body: str) -> str:
    """A whole document around cards."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE.read_text()}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def _notes() -> str:
    return (
        "<footer><p><b>Value-preserving</b>: the move keeps the sign of the best score; a slower win is no mistake. "
        "<b>Distance-optimal</b>: the move has the best score. <b>Decisive</b>: some legal move loses value. "
        "<b>Policy cross-entropy</b>: with the even distribution over the n moves that keep the value, so it cannot be "
        "less than ln n; what lies above that is zero for a policy that is even over all of them and gives nothing to "
        "others, and large for a search that settles on one of them, since a move without a visit counts as 10⁻⁹. "
        "Intervals are Wilson's for rates, normal for means, 95 %.</p></footer>"
    )
