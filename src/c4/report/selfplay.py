"""What is told of self-play: what is wrong at each ply, where errors come from, how it went; the page of mode=audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from c4.evaluation.selfplay_audit import Audit, Blame
from c4.games import game_spec
from c4.report.audit_table import TARGETS, comparison_rows, ply_rows, told_figures
from c4.report.chart import Axis, Point, Series, lines, ply_axis
from c4.report.curves import WRONG, Rows, blame_curves, target_curves
from c4.report.page import card, folded, heading, numbers, sheet, tile
from c4.report.table import Cell, html_table
from c4.report.words import ERRORS

TITLE = "Self-play against perfect play"
LEAST_CASES = 20  # a share of fewer is noise
PLY_NOTE = (
    "Per cent. Wrong result, error: of the games that reached the ply. Sign: of the samples there that perfect play "
    "wins or loses, those whose target has the other sign. First error: of all games."
)


def audit_page(
    audits: Mapping[str, Sequence[Audit]], *, game: str, curves: Mapping[str, Rows], facts: Mapping[str, str]
) -> str:
    """Each player's audits (kept by its run, played now; `about` says which) and the metrics of its run."""
    parts = [_side_by_side(audits)]
    for name, found in audits.items():
        parts.append(heading(name))
        for audit in found:
            parts += [*audit_cards(audit, game=game), _plies(audit)]
        parts += course_cards(curves.get(name, {}))
    return sheet(TITLE, kicker=f"{game}: {', '.join(audits)}", parts=parts, facts=facts)


def audit_cards(audit: Audit, *, game: str) -> list[str]:
    """Nothing where no game was audited."""
    if not audit["games"]:
        return []
    told = card(TITLE, numbers(told_figures(audit)), note=str(audit.get("about", "")), wide=True)
    return [told, _wrong_card(audit, game=game), _throws_card(audit, game=game)]


def course_cards(rows: Rows) -> list[str]:
    """Who threw games and how true targets were while the run trained; nothing where it has audited none."""
    told = (
        ("Errors in self-play", blame_curves(rows), "Errors per game of self-play, by cause."),
        (
            "Wrong targets",
            target_curves(rows),
            "Samples that perfect play wins or loses: how many have a target of the other sign.",
        ),
    )
    return [card(title, *drawn, note=note) for title, drawn, note in told if drawn]


def _wrong_card(audit: Audit, *, game: str) -> str:
    counts = {
        name.replace("_", " "): [
            (row["ply"], row["targets"][name]["wrong_sign"], row["targets"][name]["settled"])
            for row in audit["plies"]
            if row["targets"]
        ]
        for name in (TARGETS if _has_traces(audit) else TARGETS[:2])
    }
    return _by_ply(
        "Wrong targets by ply",
        counts,
        game=game,
        label=WRONG,
        note="Samples that perfect play wins or loses: how many have a target of the other sign, by how far the game "
        "had gone.",
    )


def _throws_card(audit: Audit, *, game: str) -> str:
    counts = {
        blame.value: [(row["ply"], row["throws"][blame.value], row["games"]) for row in audit["plies"]]
        for blame in Blame
    }
    counts["first error"] = [(row["ply"], sum(row["first_throws"].values()), audit["games"]) for row in audit["plies"]]
    return _by_ply(
        "Errors in self-play by ply",
        counts,
        game=game,
        label=ERRORS,
        note="Of the games that reached a ply, those whose move there was an error, by cause. First error: of all "
        "games, those whose first error was made there.",
    )


def _by_ply(
    title: str, counts: Mapping[str, Sequence[tuple[int, float, float]]], *, game: str, label: str, note: str
) -> str:
    series = [one for name, rows in counts.items() if (one := _series(name, rows)).points]
    if not series:
        return card(title, f"<p class='none'>Too few games: no ply has {LEAST_CASES} cases.</p>", note=note)
    plies = ply_axis(game_spec(game).max_plies)
    drawn = lines(series, x=plies, y=Axis(label=label, reaches=(0.0, 5.0)), about=f"{title.lower()}, by ply")
    return card(title, drawn, note=note)


def _side_by_side(audits: Mapping[str, Sequence[Audit]]) -> str:
    """Of one audit the cards tell enough."""
    named = [(name, audit) for name, found in audits.items() for audit in found]
    if len(named) < 2:
        return ""
    head: list[str | Cell] = ["", *(Cell(text=name, small=audit["about"]) for name, audit in named)]
    return tile("Side by side", html_table(head, comparison_rows([audit for _, audit in named])))


def _plies(audit: Audit) -> str:
    """Shaded: per cent of what should not be."""
    head, *rows = ply_rows(audit)
    shaded = [[*row[:2], *(cell if cell in {"-", "0.0"} else _shaded(cell) for cell in row[2:])] for row in rows]
    return card("Ply by ply", folded("The figures of every ply", html_table(head, shaded)), note=PLY_NOTE, wide=True)


def _shaded(per_cent: str) -> Cell:
    return Cell(text=per_cent, shade=float(per_cent) / 100)


def _has_traces(audit: Audit) -> bool:
    known = [row["targets"] for row in audit["plies"] if set(TARGETS) <= row["targets"].keys()]
    return any(one["trace"] != one["result"] for one in known)


def _series(label: str, counts: Sequence[tuple[int, float, float]]) -> Series:
    """Where some plies in between are left out, marks tell those that are known from the line between them."""
    points = [
        Point(x=ply, y=100 * count / of, note=f"ply {ply}: {count:g} of {of:g}")
        for ply, count, of in counts
        if of >= LEAST_CASES
    ]
    gaps = any(later.x - earlier.x > 1 for earlier, later in pairwise(points))
    return Series(label=label, points=points, marked=gaps)
