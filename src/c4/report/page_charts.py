"""The charts of the report page, each a card."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from c4.evaluation.report import Report
from c4.native._core import Position, game_info
from c4.report.boards import board, game_board, score_text
from c4.report.plots import Axis, Point, Series, bars, chart, counted_axis, linear_axis, log_axis, stacked
from c4.report.words import budget_name, card, short_budget

Rows = Mapping[int, Mapping[str, float]]
"""metrics.csv of a run: generation -> metric -> value."""


def budget_chart(reports: Sequence[Report]) -> str:
    """Error against budget, one line a report: what thinking buys."""
    if not reports or len(reports[0]["overall"]) < 2:
        return ""
    series = [
        Series(
            label=report["name"] if len(reports) > 1 else "all sets",
            style=index,
            points=[
                _error_point(max(int(budget), 0.5), figures["value_preserving"], note=budget_name(int(budget)))
                for budget, figures in report["overall"].items()
            ],
        )
        for index, report in enumerate(reports)
    ]
    if len(reports) == 1:
        decisive = [
            _error_point(max(int(budget), 0.5), figures["value_preserving_decisive"], note=budget_name(int(budget)))
            for budget, figures in reports[0]["overall"].items()
            if figures["value_preserving_decisive"]["count"]
        ]
        series.append(Series(label="decisive", style=1, points=decisive))
    budgets = [max(float(budget), 0.5) for budget in reports[0]["overall"]]
    x = log_axis("simulations", budgets, names=lambda value: "bare" if value < 1 else f"{value:g}")
    y = _error_axis(series)
    drawing = chart(series, x=x, y=y, about="error against the number of simulations")
    about = "Bands are 95 % intervals."
    if len(reports) == 1:
        about += " Decisive: some legal move gives the value away."
    return card("What thinking buys", drawing, about)


def ply_chart(report: Report) -> str:
    series = [
        Series(
            label=short_budget(int(budget)),
            style=index,
            points=[
                _error_point(
                    (band["from"] + band["to"]) / 2,
                    band["value_preserving"],
                    note=f"plies {band['from']} to {band['to']}, {budget_name(int(budget))}",
                )
                for band in bands
            ],
        )
        for index, (budget, bands) in enumerate(report["by_ply"].items())
    ]
    x = _plies_axis(report)
    return card(
        "Where in the game it errs",
        chart(series, x=x, y=_error_axis(series), about="error by ply, one line a budget"),
        "Share of positions whose value is given away, by how far the game has gone.",
    )


def calibration_chart(report: Report) -> str:
    """Whether the value is as sure as it is right."""
    calibrated = []
    for index, (budget, figures) in enumerate(_ends(report["overall"])):
        most = max(one["count"] for one in figures["calibration"])
        points = [
            Point(
                x=one["predicted"],
                y=one["actual"],
                weight=one["count"] / most,
                note=f"{one['count']} positions: expected {one['predicted']:.2f}, true {one['actual']:.2f}",
            )
            for one in figures["calibration"]
        ]
        calibrated.append(Series(label=short_budget(int(budget)), style=index, points=points))
    unit = linear_axis("expected score", [0.0, 1.0])
    calibration = chart(
        calibrated, x=unit, y=linear_axis("true score", [0.0, 1.0]), about="calibration of the value", diagonal=True
    )
    return card(
        "Does it know what it does not know?",
        calibration,
        "The value as an expected score (0 lost, 1/2 drawn, 1 won) against the truth; larger marks: more positions. "
        "On the diagonal, it is as sure as it is right.",
    )


def moves_left_chart(report: Report) -> str:
    """The moves-left head against the true distance."""
    lefts = [
        Series(
            label=short_budget(int(budget)),
            style=index,
            points=[
                _plain_point((band["from"] + band["to"]) / 2, band["moves_left_mae"], note=f"from ply {band['from']}")
                for band in report["by_ply"][budget]
            ],
        )
        for index, (budget, _) in enumerate(_ends(report["overall"]))
    ]
    left_chart = chart(
        lefts,
        x=_plies_axis(report),
        y=linear_axis("mean error (plies)", _highs(lefts), zero=True),
        about="error of the moves-left head by ply",
    )
    return card(
        "How far is the end?",
        left_chart,
        "Error of the plies left against the distance under perfect play on both sides.",
    )


def search_cards(report: Report) -> str:
    audit = report["search_audit"]
    count = sum(audit[key] for key in ("right_throughout", "saved", "misled", "wrong_at_both"))
    known = audit["saved"] + audit["misled"] + audit["wrong_at_both"]
    shares = [
        ("right bare and searched", (count - known) / count, "still-right"),
        ("wrong bare, put right by search", audit["saved"] / count, "saved"),
        ("right bare, led astray by search", audit["misled"] / count, "misled"),
        ("wrong bare and searched", audit["wrong_at_both"] / count, "still-wrong"),
    ]
    legend = "".join(f"<li class='{name}'><b>{share:.2%}</b> {label}</li>" for label, share, name in shares)
    reached, points = 0.0, []
    for one in audit["until_right"]:
        reached += one["share"]
        note = f"{reached:.1%} right for good by {one['simulations']} simulations"
        points.append(Point(x=max(one["simulations"], 0.5), y=100 * reached, note=note))
    drawing = stacked(shares, about="what search changes") + f"<ul class='legend'>{legend}</ul>"
    cards = card("What search changes", drawing, f"Bare network against {audit['to']} simulations, all sets.")
    if len(points) > 1:
        x = log_axis(
            "simulations", [point.x for point in points], names=lambda value: "bare" if value < 1 else f"{value:g}"
        )
        low = max(0.0, min(point.y for point in points) - 5)
        y = linear_axis("right for good (%)", [low, 100.0])
        line = chart([Series(label="", style=2, points=points)], x=x, y=y, about="simulations until right for good")
        cards += card(
            "How long until it sees", line, "Decisive positions whose move is right from this many simulations on."
        )
    return cards


def ablation_chart(report: Report) -> str:
    result = report.get("ablation")
    if not result:
        return ""
    rows = [
        ("wins sooner by (plies)", _plain_point(0, result["wins_sooner_by"], scale=1), 2),
        ("loses later by (plies)", _plain_point(0, result["loses_later_by"], scale=1), 0),
        ("value-preserving (points)", _plain_point(0, result["value_preserving_change"], scale=100), 1),
        ("distance-optimal (points)", _plain_point(0, result["distance_optimal_change"], scale=100), 3),
    ]
    flat = [(label, Point(x=p.y, y=0, low=p.low, high=p.high, note=f"{p.y:+.2f}"), style) for label, p, style in rows]
    values = [value for _, point, _ in flat for value in (point.x, point.low or 0.0, point.high or 0.0)]
    axis = linear_axis("change when the moves-left utility is on", [0.0, *values])
    return card(
        "What the moves-left head is good for",
        bars(flat, axis=axis, about="effect of the moves-left utility"),
        f"The same network at {result['simulations']} simulations with mlh_slope 0 and {result['mlh_slope']:g} "
        f"(mlh_cap {result['mlh_cap']:g}). Lengths where both keep the value; whiskers are 95 % intervals.",
    )


def duel_boards(report: Report) -> str:
    """The two games against perfect play, each stone with its ply."""
    duel = report.get("duel", {})
    if not duel.get("played"):
        return ""
    figures = "".join(
        f"<figure>{game_board(report['game'], duel[seat]['actions'])}<figcaption>{caption}</figcaption></figure>"
        for seat, caption in (("first", "Moving first (odd plies)"), ("second", "Moving second (even plies)"))
    )
    return card(
        "Two games against perfect play",
        f"<div class='gallery'>{figures}</div>",
        f"{escape(duel['line'])} It had {duel['simulations']:,} simulations a move.",
    )


def worst_boards(report: Report) -> str:
    if not report["worst"]:
        return card("Mistakes", "<p class='none'>None at any budget.</p>", "", wide=True)
    in_a_row = game_info(report["game"]).in_a_row
    budget = report["worst"][0]["simulations"]
    boards = "".join(
        f"<figure>{board(one, in_a_row=in_a_row)}<figcaption>{_caption(one, game=report['game'])}</figcaption></figure>"
        for one in report["worst"]
    )
    return card(
        "The worst mistakes",
        f"<div class='gallery'>{boards}</div>",
        f"At {budget_name(budget)}. Over each column the exact score: + wins, the larger the sooner, = draws, − loses. "
        "▼ is what was played, the circle where it lands; bars below are the policy.",
        wide=True,
    )


def _caption(mistake: Mapping[str, Any], *, game: str) -> str:
    truth = {1: "won", 0: "drawn", -1: "lost"}
    played = mistake["scores"][mistake["played"]]
    outcome = truth[(played > 0) - (played < 0)]
    name = Position(game, mistake["moves"]).action_name(mistake["played"])
    mover = "first" if mistake["ply"] % 2 == 0 else "second"
    value = "" if mistake["value"] is None else f", thought {mistake['value']:+.2f}"
    return (
        f"<b>{truth[mistake['truth']]} → {outcome}</b> by {escape(name)} ({score_text(played)}){value}<br>"
        f"{mover} to move after <code>{escape(mistake['moves']) or 'nothing'}</code>"
    )


def training_charts(rows: Rows) -> str:
    """Curves of the run that a player comes from."""
    truth = _metric_series(rows, names=r"truth/value_preserving(_\d+)?", error=True)
    losses = _metric_series(rows, names=r"loss/.*")
    baseline = _metric_series(rows, names=r"baseline/strength")
    x = _generations_axis(rows)
    cards = []
    if truth:
        drawing = chart(truth, x=x, y=_error_axis(truth), about="error during training")
        cards.append(card("How it learned", drawing, "Moves that gave the value away while the run trained."))
    if losses:
        y = linear_axis("loss", _highs(losses), zero=True)
        cards.append(card("What it learned from", chart(losses, x=x, y=y, about="losses"), "Losses of the heads."))
    cards.append(blame_curves(rows))
    if baseline:
        y = linear_axis("levels", _highs(baseline), zero=True)
        drawing = chart(baseline, x=x, y=y, about="strength against rollouts during training")
        cards.append(card("Against rollouts", drawing, "Levels of pure Monte Carlo beaten in every game."))
    return "".join(cards)


def blame_curves(rows: Rows) -> str:
    """Nothing where a run has audited none of its games."""
    blame = _metric_series(rows, names=r"truth/selfplay/blame_.*")
    if not blame:
        return ""
    y = linear_axis("throws a game", _highs(blame), zero=True)
    drawing = chart(blame, x=_generations_axis(rows), y=y, about="who threw games of self-play")
    return card("Who throws its own games", drawing, "Moves of self-play that gave the value away, by cause.")


def _generations_axis(rows: Rows) -> Axis:
    return linear_axis("generation", [float(generation) for generation in rows] or [0.0, 1.0])


def _plies_axis(report: Report) -> Axis:
    return counted_axis("plies played", to=game_info(report["game"]).max_plies, parts=8)


def _metric_series(rows: Rows, *, names: str, error: bool = False) -> list[Series]:
    """The metrics whose whole name matches, each a line; `error` turns a rate into per cent of failures."""
    found = sorted({name for row in rows.values() for name in row if re.fullmatch(names, name)}, key=_budget_of)
    series = []
    for style, name in enumerate(found):
        values = [(generation, row[name]) for generation, row in rows.items() if name in row]
        points = [Point(x=generation, y=100 * (1 - value) if error else value) for generation, value in values]
        label = short_budget(_budget_of(name)) if error else name.rpartition("/")[2].removeprefix("blame_")
        series.append(Series(label=label, style=style, points=points, marked=len(points) == 1))
    return series


def _budget_of(name: str) -> int:
    last = name.rpartition("_")[2]
    return int(last) if last.isdecimal() else 0


def _ends(figures: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The bare network and the largest budget."""
    items = list(figures.items())
    return items if len(items) < 2 else [items[0], items[-1]]


def _error_point(x: float, figure: Mapping[str, Any], *, note: str) -> Point:
    error, low, high = (100 * (1 - figure[key]) for key in ("value", "high", "low"))
    return Point(x=x, y=error, low=low, high=high, note=f"{note}: {error:.1f} % ({low:.1f} to {high:.1f})")


def _plain_point(x: float, figure: Mapping[str, Any], *, note: str = "", scale: float = 1.0) -> Point:
    value = scale * (figure["value"] or 0.0)
    low, high = (None if figure[key] is None else scale * figure[key] for key in ("low", "high"))
    return Point(x=x, y=value, low=low, high=high, note=f"{note}: {value:.2f}" if note else "")


def _error_axis(series: Sequence[Series]) -> Axis:
    return linear_axis("error (%)", [*_highs(series), 1.0], zero=True)


def _highs(series: Sequence[Series]) -> list[float]:
    return [point.y for one in series for point in one.points] or [0.0]
