"""What a report says in words and numbers: names of budgets, intervals, mistakes. No drawings, no markup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from c4.native._core import Position

MAIN_KNOBS = ("cpuct", "fpu_reduction", "mlh_slope", "mlh_cap", "proven_results")
OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def interval(figure: Mapping[str, Any]) -> str:
    if figure["low"] is None:
        return "–"  # of one position
    return f"{100 * figure['low']:.1f} – {100 * figure['high']:.1f}"


def error_of(figure: Mapping[str, Any]) -> tuple[float, float, float]:
    """Per cent of failures of a rate that is known, and the ends of its interval."""
    value, low, high = (100 * (1 - figure[key]) for key in ("value", "high", "low"))
    return value, low, high


def budget_name(simulations: int) -> str:
    return "bare network" if simulations == 0 else f"{simulations:,} simulation" + ("s" if simulations > 1 else "")


def short_budget(simulations: int) -> str:
    return "bare" if simulations == 0 else f"{simulations:,} sims" if simulations > 1 else "1 sim"


def score_text(score: int) -> str:
    return "=" if score == 0 else f"{score:+d}".replace("-", "−")


def outcome(score: int) -> str:
    return OUTCOMES[(score > 0) - (score < 0)]


def played_name(mistake: Mapping[str, Any], *, game: str) -> str:
    return str(Position(game, mistake["moves"]).action_name(mistake["played"]))


def scores_text(mistake: Mapping[str, Any]) -> str:
    """Of all moves, a point where one is not legal."""
    return " ".join("·" if score is None else str(score) for score in mistake["scores"])


def mistake_words(mistake: Mapping[str, Any], *, game: str) -> tuple[str, str]:
    """What became of which position."""
    played = mistake["scores"][mistake["played"]]
    value = "" if mistake["value"] is None else f", thought {mistake['value']:+.2f}".replace("-", "−")
    mover = "first" if mistake["ply"] % 2 == 0 else "second"
    became = f"{OUTCOMES[mistake['truth']]} → {outcome(played)}"
    return (
        f"{became} by {played_name(mistake, game=game)} ({score_text(played)}){value}",
        f"{mover} to move after {mistake['moves'] or 'nothing'}",
    )


def main_knobs(search: Mapping[str, Any]) -> dict[str, Any]:
    """Of a search, those that say how it plays."""
    return {key: search[key] for key in MAIN_KNOBS}


def search_words(search: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in main_knobs(search).items())
