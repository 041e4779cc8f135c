"""An audit of self-play as text for a terminal: what is wrong at each ply, and where errors come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from c4.evaluation.selfplay_audit import Audit, Blame, audit_figures
from c4.report.table import Row, columns

TARGETS = ("result", "root_value", "trace")
CAUSES = {
    Blame.OPENING: "random openings",
    Blame.TEMPERATURE: "temperature",
    Blame.NOISE: "noise",
    Blame.SEARCH: "the search",
}
FIGURES = {  # figure -> what a person reads, of what, whether it is a share
    "contradictions": ("wrong results", "positions whose game did not end as perfect play would have it", True),
    "games_with_errors": ("games with an error", "of all games", True),
    **{f"blame_{blame.value}": (f"errors from {CAUSES[blame]}", "per game", False) for blame in Blame},
    **{
        f"{target}_wrong_sign": (f"{target.replace('_', ' ')}s of the wrong sign", "samples won or lost in truth", True)
        for target in TARGETS
    },
    "distinct_openings": ("distinct openings", "per game", False),
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
        "wrong result",
        *(f"{target.replace('_', ' ')} sign" for target in TARGETS),
        *(f"error: {blame.value}" for blame in Blame),
        "first error",
    )
    return [head, *(_row(row, games=audit["games"]) for row in audit["plies"])]


def told_figures(audit: Audit) -> list[tuple[str, str, str]]:
    """Over all plies: the figure, "-" where it is not known, what it is, and of what."""
    figures = audit_figures(audit)
    if "flawless_games" in figures:
        figures["games_with_errors"] = 1 - figures["flawless_games"]
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
        f"{name}: {audit['games']:,} games of self-play. In {figures['contradictions']:.1%} of their positions the "
        f"game did not end as perfect play would have it.\n"
        f"First error of a game: {thrown}; no error: {figures['flawless_games']:.1%}.\n"
        f"Errors per game: {figures['throws_per_game']:.2f}, of which exploration {exploring:.2f}, the search "
        f"{figures['blame_search']:.2f}.\n"
        f"Wrong sign, in samples that perfect play wins or loses: {wrong or 'not known'}.\n"
        f"Distinct openings per game: {figures['distinct_openings']:.2f}; repeated positions: "
        f"{figures['repeated_positions']:.1%}."
    )
