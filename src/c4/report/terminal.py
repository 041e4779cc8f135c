"""Results as text for a terminal: aligned columns of plain characters."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from c4.evaluation.report import Report
from c4.evaluation.seeds import over_seeds, seed_words
from c4.invocation import as_typed_here
from c4.report.figures import error_cell, error_rows, figure_rows, seed_rows
from c4.report.table import Cell, Row, columns
from c4.report.words import PACE, played_name, scores_text, short_budget, turned


def report_table(reports: Sequence[Report]) -> str:
    parts = [_side_by_side(reports)] if len(reports) > 1 and all(report["sets"] for report in reports) else []
    parts += [_over_seeds(group) for group in over_seeds(reports)]
    for report in reports:
        parts.append(f"{report['name']} ({report['game']})")
        if report["sets"]:
            parts += [_errors(report), _figures(report), _audit(report)]
        if "ablation" in report:
            parts.append(_ablation(report["ablation"]))
        if "duel" in report:
            parts.append(report["duel"]["line"])
        if "baseline" in report:
            parts.append(report["baseline"]["line"])
        if report.get("worst"):
            parts.append(_mistakes(report))
    return "\n\n".join(parts)


def _side_by_side(reports: Sequence[Report]) -> str:
    """Errors of several players: a row a player and budget, a column a set."""
    names = list(reports[0]["sets"])
    rows: list[Row] = [("errors, %", "", *names)]
    for budget in reports[0]["overall"]:
        for report in reports:
            cells = (_error(error_cell(report["sets"][name][budget]["value_preserving"])) for name in names)
            rows.append((report["name"], short_budget(int(budget)), *cells))
    return columns(rows)


def _over_seeds(group: Mapping[str, Any]) -> str:
    rows: list[Row] = [(f"over {len(group['seeds'])} seeds", "", *group["figures"])]
    rows += [(title, short_budget(budget), *cells) for title, budget, cells in seed_rows(group)]
    return f"{columns(rows)}\nmean ± standard deviation of runs that differ only in their seed: {seed_words(group)}"


def _errors(report: Report) -> str:
    overall = report["overall"]
    rows: list[Row] = [("errors, %", *(short_budget(int(budget)) for budget in overall))]
    rows += [(name, *map(_error, cells)) for name, cells in error_rows(report)]
    decisive = (_error(error_cell(figures["value_preserving_decisive"])) for figures in overall.values())
    return columns([*rows, ("  in decisive positions", *decisive)])


def _error(cell: Cell) -> str:
    return f"{cell.text} ({cell.small.replace(' – ', '-')})" if cell.small else "-"


def _figures(report: Report) -> str:
    rows: list[Row] = [("over all sets", *(short_budget(int(budget)) for budget in report["overall"]))]
    rows += [(name.replace("… ", "  "), *(cell.text for cell in cells)) for name, cells in figure_rows(report)]
    return columns(rows).replace("–", "-")


def _audit(report: Report) -> str:
    audit = report["search_audit"]
    text = (
        f"Search with {audit['to']} simulations: {audit['saved']} errors of the bare network corrected, "
        f"{audit['misled']} new ones, {audit['wrong_at_both']} in both."
    )
    right, wrong = 0.0, []
    for one in audit["until_right"]:
        right += one["share"]
        if one["simulations"] in report["simulations"]:
            wrong.append(f"{short_budget(one['simulations'])} {100 * (1 - right):.1f} %")
    return f"{text} Decisive positions not yet right for good: {', '.join(wrong)}." if wrong else text


def _ablation(result: Mapping[str, Any]) -> str:
    change, pace = turned(result["value_preserving_change"]), turned(result["distance_optimal_change"])
    return (
        f"Moves-left utility (mlh_slope {result['mlh_slope']:g}, mlh_cap {result['mlh_cap']:g}) against none, at "
        f"{result['simulations']} simulations: wins {_signed(result['wins_sooner_by'])} plies sooner, loses "
        f"{_signed(result['loses_later_by'])} plies later, errors {_signed(change, scale=100)} points, "
        f"{PACE} {_signed(pace, scale=100)} points."
    )


def _signed(figure: Mapping[str, Any], *, scale: float = 1.0) -> str:
    if figure["value"] is None:
        return "-"
    margin = scale * (figure["high"] - figure["value"]) if figure["high"] is not None else 0.0
    return f"{scale * figure['value']:+.2f} ± {margin:.2f}"


def _mistakes(report: Report) -> str:
    worst = report["worst"]
    rows: list[Row] = [(f"worst errors, {short_budget(worst[0]['simulations'])}", "played", "scores of the moves")]
    rows += [
        (one["moves"] or "(empty)", played_name(one, game=report["game"]), scores_text(one).replace("·", "."))
        for one in worst
    ]
    position = shlex.quote(worst[0]["moves"])
    known = f" checkpoint={shlex.quote(report['made']['checkpoint'])}" if "made" in report else ""
    return f"{columns(rows)}\nlook at one: {as_typed_here('python play.py')}{known} position={position}"


def moves_left_rows(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    head: Row = (name, "slope", "cap", "wins sooner", "loses later", "errors", PACE)
    body: list[Row] = [
        (
            "",
            f"{row['mlh_slope']:g}",
            f"{row['mlh_cap']:g}",
            _signed(row["wins_sooner_by"]),
            _signed(row["loses_later_by"]),
            *(
                f"{100 * (1 - row[f'{key}_on']['value']):.2f} % ({_signed(turned(row[f'{key}_change']), scale=100)})"
                for key in ("value_preserving", "distance_optimal")
            ),
        )
        for row in rows
    ]
    return columns([head, *body])


def standings_table(standings: Mapping[str, Any]) -> str:
    ranked = sorted(standings["players"], key=lambda player: -player["elo"])
    rows: list[Row] = [("player", "Elo", "games", "score")]
    rows += [
        (one["name"], f"{one['elo']:+.0f} ± {one['margin']:.0f}", str(one["games"]), f"{one['score']:.1%}")
        for one in ranked
    ]
    meetings: list[Row] = [("A - B", "A first: + = -", "A second: + = -", "Elo of A above B", "sequential test")]
    for one in standings["meetings"]:
        seats = [
            f"{one[seat]['wins']} {one[seat]['draws']} {one[seat]['losses']}"
            for seat in ("moving_first", "moving_second")
        ]
        between = f"{one['difference']['elo']:+.0f} ± {one['difference']['margin']:.0f}"
        meetings.append((" - ".join(one["players"]), *seats, between, one["stronger"] or "none"))
    lines = [one["line"] for one in standings["meetings"]]
    ranking = columns(rows) + _tied(ranked)
    return "\n\n".join([ranking, columns(meetings), *(lines if len(lines) == 1 else [])])


def _tied(ranked: Sequence[Mapping[str, Any]]) -> str:
    """Who cannot be told from the first."""
    best, *others = ranked
    near = [one["name"] for one in others if best["elo"] - one["elo"] < math.hypot(best["margin"], one["margin"])]
    return f"\ntied with {best['name']}, within the 95 % intervals: {', '.join(near)}" if near else ""
