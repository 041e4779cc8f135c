"""The tables of the report page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from c4.evaluation.report import Report
from c4.evaluation.seeds import over_seeds, seed_words, spread_words
from c4.report.words import budget_name, card, interval, percent

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


def hero(reports: Sequence[Report]) -> str:
    tiles = []
    for report in reports:
        figures = report.get("overall", {})
        numbers = "".join(
            f"<div class='number'><b>{percent(figure['value_preserving']['value'])}</b>"
            f"<span>{budget_name(int(budget))}</span>"
            f"<small>{interval(figure['value_preserving'])}</small></div>"
            for budget, figure in figures.items()
        )
        lines = [report[key]["line"] for key in ("duel", "baseline") if key in report]
        count = next((figure["positions"] for figure in figures.values()), 0)
        what = f"Share of {count:,} positions in which its move keeps the game's value" if figures else ""
        name = f"<h2>{escape(report['name'])}</h2>"
        tiles.append(
            f"<section class='tile'>{name}<p class='what'>{what}</p><div class='numbers'>{numbers}</div>"
            f"<p class='duel'>{escape(' '.join(lines))}</p></section>"
        )
    return header(reports[0]["game"], "Against perfect play", tiles=tiles)


def header(game: str, title: str, *, tiles: Sequence[str]) -> str:
    return f"<header><p class='kicker'>{escape(game)}</p><h1>{escape(title)}</h1>{''.join(tiles)}</header>"


def sets_table(reports: Sequence[Report]) -> str:
    """Errors by set and budget: the table that other projects publish."""
    if not reports:
        return ""
    names = list(reports[0]["sets"])
    head = "".join(f"<th>{escape(name)}<small>{_count(reports[0], name)}</small></th>" for name in names)
    rows = []
    for report in reports:
        for budget in report["overall"]:
            cells = "".join(_error_cell(report["sets"][name][budget]) for name in names if name in report["sets"])
            label = budget_name(int(budget))
            who = f"<td class='who'>{escape(report['name'])}</td>" if len(reports) > 1 else ""
            rows.append(f"<tr>{who}<td class='budget'>{label}</td>{cells}</tr>")
    corner = "<th></th>" if len(reports) > 1 else ""
    return card(
        "Moves that give the value away",
        f"<div class='scroll'><table class='heat'><thead><tr>{corner}<th></th>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        "Per cent of positions, with the 95 % interval. A slower win is no mistake here. Darker: more errors.",
        wide=True,
    )


def seeds_tables(reports: Sequence[Report]) -> str:
    """A card for each setting of which several seeds are there."""
    cards = []
    for group in over_seeds(reports):
        names = list(group["figures"])
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        rows = []
        for key, title in (("value_preserving", "errors"), ("distance_optimal", "distance-optimal")):
            for budget in group["figures"][names[0]]:
                found = [group["figures"][name][budget].get(key) for name in names]
                words = ["–" if one is None else spread_words(one, error=key == "value_preserving") for one in found]
                cells = "".join(f"<td><b>{word}</b></td>" for word in words)
                label = f"{title}, {budget_name(int(budget))}"
                rows.append(f"<tr><td class='budget'>{label}</td>{cells}</tr>")
        cards.append(
            card(
                f"Over {len(group['seeds'])} seeds",
                f"<div class='scroll'><table><thead><tr><th></th>{head}</tr></thead>"
                f"<tbody>{''.join(rows)}</tbody></table></div>",
                "Per cent, mean ± standard deviation of runs that differ by their seed alone: "
                f"{escape(seed_words(group))}.",
                wide=True,
            )
        )
    return "".join(cards)


def _count(report: Report, name: str) -> str:
    figures = next(iter(report["sets"][name].values()))
    return f"{figures['positions']:,} positions"


def _error_cell(figures: Mapping[str, Any]) -> str:
    figure = figures["value_preserving"]
    error = 1 - figure["value"]
    shade = min(1.0, math.log10(1 + 900 * error) / 2.5)
    low, high = 100 * (1 - figure["high"]), 100 * (1 - figure["low"])
    decisive = figures["value_preserving_decisive"]
    note = f"on the {decisive['count']} decisive ones {100 * (1 - (decisive['value'] or 0)):.1f} %"
    return (
        f"<td style='--shade:{shade:.2f}' title='{note}'><b>{100 * error:.1f}</b>"
        f"<small>{low:.1f} – {high:.1f}</small></td>"
    )


def figures_table(report: Report) -> str:
    budgets = list(report["overall"])
    head = "".join(f"<th>{budget_name(int(budget))}</th>" for budget in budgets)
    rows = []
    for key, name, is_rate in FIGURES:
        cells = "".join(_figure_cell(report["overall"][budget].get(key), is_rate=is_rate) for budget in budgets)
        rows.append(f"<tr><td class='budget'>{name}</td>{cells}</tr>")
    errors = "".join(f"<td><b>{report['overall'][budget].get('value_ece', 0):.3f}</b></td>" for budget in budgets)
    rows.append(f"<tr><td class='budget'>calibration error (ECE)</td>{errors}</tr>")
    return card(
        "Every figure",
        f"<div class='scroll'><table><thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        "Over all sets. Policy, value and moves left are the network's own when bare, the search's otherwise.",
        wide=True,
    )


def _figure_cell(figure: Mapping[str, Any] | None, *, is_rate: bool) -> str:
    if figure is None or figure["value"] is None:
        return "<td>–</td>"
    if is_rate:
        return f"<td><b>{percent(figure['value'])}</b><small>{interval(figure)}</small></td>"
    margin = (figure["high"] - figure["low"]) / 2 if figure["high"] is not None else 0.0
    return f"<td><b>{figure['value']:.2f}</b><small>± {margin:.2f}</small></td>"
