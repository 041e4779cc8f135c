"""Pure Monte Carlo: a tree search that judges each leaf by one random game. The classic baseline, without a network."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from c4.native import _core
from c4.native._core import Position
from c4.native.knobs import plain_search
from c4.params.knob import Params, knob
from c4.players.player import SearchPlayer, whole

# A yardstick must not move with the knobs of the run that it measures, so its own search is fixed: the
# selection of the tree search with even priors, and no help from proven results.
YARDSTICK = plain_search(cpuct=5.0, reuse_tree=True)

CALLS = 1_000  # in a round, at most: each game ends before


@dataclasses.dataclass(frozen=True, kw_only=True)
class RolloutKnobs(Params):
    rollouts: int = knob("Rollouts per move. Higher: stronger and slower.", low=1, high=10_000_000)


class RolloutPlayer(SearchPlayer):
    title, called = "Rollouts (no network)", "rollouts"
    knobs = RolloutKnobs
    params, judge = YARDSTICK, None

    def __init__(self, *, game: str, rollouts: int, seed: int, threads: int) -> None:
        self.name = f"rollouts@{rollouts}"
        self.simulations = rollouts
        self._game, self._seed, self._threads = game, seed, threads
        self._searches: _core.Searches | None = None
        self.rounds = self._calls = 0

    @staticmethod
    def said(rest: str) -> dict[str, Any]:
        """@1000"""
        return {"rollouts": whole(rest.removeprefix("@"))}

    def begin(self, slots: int) -> None:
        self._searches = _core.Searches(self._game, slots, YARDSTICK, num_threads=self._threads)
        self.rounds, self._calls = self.rounds + 1, 0

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        if self._searches is None:
            raise RuntimeError("begin was not called")
        for slot, position in positions.items():
            self._searches.set_position(slot, position)
            self._searches.think(slot, self.simulations)
        self._calls += 1
        self._searches.roll_out(self._seed + (self.rounds - 1) * CALLS + self._calls)
        return {slot: self._searches.best_action(slot) for slot in positions}
