"""An audit of self-play as text for a terminal: what is wrong at each ply, and who threw the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from c4.evaluation.selfplay_audit import Audit, Blame, audit_figures
from c4.report.table import Row, columns

TARGETS = ("result", "root_value", "trace")
FIGURES = {  # figure -> what a person reads, of what, whether it is a share
    "contradictions": ("untrue results", "of the positions", True),
    "flawless_games": ("flawless games", "no move gives the value away", True),
    **{f"blame_{blame.value}": (f"thrown by {blame.value}", "moves a game", False) for blame in Blame},
    **{f"{target}_wrong_sign": (f"wrong {target.replace('_', ' ')}s", "by their sign", True) for target in TARGETS},
    "distinct_openings": ("distinct openings", "a game", False),
    "repeated_positions": ("repeated positions", "within a generation", True),
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


def told_figures(audit: Audit) -> list[tuple[str, str, str]]:
    """Over all plies: the figure, "-" where it is not known, what it is, and of what."""
    figures = audit_figures(audit)
    return [
        ((f"{100 * figures[key]:.1f} %" if is_share else f"{figures[key]:.2f}") if key in figures else "-", what, of)
        for key, (what, of, is_share) in FIGURES.items()
    ]


def comparison_rows(audits: Sequence[Audit]) -> list[Row]:
    """A row a figure, a column an audit."""
    told = [told_figures(audit) for audit in audits]
    rows = [(f"{what}, {of}", *(cells[row][0] for cells in told)) for row, (_, what, of) in enumerate(told[0])]
    return [("games", *(f"{audit['games']:,}" for audit in audits)), *rows]


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
