"""Perfect play, and softer forms of it. Among equally good moves it draws one, by seed, slot and ply."""

from __future__ import annotations

import random
from collections.abc import Mapping

from c4.native._core import Position, game_info
from c4.players.oracle import Oracle, oracle


class SolverPlayer:
    """The fastest win, the slowest loss. Softened: at random while many cells are empty, or for some of its moves."""

    def __init__(
        self, *, game: str, perfect_plies: int, perfect_probability: float, seed: int, truth: Oracle | None = None
    ) -> None:
        """`truth` None: the oracle of this process."""
        self._oracle = oracle(game) if truth is None else truth
        self._cells = game_info(game).max_plies
        self._perfect_plies, self._probability, self._seed = perfect_plies, perfect_probability, seed
        late = f":last{perfect_plies}" if perfect_plies < self._cells else ""
        seldom = f":p{perfect_probability:g}" if perfect_probability < 1 else ""
        self.name = f"solver{late}{seldom}"
        self._round = 0

    def begin(self, _slots: int, /) -> None:
        self._round += 1

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {slot: self._one(slot, position) for slot, position in positions.items()}

    def _one(self, slot: int, position: Position) -> int:
        rng = random.Random(f"{self._seed} {self._round} {slot} {position.ply}")
        late = self._cells - position.ply <= self._perfect_plies
        if not late or rng.random() >= self._probability:
            return rng.choice(position.legal)
        scores = self._oracle.scores(position.actions)
        best = max(score for score in scores if score is not None)
        return rng.choice([action for action, score in enumerate(scores) if score == best])
