"""The knobs of who plays the games of self-play: this process, or actors of a Ray cluster."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
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
    actor_games: int = knob(
        "Games that an actor plays at once, and in exact mode this process too: each group its share, and no more than "
        "games_per_group. selfplay.groups times the largest of inference.buckets fills every batch. Higher: larger "
        "batches; lower: games end sooner, less is lost with an actor, and the end of an exact generation, when few "
        "games are left, is shorter.",
        low=1, high=1_000_000,
    )  # fmt: skip
    chunk_games: int = knob(
        "Games of a chunk, the unit of work that an actor is given; towards the end of an exact generation chunks "
        "become smaller. Higher: less on the wire; lower: samples come sooner, and less is lost with an actor.",
        low=1, high=1_000_000,
    )  # fmt: skip
    least_actors: int = knob(
        "With fewer actors than this, alive, for as long as patience, a run ends in a sentence.",
        low=1, high=100_000, needs=ON_RAY,
    )  # fmt: skip
    chunks_ahead: int = knob(
        "Chunks that an actor has before it: in exact mode beside those whose games have all begun, in flowing mode "
        "with the one that it plays. From 2 on it never waits for the next. Together with what lies ready this bounds "
        "what there can be in memory.",
        low=1, high=64, needs=ON_RAY,
    )  # fmt: skip
    gpu_actors: int | None = knob(
        "Of the actors, how many take actor_gpus of a GPU and judge there, by the engine cuda in half precision "
        "whatever inference says; the others take processors alone, and an engine for those. null: all are alike.",
        low=0, high=100_000, needs={**ON_RAY, "mode": "flowing"},
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

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.grades_beside:
            self.check_tasks()

    @property
    def in_vain(self) -> Mapping[str, str]:
        if self.actors is not None or self.mode is SourceMode.EXACT:
            return {}
        why = "selfplay.actors is null and selfplay.mode is flowing: selfplay.games_per_group is what counts there"
        return {"actor_games": why, "chunk_games": why}

    def of_an_actor(self) -> SelfplayParams:
        """With no more games at once than an actor plays: to begin more makes all of them take longer."""
        each = min(self.games_per_group, -(-self.actor_games // self.groups))
        return dataclasses.replace(self, games_per_group=each)

    def on_gpu(self, seat: int) -> bool | None:
        """Whether the actor of this seat judges on a GPU; None where all are as inference says."""
        is_mixed = self.gpu_actors is not None and self.mode is SourceMode.FLOWING
        return seat < (self.gpu_actors or 0) if is_mixed else None

    @property
    def smallest_chunk(self) -> int:
        """Of an exact generation; smaller ones would make messages the work."""
        return min(self.chunk_games, max(1, self.actor_games // 12))

    @property
    def grades_beside(self) -> bool:
        """Whether figures of a grading may come when other generations have followed."""
        return self.actors is not None and self.grade_beside
