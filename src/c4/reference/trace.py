"""The specification of value traces, what a game says of each of its positions; selfplay/trace.h agrees bit for bit.

All arithmetic is in float32 and in the order written here. Knows neither trees nor rules of games.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

F = np.float32


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ply:
    """A ply that was searched. Values are for the side to move (value: native/value.h)."""

    root_value: float
    proven: bool  # root_value is the proven result
    worse: bool  # a move was played that the search holds for worse than its own


@dataclasses.dataclass(frozen=True, kw_only=True)
class ValueTrace:
    """outcome_share * outcome + bootstrap, for the side to move."""

    outcome: int  # of the game, or proven on the way to its end
    outcome_share: np.float32
    bootstrap: np.float32


def value_traces(plies: Sequence[Ply], *, last_result: int, trace_lambda: float) -> list[ValueTrace]:
    """One for each of the plies, which lead up to the end. `last_result` is for the side to move there."""
    believed = F(trace_lambda)
    following = ValueTrace(outcome=last_result, outcome_share=F(1), bootstrap=F(0))
    traces = []
    for ply in reversed(plies):
        root_value = F(ply.root_value)
        if ply.proven:
            trace = ValueTrace(outcome=int(root_value), outcome_share=F(1), bootstrap=F(0))
        elif ply.worse:
            trace = ValueTrace(outcome=-following.outcome, outcome_share=F(0), bootstrap=root_value)
        else:
            trace = ValueTrace(
                outcome=-following.outcome,
                outcome_share=believed * following.outcome_share,
                bootstrap=(F(1) - believed) * root_value + believed * -following.bootstrap,
            )
        traces.append(trace)
        following = trace
    return traces[::-1]
