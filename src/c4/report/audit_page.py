"""The page of mode=audit: what runs play against themselves, side by side, then each ply by ply. Data in, HTML out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from c4.evaluation.selfplay_audit import Audit
from c4.report.audit_table import comparison_rows, ply_rows
from c4.report.page import sheet
from c4.report.page_audit import audit_cards, target_curves
from c4.report.page_charts import Rows, blame_curves
from c4.report.page_tables import header
from c4.report.table import Row
from c4.report.words import card

TITLE = "Its own games against perfect play"
PLY_NOTE = (
    "Per cent. Untrue, thrown: of the games that reached the ply. Sign: of the samples there that are won or lost "
    "under perfect play. First thrown: of all games."
)


def audit_page(audits: Mapping[str, Sequence[Audit]], *, game: str, curves: Mapping[str, Rows]) -> str:
    """Each player's audits (kept by its run, played now; `about` says which) and the metrics of its run."""
    sections = [header(game, TITLE, tiles=_side_by_side(audits))]
    for name, found in audits.items():
        sections.append(f'<h2 class="subject">{escape(name)}</h2>')
        for audit in found:
            sections += [audit_cards(audit, game=game), _plies(audit)]
        rows = curves.get(name, {})
        sections += [blame_curves(rows), target_curves(rows)]
    return sheet(f"{TITLE}: {', '.join(audits)}", body="\n".join(section for section in sections if section))


def _side_by_side(audits: Mapping[str, Sequence[Audit]]) -> list[str]:
    """Of one audit the cards tell enough."""
    named = [(name, audit) for name, found in audits.items() for audit in found]
    if len(named) < 2:
        return []
    titles = "".join(f"<th>{escape(name)}<small>{escape(audit['about'])}</small></th>" for name, audit in named)
    lines = "".join(_line(row) for row in comparison_rows([audit for _, audit in named]))
    return [f"<section class='tile'><h2>Side by side</h2>{_table(titles, lines)}</section>"]


def _plies(audit: Audit) -> str:
    head, *rows = ply_rows(audit)
    titles = "".join(f"<th>{escape(cell)}</th>" for cell in head[1:])
    table = _table(titles, "".join(_line(row, shaded_from=2) for row in rows))
    return card(
        "Ply by ply", f"<details><summary>The figures of every ply</summary>{table}</details>", PLY_NOTE, wide=True
    )


def _table(titles: str, lines: str) -> str:
    return (
        f"<div class='scroll'><table class='heat'><thead><tr><th></th>{titles}</tr></thead>"
        f"<tbody>{lines}</tbody></table></div>"
    )


def _line(row: Row, *, shaded_from: int | None = None) -> str:
    """The first cell names the row; shaded ones are per cent of what should not be."""
    cells = "".join(
        f"<td style='--shade:{float(cell) / 100:.2f}'>{cell}</td>"
        if shaded_from is not None and column >= shaded_from and cell not in {"-", "0.0"}
        else f"<td>{escape(cell)}</td>"
        for column, cell in enumerate(row)
        if column
    )
    return f"<tr><td class='budget'>{escape(row[0])}</td>{cells}</tr>"
