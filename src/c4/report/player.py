"""The page of a report: one player or several, against perfect play. Plain data in, HTML out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

from c4.evaluation.report import Report
from c4.evaluation.seeds import over_seeds, seed_words
from c4.games import game_spec
from c4.report.boards import board, game_board
from c4.report.chart import (
    BROAD,
    NARROW,
    Axis,
    Point,
    Row,
    Series,
    bars,
    budget_axis,
    lines,
    place_of,
    ply_axis,
    shares,
)
from c4.report.curves import ERRORS, Rows, error_curves, loss_curves, strength_curve
from c4.report.figures import error_rows, figure_rows, seed_rows
from c4.report.page import card, gallery, heading, legend, numbers, sheet, tile
from c4.report.picture import Picture
from c4.report.selfplay import audit_cards, course_cards
from c4.report.style import budget_colour
from c4.report.table import Cell, html_table
from c4.report.words import budget_name, error_of, interval, mistake_words, percent, search_words, short_budget

PLAYERS = ("blue", "magenta", "green", "violet", "gold", "slate")  # side by side
NOTES = (
    "<p><b>Value-preserving</b>: the move keeps the sign of the best score; a slower win is no mistake. "
    "<b>Distance-optimal</b>: the move has the best score. <b>Decisive</b>: some legal move loses value. "
    "<b>Policy cross-entropy</b>: with the even distribution over the n moves that keep the value, so it cannot be "
    "less than ln n; what lies above that is zero for a policy that is even over all of them and gives nothing to "
    "others, and large for a search that settles on one of them, since a move without a visit counts as 10⁻⁹. "
    "Intervals are Wilson's for rates, normal for means, 95 %.</p>"
)


def player_page(reports: Sequence[Report], *, curves: Mapping[str, Rows], facts: Mapping[str, str]) -> str:
    graded = [report for report in reports if report["sets"]]
    parts = [_tile(report) for report in reports]
    parts += [_seeds_card(group) for group in over_seeds(graded)]
    if graded:
        parts += [_sets_card(graded), *_budget_card(graded)]
    for report in reports:
        parts += [heading(report["name"])] if len(reports) > 1 else []
        parts += _cards(report, rows=curves.get(report["name"], {}))
    return sheet("Against perfect play", kicker=reports[0]["game"], parts=parts, facts=facts, notes=NOTES)


def _cards(report: Report, *, rows: Rows) -> Iterable[str]:
    if report["sets"]:
        yield card(
            "Where in the game it errs",
            _by_ply(report, "value_preserving"),
            note="Share of positions whose value is given away, by how far the game has gone.",
        )
        yield _calibration_card(report)
        yield card(
            "How far is the end?",
            _by_ply(report, "moves_left_mae"),
            note="Error of the plies left against the distance under perfect play on both sides.",
        )
        yield from _search_cards(report)
        yield _ablation_card(report)
    yield _duel_card(report)
    yield from course(rows)
    yield from course_cards(rows)
    if audit := report.get("selfplay"):
        yield from audit_cards(audit, game=report["game"])
    if report["sets"]:
        yield _mistakes_card(report)
        yield _figures_card(report)


def course(rows: Rows) -> Iterable[str]:
    """How the run went that a player comes from."""
    told = (
        ("How it learned", error_curves(rows), "Moves that gave the value away while the run trained."),
        ("What it learned from", loss_curves(rows), "Losses of the heads."),
        ("Against rollouts", strength_curve(rows), "Levels of pure Monte Carlo beaten in every game."),
    )
    return [card(title, *drawn, note=note) for title, drawn, note in told if drawn]


def _tile(report: Report) -> str:
    """Who it is, and how often it keeps the value at each budget."""
    figures = report.get("overall", {})
    told = numbers(
        (percent(figure["value_preserving"]["value"]), budget_name(int(budget)), interval(figure["value_preserving"]))
        for budget, figure in figures.items()
    )
    lines = [report[key]["line"] for key in ("duel", "baseline") if key in report]
    count = next((figure["positions"] for figure in figures.values()), 0)
    what = f"Share of {count:,} positions in which its move keeps the game's value, with the 95 % interval"
    return tile(
        report["name"], told, " ".join(lines), note=what if figures else "",
        facts={**report.get("made", {}), "search": search_words(report["search"])},
    )  # fmt: skip


def _sets_card(reports: Sequence[Report]) -> str:
    """Errors by set and budget: the table that other projects publish."""
    owner = "{}" if len(reports) > 1 else ""
    head = [
        Cell(text=budget_name(int(budget)), small=owner.format(report["name"]))
        for report in reports
        for budget in report["overall"]
    ]
    sides = [error_rows(report) for report in reports]
    rows: list[list[str | Cell]] = [
        [name, *(cell for side in sides for cell in side[row][1])] for row, (name, _) in enumerate(sides[0])
    ]
    return card(
        "Moves that give the value away",
        html_table(["", *head], rows),
        note="Per cent of positions, with the 95 % interval. A slower win is no mistake here. Darker: more errors.",
        wide=True,
    )


def _seeds_card(group: Mapping[str, Any]) -> str:
    """Of a setting of which several seeds are there."""
    rows: list[list[str | Cell]] = [
        [f"{title}, {budget_name(budget)}", *(Cell(text=cell) for cell in cells)]
        for title, budget, cells in seed_rows(group)
    ]
    return card(
        f"Over {len(group['seeds'])} seeds",
        html_table(["", *group["figures"]], rows),
        note=f"Mean ± standard deviation of runs that differ by their seed alone: {seed_words(group)}.",
        wide=True,
    )


def _figures_card(report: Report) -> str:
    head = ["", *(budget_name(int(budget)) for budget in report["overall"])]
    return card(
        "Every figure",
        html_table(head, [[name, *cells] for name, cells in figure_rows(report)]),
        note="Over all sets. Policy, value and moves left are the network's own when bare, the search's otherwise.",
        wide=True,
    )


def _budget_card(reports: Sequence[Report]) -> Iterable[str]:
    """Error against budget, one line a report: what thinking buys."""
    if len(reports[0]["overall"]) < 2:
        return
    several = len(reports) > 1
    told = [(report["name"] if several else "all sets", report, "value_preserving") for report in reports]
    if not several:
        told.append(("decisive", reports[0], "value_preserving_decisive"))
    series = [
        Series(
            label=label, thing=colour,
            points=[
                _error_point(place_of(int(budget)), figures[key], note=budget_name(int(budget)))
                for budget, figures in report["overall"].items() if figures[key]["value"] is not None
            ],
        )
        for (label, report, key), colour in zip(told, cycle(PLAYERS), strict=False)
    ]  # fmt: skip
    drawn = lines(
        series, x=budget_axis([int(budget) for budget in reports[0]["overall"]]),
        y=Axis(label=ERRORS, reaches=(0.0, 1.0)), about="error against the number of simulations",
        size=BROAD if several else NARROW,
    )  # fmt: skip
    decisive = "" if several else " Decisive: some legal move gives the value away."
    yield card("What thinking buys", drawn, note=f"Bands are 95 % intervals.{decisive}", wide=several)


def _by_ply(report: Report, key: str) -> Picture:
    """One line a budget, with its intervals."""
    is_error = key == "value_preserving"
    told = list(report["by_ply"].items()) if is_error else _ends(report["by_ply"])
    series = [_budget_series(budget, [_band_point(band, key, budget) for band in bands]) for budget, bands in told]
    plies = ply_axis(game_spec(report["game"]).max_plies)
    y = Axis(label=ERRORS, reaches=(0.0, 1.0)) if is_error else Axis(label="mean error (plies)", reaches=(0.0,))
    return lines(series, x=plies, y=y, about=f"{y.label} by ply, one line a budget")


def _band_point(band: Mapping[str, Any], key: str, budget: str) -> Point:
    middle, note = (band["from"] + band["to"]) / 2, f"plies {band['from']} to {band['to']}, {budget_name(int(budget))}"
    if key == "value_preserving":
        return _error_point(middle, band[key], note=note)
    value, low, high = (band[key][name] for name in ("value", "low", "high"))
    return Point(x=middle, y=value, low=low, high=high, note=f"{note}: {value:.1f}")


def _error_point(x: float, figure: Mapping[str, Any], *, note: str) -> Point:
    error, low, high = error_of(figure)
    return Point(x=x, y=error, low=low, high=high, note=f"{note}: {error:.1f} % ({low:.1f} to {high:.1f})")


def _calibration_card(report: Report) -> str:
    return card(
        "Does it know what it does not know?",
        calibration_picture(report),
        note="The value as an expected score (0 lost, 1/2 drawn, 1 won) against the truth; larger marks: more "
        "positions. On the diagonal, it is as sure as it is right.",
    )


def calibration_picture(report: Report) -> Picture:
    """Whether the value is as sure as it is right."""
    series = [Series(label="", points=[Point(x=0, y=0), Point(x=1, y=1)], faint=True, marked=False)]  # the diagonal
    for budget, figures in _ends(report["overall"]):
        most = max(one["count"] for one in figures["calibration"])
        points = [
            Point(
                x=one["predicted"], y=one["actual"], weight=one["count"] / most,
                note=f"{one['count']} positions: expected {one['predicted']:.2f}, true {one['actual']:.2f}",
            )
            for one in figures["calibration"]
        ]  # fmt: skip
        series.append(_budget_series(budget, points))
    x, y = (Axis(label=label, reaches=(0.0, 1.0)) for label in ("expected score", "true score"))
    return lines(series, x=x, y=y, about="calibration of the value")


def _budget_series(budget: str, points: Sequence[Point]) -> Series:
    simulations = int(budget)
    return Series(label=short_budget(simulations), thing=budget_colour(simulations), points=points)


def _search_cards(report: Report) -> Iterable[str]:
    audit = report["search_audit"]
    count = sum(audit[key] for key in ("right_throughout", "saved", "misled", "wrong_at_both"))
    parts = [
        ("right bare and searched", audit["right_throughout"] / count, "slate_soft"),
        ("wrong bare, put right by search", audit["saved"] / count, "green"),
        ("right bare, led astray by search", audit["misled"] / count, "gold"),
        ("wrong bare and searched", audit["wrong_at_both"] / count, "red"),
    ]
    yield card(
        "What search changes",
        shares(parts, about="what search changes"),
        legend((f"{share:.2%}", label, colour) for label, share, colour in parts),
        note=f"Bare network against {audit['to']:,} simulations, all sets.",
    )
    reached, points = 0.0, []
    for one in audit["until_right"]:
        reached += 100 * one["share"]
        note = f"{reached:.1f} % right for good by {one['simulations']:,} simulations"
        points.append(Point(x=place_of(one["simulations"]), y=reached, note=note))
    if len(points) > 1:
        drawn = lines(
            [Series(label="", thing="green", points=points)],
            x=budget_axis([one["simulations"] for one in audit["until_right"]]),
            y=Axis(label="right for good (%)", reaches=(100.0,)),
            about="simulations until right for good",
        )
        yield card(
            "How long until it sees",
            drawn,
            note="Decisive positions whose move is right from this many simulations on.",
        )


def _ablation_card(report: Report) -> str:
    result = report.get("ablation")
    if not result:
        return ""
    told = (
        ("wins sooner by (plies)", "wins_sooner_by", 1, "green"),
        ("loses later by (plies)", "loses_later_by", 1, "orange"),
        ("value-preserving (points)", "value_preserving_change", 100, "blue"),
        ("distance-optimal (points)", "distance_optimal_change", 100, "magenta"),
    )
    rows = [_change(label, result[key], scale=scale, colour=colour) for label, key, scale, colour in told]
    axis = Axis(label="change when the moves-left utility is on")
    return card(
        "What the moves-left head is good for",
        bars(rows, axis=axis, about="effect of the moves-left utility"),
        note=f"The same network at {result['simulations']:,} simulations with mlh_slope 0 and {result['mlh_slope']:g} "
        f"(mlh_cap {result['mlh_cap']:g}). Lengths where both keep the value; whiskers are 95 % intervals.",
    )


def _change(label: str, figure: Mapping[str, Any], *, scale: float, colour: str) -> Row:
    value = scale * (figure["value"] or 0.0)
    low, high = (None if figure[key] is None else scale * figure[key] for key in ("low", "high"))
    said = f"{value:+.2f}".replace("-", "−")
    return Row(label=label, value=value, low=low, high=high, colour=colour, said=said, note=f"{label}: {said}")


def _duel_card(report: Report) -> str:
    """The two games against perfect play, each stone with its ply."""
    duel = report.get("duel", {})
    if not duel.get("played"):
        return ""
    games = [
        (game_board(report["game"], duel[seat]["actions"]), [caption])
        for seat, caption in (("first", "Moving first (odd plies)"), ("second", "Moving second (even plies)"))
    ]
    note = f"{duel['line']} It had {duel['simulations']:,} simulations a move."
    return card("Two games against perfect play", gallery(games), note=note)


def _mistakes_card(report: Report) -> str:
    worst, game = report["worst"], report["game"]
    if not worst:
        return card("Mistakes", "<p class='none'>None at any budget.</p>", wide=True)
    return card(
        "The worst mistakes",
        gallery((board(one, game=game), mistake_words(one, game=game)) for one in worst),
        note=f"At {budget_name(worst[0]['simulations'])}. Over each column the exact score: + wins, the larger the "
        "sooner, = draws, − loses. ▼ is what was played, the circle where it lands; bars below are the policy.",
        wide=True,
    )


def _ends(figures: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The bare network and the largest budget."""
    items = list(figures.items())
    return items if len(items) < 2 else [items[0], items[-1]]
