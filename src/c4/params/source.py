"""The knobs of who plays the games of self-play: this process, or actors of a Ray cluster."""

from __future__ import annotations

import dataclasses
from enum import Enum

from c4.params.knob import knob
from c4.params.selfplay import SelfplayParams

ON_RAY = {"actors": "not null"}


class SourceMode(Enum):
    """How games and generations go together."""

    FLOWING = "flowing"
    EXACT = "exact"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SourceParams(SelfplayParams):
    mode: SourceMode = knob(
        "flowing: games continue from one generation to the next under the newest weights; no actor waits. exact: a "
        "generation is a range of games, each played from start to end under its weights, so that a run is bit for bit "
        "the same for any number of actors, whatever becomes of them, and without actors too."
    )
    chunk_games: int = knob(
        "Games of a chunk, the unit of work that an actor is given, and the most that it plays at once. Higher: larger "
        "batches, less on the wire; lower: samples come sooner, actors share a generation more evenly, and less is "
        "lost with one of them. selfplay.groups times the largest of inference.buckets fills every batch.",
        low=1, high=1_000_000,
    )  # fmt: skip
    actors: int | None = knob(
        "Ray actors that play. Those for which the cluster has no room yet are waited for beside the game: they join "
        "when there is some. null: this process plays, without Ray.",
        low=1, high=100_000,
    )  # fmt: skip
    least_actors: int = knob(
        "With fewer actors than this, alive, for as long as patience, a run ends in a sentence.",
        low=1, high=100_000, needs=ON_RAY,
    )  # fmt: skip
    address: str | None = knob(
        "The cluster: HOST:PORT of its head, auto for the one that this machine belongs to, ray://HOST:PORT for a "
        "client's connection; null: a cluster of its own on this machine, which ends with the run.",
        needs=ON_RAY,
    )
    actor_cpus: float = knob("Processors of an actor, its engine's threads too.", low=0.0, high=1024.0, needs=ON_RAY)
    actor_gpus: float = knob(
        "Share of a GPU that an actor takes; its engine is what inference says.", low=0.0, high=64.0, needs=ON_RAY
    )
    chunks_ahead: int = knob(
        "Chunks that an actor is given at once: from 2 on it never waits for the next. Together with what lies ready "
        "this bounds what there can be in memory.",
        low=1, high=64, needs=ON_RAY,
    )  # fmt: skip
    most_age: int | None = knob(
        "Samples that were searched under weights older than by this many generations are left out, and counted; "
        "null: none are.",
        low=0, high=1_000_000, needs={**ON_RAY, "mode": "flowing"},
    )  # fmt: skip
    patience: float = knob(
        "How long a run waits for its cluster and for the least number of actors before it says what is missing.",
        low=1.0, high=86_400.0, unit="seconds", needs=ON_RAY,
    )  # fmt: skip
