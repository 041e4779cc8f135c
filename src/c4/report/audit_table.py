"""An audit of self-play as text for a terminal: what is wrong at each ply, and who threw the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from c4.evaluation.selfplay_audit import Audit, Blame, audit_figures
from c4.report.table import Row, columns

TARGETS = ("result", "root_value", "trace")
COMPARED = {  # figure -> what a person reads, scale, format
    "contradictions": ("positions with an untrue result, %", 100, ".1f"),
    "flawless_games": ("games in which nothing is thrown, %", 100, ".1f"),
    **{f"blame_{blame.value}": (f"thrown by {blame.value}, moves a game", 1, ".2f") for blame in Blame},
    **{f"{target}_wrong_sign": (f"wrong sign of the {target.replace('_', ' ')}, %", 100, ".1f") for target in TARGETS},
    "distinct_openings": ("distinct openings a game", 1, ".2f"),
    "repeated_positions": ("repeated positions, %", 100, ".1f"),
}


def audit_rows(name: str, audit: Audit) -> str:
    """The whole in words, then a row a ply."""
    return "\n".join([summary(name, audit), "", columns(ply_rows(audit))])


def ply_rows(audit: Audit) -> list[Row]:
    """Shares in per cent: of the games that reached the ply, or of its samples that are won or lost."""
    head: Row = (
        "ply",
        "games",
        "result untrue",
        *(f"{target.replace('_', ' ')} sign" for target in TARGETS),
        *(f"thrown: {blame.value}" for blame in Blame),
        "first thrown",
    )
    return [head, *(_row(row, games=audit["games"]) for row in audit["plies"])]


def comparison_rows(audits: Sequence[Audit]) -> list[Row]:
    """A row a figure over all plies, a column an audit."""
    figures = [audit_figures(audit) for audit in audits]
    return [
        ("games", *(f"{audit['games']:,}" for audit in audits)),
        *(
            (title, *(format(scale * one[key], digits) if key in one else "-" for one in figures))
            for key, (title, scale, digits) in COMPARED.items()
        ),
    ]


def _row(row: Mapping[str, Any], *, games: int) -> Row:
    targets = row["targets"]
    return (
        str(row["ply"]),
        str(row["games"]),
        _share(row["contradicted"], row["games"]),
        *(
            _share(targets[target]["wrong_sign"], targets[target]["settled"]) if target in targets else "-"
            for target in TARGETS
        ),
        *(_share(row["throws"][blame.value], row["games"]) for blame in Blame),
        _share(sum(row["first_throws"].values()), games),
    )


def _share(count: float, of: float) -> str:
    return f"{100 * count / of:.1f}" if of else "-"


def summary(name: str, audit: Audit) -> str:
    """The whole in a few sentences."""
    figures = audit_figures(audit)
    if not figures:
        return f"{name}: no game of self-play was audited."
    wrong = ", ".join(
        f"{target.replace('_', ' ')} {figures[f'{target}_wrong_sign']:.1%}"
        for target in TARGETS
        if f"{target}_wrong_sign" in figures
    )
    thrown = ", ".join(f"{blame.value} {figures[f'first_throw_{blame.value}']:.1%}" for blame in Blame)
    exploring = sum(figures[f"blame_{blame.value}"] for blame in Blame if blame is not Blame.SEARCH)
    return (
        f"{name}: {audit['games']:,} games of self-play, {figures['contradictions']:.1%} of their positions with a "
        f"result that is not the true one.\nFirst thrown by: {thrown}; never thrown: {figures['flawless_games']:.1%}.\n"
        f"Moves a game that give the value away: {figures['throws_per_game']:.2f}, of which exploration "
        f"{exploring:.2f}, the search {figures['blame_search']:.2f}.\n"
        f"Wrong sign, of the samples from won and lost positions: {wrong or 'not known'}.\n"
        f"Distinct openings a game: {figures['distinct_openings']:.2f}; positions that repeat: "
        f"{figures['repeated_positions']:.1%}."
    )
