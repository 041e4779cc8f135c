"""What the report says in words and numbers: names of budgets, intervals, cards, tables of markdown. No drawings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def interval(figure: Mapping[str, Any]) -> str:
    if figure["low"] is None:
        return "–"  # of one position
    return f"{100 * figure['low']:.1f} – {100 * figure['high']:.1f}"


def budget_name(simulations: int) -> str:
    return "bare network" if simulations == 0 else f"{simulations:,} simulation" + ("s" if simulations > 1 else "")


def short_budget(simulations: int) -> str:
    return "bare" if simulations == 0 else f"{simulations:,} sims" if simulations > 1 else "1 sim"


def card(title: str, content: str, note: str, *, wide: bool = False) -> str:
    width = " wide" if wide else ""
    small = f"<p class='note'>{note}</p>" if note else ""
    return f"<section class='card{width}'><h3>{escape(title)}</h3>{small}{content}</section>"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int | None = None) -> str:
    """Only the first `texts` columns are flush left, the others hold numbers; None: all are."""
    rule = ["---" if texts is None or column < texts else "---:" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])
