"""The cards of the report page that tell of self-play: what is wrong at each ply, who threw the games, how it went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from c4.evaluation.report import Report
from c4.evaluation.selfplay_audit import Audit, Blame, audit_figures
from c4.native._core import game_info
from c4.report.audit_table import TARGETS
from c4.report.plots import Point, Series, chart, counted_axis, linear_axis
from c4.report.words import card, percent

NAMES = {"result": "result", "root_value": "root value", "trace": "trace"}
LEAST_CASES = 20  # a share of fewer is noise


def selfplay_cards(report: Report) -> str:
    """Nothing where no audit is known."""
    audit = report.get("selfplay")
    return audit_cards(audit, game=report["game"]) if audit else ""


def audit_cards(audit: Audit, *, game: str) -> str:
    """Nothing where no game was audited."""
    if not audit["games"]:
        return ""
    plies = game_info(game).max_plies
    return _numbers_card(audit) + _wrong_card(audit, plies=plies) + _throws_card(audit, plies=plies)


def _numbers_card(audit: Audit) -> str:
    figures = audit_figures(audit)
    exploring = sum(figures[f"blame_{blame.value}"] for blame in Blame if blame is not Blame.SEARCH)
    numbers = [
        (percent(figures["contradictions"]), "untrue results", "of the positions"),
        (percent(figures["flawless_games"]), "flawless games", "no move gives the value away"),
        (f"{exploring:.2f}", "thrown by exploration", "moves a game: opening, temperature, noise"),
        (f"{figures['blame_search']:.2f}", "thrown by the search", "moves a game"),
        (f"{figures['distinct_openings']:.2f}", "distinct openings", "a game"),
        (percent(figures["repeated_positions"]), "repeated positions", "within a generation"),
    ]
    tiles = "".join(
        f"<div class='number'><b>{value}</b><span>{what}</span><small>{of}</small></div>" for value, what, of in numbers
    )
    about = escape(str(audit.get("about", "")))
    return card("Its own games against perfect play", f"<div class='numbers'>{tiles}</div>", about, wide=True)


def _wrong_card(audit: Audit, *, plies: int) -> str:
    lines = [(name, target) for name, target in NAMES.items() if name != "trace" or _has_traces(audit)]
    learned = [row for row in audit["plies"] if row["targets"]]
    series = [
        _series(label, style, [(row["ply"], *_wrong(row["targets"][name])) for row in learned])
        for style, (name, label) in enumerate(lines)
    ]
    figures = audit_figures(audit)
    known = [(label, figures[f"{name}_wrong_sign"]) for name, label in lines if f"{name}_wrong_sign" in figures]
    overall = ", ".join(f"{label} {percent(share)}" for label, share in known)
    return card(
        "What its own games teach it wrongly",
        chart(
            series,
            x=counted_axis("plies played", to=plies, parts=8),
            y=linear_axis("wrong sign (%)", [0.0, 10.0, *_heights(series)]),
            about="targets of wrong sign by ply",
        ),
        "Won and lost positions that were learned from, by how far the game had gone: how often each target says "
        f"something else than perfect play. Over all plies: {overall}.",
    )


def _wrong(counts: Mapping[str, float]) -> tuple[float, float]:
    return counts["wrong_sign"], counts["settled"]


def _throws_card(audit: Audit, *, plies: int) -> str:
    series = [
        _series(blame.value, style, [(row["ply"], row["throws"][blame.value], row["games"]) for row in audit["plies"]])
        for style, blame in enumerate(Blame)
    ]
    first = [(row["ply"], sum(row["first_throws"].values()), audit["games"]) for row in audit["plies"]]
    series.append(_series("first", len(Blame), first))
    return card(
        "Where its own games are thrown",
        chart(
            series,
            x=counted_axis("plies played", to=plies, parts=8),
            y=linear_axis("moves (%)", [0.0, 5.0, *_heights(series)]),
            about="moves that gave the value away by ply and cause",
        ),
        "Share of the games that reached a ply in which its move gave the value away, by cause; first: share of all "
        "games that were first thrown there.",
    )


def target_curves(rows: Mapping[int, Mapping[str, float]]) -> str:
    """How wrong the targets were while the run trained."""
    series: list[Series] = []
    for style, (name, label) in enumerate(NAMES.items()):
        metric = f"truth/selfplay/{name}_wrong_sign"
        points = [Point(x=generation, y=100 * row[metric]) for generation, row in rows.items() if metric in row]
        if points and not any(points == one.points for one in series):  # without traces they are the results
            series.append(Series(label=label, style=style, points=points, marked=len(points) == 1))
    if not series:
        return ""
    return card(
        "How true its targets were",
        chart(
            series,
            x=linear_axis("generation", [float(generation) for generation in rows]),
            y=linear_axis("wrong sign (%)", [0.0, *_heights(series)]),
            about="targets of wrong sign while the run trained",
        ),
        "Samples from won and lost positions whose target has not the sign of the true result, by generation.",
    )


def _has_traces(audit: Audit) -> bool:
    known = [row["targets"] for row in audit["plies"] if set(TARGETS) <= row["targets"].keys()]
    return any(one["trace"] != one["result"] for one in known)


def _series(label: str, style: int, counts: Sequence[tuple[int, float, float]]) -> Series:
    """Where some plies in between are left out, marks tell those that are known from the line between them."""
    points = [_point(ply, count, of) for ply, count, of in counts if of >= LEAST_CASES]
    gaps = any(later.x - earlier.x > 1 for earlier, later in pairwise(points))
    return Series(label=label, style=style, points=points, marked=gaps)


def _point(ply: int, count: float, of: float) -> Point:
    return Point(x=ply, y=100 * count / of, note=f"ply {ply}: {count:g} of {of:g}")


def _heights(series: Sequence[Series]) -> list[float]:
    return [point.y for one in series for point in one.points]
