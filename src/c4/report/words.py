"""What a report says in words and numbers: names of budgets, intervals, mistakes. No drawings, no markup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from c4.native._core import Position
from c4.params.walk import as_typed

MAIN_KNOBS = (
    "cpuct", "fpu_reduction", "policy_temperature", "root_policy_temperature", "mlh_slope", "mlh_cap", "proven_results",
    "proof_nodes",
)  # fmt: skip
OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}
RESULTS = {1: "win", 0: "draw", -1: "loss"}
ERRORS = "errors (%)"
PACE = "errors, slow wins, quick losses"
"""The other way to fail: what is not distance-optimal."""


def percent(share: float, *, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"


def interval(figure: Mapping[str, Any]) -> str:
    if figure["low"] is None:
        return "–"  # of one position
    return f"{100 * figure['low']:.1f} – {100 * figure['high']:.1f}"


def failing(figure: Mapping[str, Any]) -> dict[str, Any]:
    """Of a share of what is right, the share of what is not: everything that people see counts errors."""
    low, high = (None if figure[key] is None else 1 - figure[key] for key in ("high", "low"))
    return {"value": 1 - figure["value"], "low": low, "high": high}


def error_of(rate: Mapping[str, Any]) -> tuple[float, float, float]:
    """Per cent of failures of a rate that is known, and the ends of its interval."""
    value, low, high = (100 * failing(rate)[key] for key in ("value", "low", "high"))
    return value, low, high


def turned(change: Mapping[str, Any]) -> dict[str, Any]:
    """A change of what is right as one of what is not."""
    low, high = (None if change[key] is None else -change[key] for key in ("high", "low"))
    return {"value": None if change["value"] is None else -change["value"], "low": low, "high": high}


def budget_name(simulations: int) -> str:
    """The bare network plays its policy's first choice."""
    return "bare network" if simulations == 0 else f"{simulations:,} simulation" + ("s" if simulations > 1 else "")


def short_budget(simulations: int) -> str:
    return "bare" if simulations == 0 else f"{simulations:,} sims" if simulations > 1 else "1 sim"


def score_text(score: int) -> str:
    return "=" if score == 0 else f"{score:+d}".replace("-", "−")


def outcome(score: int | None) -> str:
    return "not known" if score is None else OUTCOMES[(score > 0) - (score < 0)]


def played_name(mistake: Mapping[str, Any], *, game: str) -> str:
    return str(Position(game, mistake["moves"]).action_name(mistake["played"]))


def scores_text(mistake: Mapping[str, Any]) -> str:
    """Of all moves, a point where one is not legal, or nothing is known of it."""
    return " ".join("·" if score is None else str(score) for score in mistake["scores"])


def mistake_words(mistake: Mapping[str, Any], *, game: str) -> tuple[str, str, str]:
    """What became of the position, who was to move and thought what, and which position it is."""
    played = mistake["scores"][mistake["played"]]
    name = played_name(mistake, game=game)
    move, truth = f"Column {name}" if name.isdecimal() else name, RESULTS[mistake["truth"]]
    if played is None:
        said = f"{move} is not known to keep the {truth}"
    else:
        said = f"{move}: a {truth} becomes a {RESULTS[(played > 0) - (played < 0)]} ({score_text(played)})"
    value = "" if mistake["value"] is None else f", value {mistake['value']:+.2f}".replace("-", "−")
    return (
        said,
        f"{'First' if mistake['ply'] % 2 == 0 else 'Second'} player to move{value}",
        mistake["moves"] or "the empty board",
    )


def main_knobs(search: Mapping[str, Any]) -> dict[str, Any]:
    """Of a search, those that say how it plays."""
    return {key: search[key] for key in MAIN_KNOBS}


def search_words(search: Mapping[str, Any]) -> str:
    return knob_words(main_knobs(search))


def knob_words(search: Mapping[str, Any]) -> str:
    """Every one of them, as it is typed."""
    return " ".join(f"{key}={as_typed(value)}" for key, value in search.items())
