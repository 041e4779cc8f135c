"""Which temperature holds at a ply of self-play, as its specification; native/selfplay/slot.h must agree."""

from __future__ import annotations

from c4.params.search import SearchParams


def temperature_at(params: SearchParams, *, ply: int) -> float:
    """Of the move choice: falls linearly from the start of the game to temperature_plies."""
    if ply >= params.temperature_plies:
        return params.temperature_end
    share = ply / params.temperature_plies
    return params.temperature_start + share * (params.temperature_end - params.temperature_start)


def target_temperature_at(params: SearchParams, *, ply: int) -> float:
    """Of the policy target: a constant, or that of the move choice."""
    constant = params.policy_target_temperature
    return temperature_at(params, ply=ply) if constant is None else constant
