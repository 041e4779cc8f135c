"""The knobs of who plays the games of self-play: this process, or actors of a Ray cluster."""

from __future__ import annotations

import dataclasses
from enum import Enum

from c4.params.cluster import ON_RAY, ClusterParams
from c4.params.knob import knob
from c4.params.selfplay import SelfplayParams


class SourceMode(Enum):
    """How games and generations go together."""

    FLOWING = "flowing"
    EXACT = "exact"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SourceParams(SelfplayParams, ClusterParams):
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
    least_actors: int = knob(
        "With fewer actors than this, alive, for as long as patience, a run ends in a sentence.",
        low=1, high=100_000, needs=ON_RAY,
    )  # fmt: skip
    chunks_ahead: int = knob(
        "Chunks that an actor is given at once: from 2 on it never waits for the next. Together with what lies ready "
        "this bounds what there can be in memory.",
        low=1, high=64, needs=ON_RAY,
    )  # fmt: skip
    grade_beside: bool = knob(
        "Whether tasks of Ray grade weights (evaluation.grading, and the matches of evaluation.baseline) while the run "
        "goes on, one at a time, with the processors of an actor. Their figures come later, in the rows of the "
        "generations that they are of; time_share does not count. false: the learner grades, and waits for it.",
        needs=ON_RAY,
    )
    most_age: int | None = knob(
        "Samples that were searched under weights older than by this many generations are left out, and counted; "
        "null: none are.",
        low=0, high=1_000_000, needs={**ON_RAY, "mode": "flowing"},
    )  # fmt: skip

    @property
    def grades_beside(self) -> bool:
        """Whether figures of a grading may come when other generations have followed."""
        return self.actors is not None and self.grade_beside
