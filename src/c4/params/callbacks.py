"""The knobs of what happens around training: which weights play, what is saved, when a run is stopped or warned of."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob, own
from c4.params.target import Target


class Direction(Enum):
    """Which way a monitored metric is better."""

    MAX = "max"
    MIN = "min"


@dataclasses.dataclass(frozen=True, kw_only=True)
class CheckpointParams(Params):
    group: ClassVar[str] = "callbacks.checkpoint"

    every: int = knob(
        "Generations between players that are kept for good; 0: only the best and the last are kept.",
        low=0,
        high=1_000_000,
    )
    monitor: str | None = knob(
        "Metric by which the best player is chosen: a name of docs/METRICS.md; null: the newest is the best."
    )
    direction: Direction = knob(
        "Whether the monitored metric is better when higher (max) or lower (min).", needs={"monitor": "not null"}
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class HealthParams(Params):
    group: ClassVar[str] = "callbacks.health"

    loss_factor: float = knob(
        "The run stops when the loss of a generation exceeds the lowest so far by this factor: it has exploded.",
        low=1.0, high=1e6,
    )  # fmt: skip
    entropy_low: float = knob(
        "Warn when the entropy of the policy targets falls below this: the search has stopped exploring.",
        low=0.0, high=10.0, unit="nats",
    )  # fmt: skip
    openings_low: float = knob(
        "Warn when the share of distinct openings among the games of a generation falls below this.", low=0.0, high=1.0
    )
    opening_plies: int = knob("Plies that make an opening, for the count of distinct ones.", low=1, high=1000)
    repeats_high: float = knob(
        "Warn when the share of samples in the window whose position is there already exceeds this.", low=0.0, high=1.0
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class ProgressParams(Params):
    group: ClassVar[str] = "callbacks.progress"

    live: bool = knob("Whether a terminal shows a live display; off, or without a terminal: plain lines.")
    refresh_seconds: float = knob(
        "Time between refreshes of the live display.", low=0.05, high=60.0, unit="seconds", needs={"live": True}
    )
    line_seconds: float = knob(
        "Least time between two plain lines within a generation; its end always has one.", low=0.0, high=86400.0,
        unit="seconds",
    )  # fmt: skip


@dataclasses.dataclass(frozen=True, kw_only=True)
class KeepingParams(Params):
    group: ClassVar[str] = "callbacks.keeping"

    games: int = knob(
        "Newest self-play games that the run's folder keeps for people to look at; 0: none.", low=0, high=10_000,
        unit="games",
    )  # fmt: skip


@dataclasses.dataclass(frozen=True, kw_only=True)
class CallbacksParams(Params):
    group: ClassVar[str] = "callbacks"

    checkpoint: CheckpointParams
    health: HealthParams
    keeping: KeepingParams
    progress: ProgressParams
    metrics: Mapping[str, Target | None] = knob(
        "Figures of your own, by the name that each is logged under: functions or classes that are called with a "
        "Generation (callbacks/metrics.py) and return a number, or numbers by name. null: none."
    )
    others: Mapping[str, Target | None] = own("Callbacks of your own, Lightning's or anybody's, by any name.")
