"""One search that can be watched, stopped and changed while it runs: what a person's board asks of a search.

Without a network it is a pure Monte Carlo search. One thread thinks, any may look or ask it to stop.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from c4.native import _core
from c4.native._core import NodeInfo, Position
from c4.params.play import LevelParams
from c4.params.search import SearchParams
from c4.players.forest import Engine

CHUNK = 64  # simulations between two looks at the clock, at the wish to stop and at who is watching


class Thinker:
    def __init__(
        self, *, position: Position, params: SearchParams, engine: Engine | None, cache_entries: int, seed: int
    ) -> None:
        self._params, self._engine, self._seed, self._cache_entries = params, engine, seed, cache_entries
        self._searches = self._at(position)
        info = _core.game_info(position.game)
        self._plane_shape, self._actions = (info.planes, info.height, info.width), info.actions
        self._thinking = threading.Lock()
        self._rounds = 0

    @property
    def params(self) -> SearchParams:
        return self._params

    def set_params(self, params: SearchParams) -> None:
        """Takes effect on the tree that is there. Waits for a search that runs."""
        with self._thinking:
            self._searches.set_params(self._native(params))
            self._params = params

    def think(
        self,
        position: Position,
        *,
        level: LevelParams,
        on_step: Callable[[], None] = lambda: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Spends the level's budget on a position, unless it is settled or `cancelled` says so before."""
        with self._thinking:
            self._follow(position)
            self._make_noise(position)
            deadline = None if level.seconds is None else time.monotonic() + level.seconds
            left = level.simulations
            first = True  # a root without one simulation knows nothing to say
            while first or not (cancelled() or self._settled()):
                if deadline is not None and not first and time.monotonic() >= deadline:
                    break
                chunk = CHUNK if deadline is not None else min(CHUNK, left)
                if chunk == 0 or position.is_terminal:
                    break
                self._spend_or_forget(chunk)
                left, first = left - chunk, False
                on_step()

    def begin(self, position: Position) -> None:
        """Turns to a position, for those who share out its budget themselves by `advance`."""
        with self._thinking:
            self._follow(position)
            self._make_noise(position)

    def advance(self, simulations: int) -> bool:
        """Spends some simulations on the root; whether more of them could change anything."""
        with self._thinking:
            if self.position().is_terminal or (self.root().visits > 0 and self._settled()):
                return False
            self._spend_or_forget(simulations)
            return not self._settled()

    @property
    def tree_bytes(self) -> int:
        """Memory of the tree."""
        return self._searches.stats()["bytes"]

    def root(self) -> NodeInfo:
        return self._searches.root(0)

    def node(self, path: Sequence[int]) -> NodeInfo:
        """KeyError when the tree has no such node."""
        return self._searches.node(0, path)

    def position(self) -> Position:
        """Of the root."""
        return self._searches.position(0)

    def best_action(self) -> int:
        return self._searches.best_action(0)

    def choose(self, position: Position) -> int:
        """The move to play after thinking about it: the best, or by the temperature schedule."""
        temperature = temperature_at(self._params, ply=position.ply)
        if temperature == 0.0:
            return self.best_action()
        policy = self._searches.policy(0, temperature).astype(np.float64)
        rng = np.random.default_rng([self._seed, position.ply, self._rounds])
        return int(rng.choice(len(policy), p=policy / policy.sum()))

    def _follow(self, position: Position) -> None:
        old, new = self._searches.position(0).actions, position.actions
        if len(new) < len(old) or new[: len(old)] != old:
            self._searches.set_position(0, position)
            return
        for action in new[len(old) :]:
            self._searches.play(0, action)

    def _make_noise(self, position: Position) -> None:
        self._rounds += 1
        if self._params.noise_epsilon > 0 and not position.is_terminal:
            rng = np.random.default_rng([self._seed, position.ply, self._rounds])
            noise = rng.dirichlet([self._params.dirichlet_alpha] * len(position.legal))
            self._searches.set_noise(0, noise.tolist())

    def _settled(self) -> bool:
        root = self._searches.root(0)
        return self._params.proven_results and root.lower == root.upper

    def _spend_or_forget(self, simulations: int) -> None:
        """A tree with a batch out that nobody will answer is of no use any more."""
        try:
            self._spend(simulations)
        except BaseException:
            self._searches = self._at(self.position())
            raise

    def _spend(self, simulations: int) -> None:
        self._searches.think(0, simulations)
        if self._engine is None:
            self._rounds += 1
            self._searches.roll_out(_hash(self._seed, self._rounds))
        else:
            nothing = _no_rows(self._actions)
            planes = np.zeros((self._searches.rows, *self._plane_shape), np.uint8)
            while self._searches.busy:
                rows = self._searches.gather(planes)
                self._searches.apply(*(self._engine.submit(planes[:rows]).result() if rows else nothing))
        self._searches.stop(0)  # what a settled root has not spent

    def _at(self, position: Position) -> _core.Searches:
        searches = _core.Searches(position.game, 1, self._native(self._params), cache_entries=self._cache_entries)
        searches.set_position(0, position)
        return searches

    def _native(self, params: SearchParams) -> _core.SearchParams:
        one = params if self._engine is not None else dataclasses.replace(params, leaves_per_batch=1)
        played = dataclasses.replace(one, forced_playouts=0.0, early_stop=False)
        return _core.SearchParams(**dataclasses.asdict(played))


def temperature_at(params: SearchParams, *, ply: int) -> float:
    """Falls linearly from its start to its end."""
    if ply >= params.temperature_plies:
        return params.temperature_end
    share = ply / params.temperature_plies
    return params.temperature_start + share * (params.temperature_end - params.temperature_start)


def _hash(seed: int, count: int) -> int:
    return int(np.random.SeedSequence([seed, count]).generate_state(1, np.uint64)[0])


def _no_rows(actions: int) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    return np.zeros((0, actions), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
