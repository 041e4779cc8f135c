"""Who plays in an arena, and how many games."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from c4.params.cluster import ClusterParams
from c4.params.knob import knob
from c4.params.target import Target


@dataclasses.dataclass(frozen=True, kw_only=True)
class ArenaParams(ClusterParams):
    group: ClassVar[str] = "arena"

    players: tuple[str | Target, ...] = knob(
        "Who plays, as words: PATH or PATH@SIMULATIONS, rollouts@N, solver, solver:last12, solver:p0.9, random, "
        "my_module:MyPlayer, the name of a file in the group player; or as such files are written."
    )
    pairs: int = knob(
        "Most pairs of games, colours swapped, between any two players.", low=1, high=1_000_000, unit="pairs"
    )
    batch_pairs: int = knob(
        "Pairs played at the same time. Higher: larger batches, a sequential test that looks less often.",
        low=1, high=100_000,
    )  # fmt: skip
    opening_plies: int = knob(
        "Random plies before the players take over, the same for both games of a pair. Solved games take only those "
        "that are drawn (or as near to it as can be), Gomoku none that fours and threes win.",
        low=0, high=1000, unit="plies",
    )  # fmt: skip
    seed: int = knob("Seed of the openings and of all chance in players.", low=0)
    elo_low: float = knob(
        "First hypothesis of the sequential test: A is this much stronger.",
        low=-1000, high=1000, needs={"error": "not 0.0"},
    )  # fmt: skip
    elo_high: float = knob(
        "Its second hypothesis. The nearer to the first, the more games.",
        low=-1000, high=1000, needs={"error": "not 0.0"},
    )  # fmt: skip
    error: float = knob("Chance of a wrong verdict; 0: no test, all pairs are played.", low=0.0, high=0.49)
    prior_draws: float = knob(
        "Imaginary drawn games between any two players, which keep the rating of a clean sweep finite.",
        low=0.01, high=1000.0,
    )  # fmt: skip
    record: str | None = knob("File for the record of every game, written after each batch; null: not written.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_tasks()
        if self.error > 0 and self.elo_low >= self.elo_high:
            raise ValueError(
                f"arena.elo_low={self.elo_low:g} is not allowed: below arena.elo_high={self.elo_high:g}, or the test "
                "cannot tell the two apart"
            )
