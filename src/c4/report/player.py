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
from c4.report.curves import Rows, blind_curve, error_curves, loss_curves, strength_curve
from c4.report.figures import error_rows, figure_rows, seed_rows
from c4.report.page import card, command, gallery, heading, legend, numbers, sheet, tile
from c4.report.picture import Picture
from c4.report.provenance import page_command, position_link
from c4.report.selfplay import audit_cards, course_cards
from c4.report.style import budget_colour
from c4.report.table import Cell, html_table
from c4.report.words import (
    ERRORS,
    PACE,
    budget_name,
    error_of,
    failing,
    interval,
    mistake_words,
    percent,
    short_budget,
    turned,
)

PLAYERS = ("blue", "magenta", "green", "violet", "gold", "slate")  # side by side
NOTES = (
    "<p>Lower is better everywhere. <b>Error</b>: a move that turns a win into a draw or a loss, or a draw into a "
    "loss; a slower win is not one. <b>Errors, slow wins, quick losses</b>: every move whose exact score falls short. "
    "<b>Decisive</b>: a position in which some legal move is an error. <b>Bare network</b>: without search, the first "
    "choice of its policy. <b>Policy cross-entropy</b>: with the even distribution over the n moves that are no "
    "errors, so its minimum is ln n; a search that settles on one of several right moves lies far above it, since a "
    "move without a visit counts as 10⁻⁹. Intervals are 95 %: Wilson's for shares, normal for means.</p>"
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
            note="Errors by how far the game has gone. Bands are 95 % intervals.",
        )
        yield _calibration_card(report)
        yield card(
            "Does it know how far away the end is?",
            _by_ply(report, "moves_left_mae"),
            note="Error of the predicted plies left, against the length of the game under perfect play.",
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
        ("How it learned", error_curves(rows), "Errors while the run trained. Bands are 95 % intervals."),
        (
            "Right moves it does not see",
            blind_curve(rows),
            "Positions in which all right moves together have less than 1 % of the policy: a search hardly tries them.",
        ),
        ("Losses", loss_curves(rows), "What training minimised, head by head."),
        ("Strength against rollouts", strength_curve(rows), "Levels of pure Monte Carlo that it beat in every game."),
    )
    return [card(title, *drawn, note=note) for title, drawn, note in told if drawn]


def _tile(report: Report) -> str:
    """Who it is, and how often it errs at each budget."""
    figures = report.get("overall", {})
    told = numbers(
        (percent(wrong["value"]), budget_name(int(budget)), interval(wrong))
        for budget, figure in figures.items()
        if (wrong := failing(figure["value_preserving"]))
    )
    lines = [report[key]["line"] for key in ("duel", "baseline") if key in report]
    count = next((figure["positions"] for figure in figures.values()), 0)
    what = f"Errors in {count:,} positions of known truth, with 95 % intervals"
    return tile(
        report["name"], told, " ".join(lines), note=what if figures else "",
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
        "Errors by set",
        html_table(["", *head], rows),
        note="Per cent of positions, with 95 % intervals. The darker, the more errors.",
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
        note=f"Mean ± standard deviation of runs that differ only in their seed: {seed_words(group)}.",
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
        for (label, report, key), colour in zip(told, cycle(PLAYERS if several else ("",)), strict=False)
    ]  # fmt: skip
    drawn = lines(
        series, x=budget_axis([int(budget) for budget in reports[0]["overall"]]),
        y=Axis(label=ERRORS, reaches=(0.0, 1.0)), about="errors against the number of simulations",
        size=BROAD if several else NARROW,
    )  # fmt: skip
    decisive = "" if several else " Decisive: positions in which some legal move is an error."
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
        "Is its confidence justified?",
        calibration_picture(report),
        note="The value as an expected score (0 a loss, 1/2 a draw, 1 a win) against the true one. Perfect calibration "
        "is the diagonal; larger marks stand for more positions.",
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
        ("right without and with search", audit["right_throughout"] / count, "slate_soft"),
        ("error corrected by search", audit["saved"] / count, "green"),
        ("error made by search", audit["misled"] / count, "gold"),
        ("error without and with search", audit["wrong_at_both"] / count, "red"),
    ]
    yield card(
        "What search changes",
        shares(parts, about="what search changes"),
        legend((percent(share, digits=2), label, colour) for label, share, colour in parts),
        note=f"The bare network against {audit['to']:,} simulations, over all sets.",
    )
    wrong, points = 100.0, []
    for one in audit["until_right"]:
        wrong = max(0.0, wrong - 100 * one["share"])
        note = f"{wrong:.1f} % not yet right for good at {one['simulations']:,} simulations"
        points.append(Point(x=place_of(one["simulations"]), y=wrong, note=note))
    if len(points) > 1:
        drawn = lines(
            [Series(label="", thing="decisive", points=points)],
            x=budget_axis([one["simulations"] for one in audit["until_right"]]),
            y=Axis(label="not yet right for good (%)", reaches=(0.0, 1.0)),
            about="decisive positions not yet right for good",
        )
        yield card(
            "How much search it takes",
            drawn,
            note="Decisive positions in which this many simulations, or some larger number of them, still err.",
        )


def _ablation_card(report: Report) -> str:
    result = report.get("ablation")
    if not result:
        return ""
    told = (
        ("wins sooner by (plies)", result["wins_sooner_by"], 1),
        ("loses later by (plies)", result["loses_later_by"], 1),
        ("errors (points)", turned(result["value_preserving_change"]), 100),
        (f"{PACE} (points)".replace(", slow", ",\nslow"), turned(result["distance_optimal_change"]), 100),
    )
    rows = [_change(label, figure, scale=scale) for label, figure, scale in told]
    axis = Axis(label="change when the moves-left utility is on")
    return card(
        "What the moves-left head is worth",
        bars(rows, axis=axis, about="effect of the moves-left utility"),
        note=f"The same network at {result['simulations']:,} simulations, with mlh_slope {result['mlh_slope']:g} "
        f"(mlh_cap {result['mlh_cap']:g}) against 0. Plies are compared where neither errs; whiskers: 95 % intervals.",
    )


def _change(label: str, figure: Mapping[str, Any], *, scale: float) -> Row:
    value = scale * (figure["value"] or 0.0)
    low, high = (None if figure[key] is None else scale * figure[key] for key in ("low", "high"))
    said = f"{value:+.2f}".replace("-", "−")
    return Row(label=label, value=value, low=low, high=high, colour="slate", said=said, note=f"{label}: {said}")


def _duel_card(report: Report) -> str:
    """The two games against perfect play, each stone with its ply."""
    duel = report.get("duel", {})
    if not duel.get("played"):
        return ""
    games = [
        (game_board(report["game"], duel[seat]["actions"]), [caption])
        for seat, caption in (("first", "Moving first: odd plies"), ("second", "Moving second: even plies"))
    ]
    note = f"{duel['line']} It had {duel['simulations']:,} simulations per move."
    return card("Two games against perfect play", gallery(games), note=note)


def _mistakes_card(report: Report) -> str:
    worst, game = report["worst"], report["game"]
    if not worst:
        return card("The worst errors", "<p class='none'>None at any budget.</p>", wide=True)
    return card(
        "The worst errors",
        gallery(
            [(board(one, game=game), mistake_words(one, game=game)) for one in worst],
            links=[position_link(game, one["moves"]) for one in worst],
        ),
        "<p class='note after'>The positions are links to the page that this command starts:</p>",
        command(page_command(report.get("made", {}))),
        note=f"{budget_name(worst[0]['simulations']).capitalize()}. Numbers are exact scores: + wins, − loses, the "
        "further from 0 the sooner; = draws. ▼ marks the move that was played, the dashed circle where it lands, bars "
        "below the policy. The value is the player's own: from −1, lost, to +1, won.",
        wide=True,
    )


def _ends(figures: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The bare network and the largest budget."""
    items = list(figures.items())
    return items if len(items) < 2 else [items[0], items[-1]]
