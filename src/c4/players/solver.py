"""Perfect play, and softer forms of it. Among equally good moves it draws one, by seed, slot and ply."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from typing import Any

from c4.games import game_spec
from c4.native._core import Position
from c4.params.knob import Params, knob
from c4.players.oracle import Oracle, oracle
from c4.players.player import PlayerWordError, whole


@dataclasses.dataclass(frozen=True, kw_only=True)
class SolverKnobs(Params):
    perfect_plies: int = knob(
        "The solver plays perfectly while at most this many cells are empty, at random before. Lower: softer.",
        low=0, high=1000, unit="plies",
    )  # fmt: skip
    perfect_probability: float = knob(
        "Share of its moves that the solver plays perfectly, the others at random. Lower: softer.", low=0.0, high=1.0
    )


class SolverPlayer:
    """The fastest win, the slowest loss. Softened: at random while many cells are empty, or for some of its moves."""

    title, called = "Perfect play (solver)", "the solver"
    knobs = SolverKnobs

    def __init__(
        self, *, game: str, perfect_plies: int, perfect_probability: float, seed: int, truth: Oracle | None = None
    ) -> None:
        """`truth` None: the oracle of this process."""
        self._oracle = oracle(game) if truth is None else truth
        self._cells = game_spec(game).max_plies
        self._perfect_plies, self._probability, self._seed = perfect_plies, perfect_probability, seed
        late = f":last{perfect_plies}" if perfect_plies < self._cells else ""
        seldom = f":p{perfect_probability:g}" if perfect_probability < 1 else ""
        self.name = f"solver{late}{seldom}"
        self.rounds = 0

    @staticmethod
    def said(rest: str) -> dict[str, Any]:
        """:last12, perfect in the last twelve plies. :p0.9, with probability 0.9."""
        return dict(_softened(option) for option in rest.removeprefix(":").split(":"))

    def begin(self, _slots: int, /) -> None:
        self.rounds += 1

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {slot: self._one(slot, position) for slot, position in positions.items()}

    def _one(self, slot: int, position: Position) -> int:
        rng = random.Random(f"{self._seed} {self.rounds} {slot} {position.ply}")
        late = self._cells - position.ply <= self._perfect_plies
        if not late or rng.random() >= self._probability:
            return rng.choice(position.legal)
        scores = self._oracle.scores(position.actions)
        best = max(score for score in scores if score is not None)
        return rng.choice([action for action, score in enumerate(scores) if score == best])


def _softened(option: str) -> tuple[str, float]:
    if option.startswith("last"):
        return "perfect_plies", whole(option.removeprefix("last"))
    share = option.removeprefix("p")
    try:
        probability = float(share) if share != option else None
    except ValueError:
        probability = None
    if probability is None or not 0 <= probability <= 1:
        raise PlayerWordError(f"a solver is softened by last12 or p0.9 and the like, not by {option!r}")
    return "perfect_probability", probability
