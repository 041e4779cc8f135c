"""Pure Monte Carlo: a tree search that judges each leaf by one random game. The classic baseline, without a network."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from c4.native import _core
from c4.native._core import Position
from c4.params.search import RootSelection, SearchParams

# A yardstick must not move with the knobs of the run that it measures, so its own search is fixed: the
# selection of the tree search with even priors, and no help from proven results.
YARDSTICK = SearchParams(
    cpuct=5.0,
    fpu_reduction=0.0,
    mlh_slope=0.0,
    mlh_cap=0.0,
    noise_epsilon=0.0,
    dirichlet_alpha=1.0,
    discount=1.0,
    num_simulations=1,
    virtual_loss=1.0,
    leaves_per_batch=1,
    reuse_tree=True,
    proven_results=False,
    forced_playouts=0.0,
    early_stop=False,
    root_selection=RootSelection.PUCT,
    gumbel_considered=16,
    gumbel_scale=1.0,
    gumbel_cvisit=50.0,
    gumbel_cscale=0.1,
    temperature_start=0.0,
    temperature_end=0.0,
    temperature_plies=0,
    policy_target_temperature=1.0,
)


class RolloutPlayer:
    def __init__(self, *, game: str, rollouts: int, seed: int, threads: int) -> None:
        self.name = f"rollouts@{rollouts}"
        self._game, self._rollouts, self._seed, self._threads = game, rollouts, seed, threads
        self._searches: _core.Searches | None = None
        self._calls = 0

    def begin(self, slots: int) -> None:
        params = _core.SearchParams(**dataclasses.asdict(YARDSTICK))
        self._searches = _core.Searches(self._game, slots, params, num_threads=self._threads)

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        if self._searches is None:
            raise RuntimeError("begin was not called")
        for slot, position in positions.items():
            self._searches.set_position(slot, position)
            self._searches.think(slot, self._rollouts)
        self._calls += 1
        self._searches.roll_out(self._seed + self._calls)
        return {slot: self._searches.best_action(slot) for slot in positions}
