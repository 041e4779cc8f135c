"""One search that can be watched, stopped and changed while it runs: what a person's board asks of a search.

Without a network it is a pure Monte Carlo search. One thread thinks, any may look or ask it to stop.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from c4.native._core import NodeInfo, Position
from c4.network.inference.engine import Judge
from c4.params.play import LevelParams
from c4.params.search import SearchParams
from c4.players.forest import Forest, as_played
from c4.reference.temperature import temperature_at

R = TypeVar("R")

CHUNK = 64  # simulations between two looks at the clock, at the wish to stop and at who is watching


class Thinker:
    def __init__(
        self, *, position: Position, params: SearchParams, judge: Judge | None, cache_megabytes: float, seed: int
    ) -> None:
        """`judge` None: rollouts judge."""
        self._params, self._judge, self._seed, self._cache_megabytes = params, judge, seed, cache_megabytes
        self._tree = self._planted(position)
        self._thinking = threading.Lock()
        self._rounds = 0

    @property
    def params(self) -> SearchParams:
        return self._params

    @property
    def judge(self) -> Judge | None:
        return self._judge

    def set_params(self, params: SearchParams) -> None:
        """Takes effect on the tree that is there. Waits for a search that runs."""
        with self._thinking:
            self._tree.set_params(self._calmed(params))
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
            self._tree.follow(0, position)
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
            self._tree.follow(0, position)
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
        return self._tree.bytes

    def held(self, look: Callable[[Thinker], R]) -> R:
        """What a look at a tree that stands still finds. Waits for a search that runs, which then waits for it."""
        with self._thinking:
            return look(self)

    def root(self) -> NodeInfo:
        return self._tree.root(0)

    def node(self, path: Sequence[int]) -> NodeInfo:
        """KeyError when the tree has no such node."""
        return self._tree.node(0, path)

    def position(self) -> Position:
        """Of the root."""
        return self._tree.position(0)

    def best_action(self) -> int:
        return self._tree.best_action(0)

    def choose(self, position: Position) -> int:
        """The move to play after thinking about it: the best, or by the temperature schedule."""
        temperature = temperature_at(self._params, ply=position.ply)
        if temperature == 0.0:
            return self.best_action()
        policy = self._tree.policy(0, temperature=temperature).astype(np.float64)
        rng = np.random.default_rng([self._seed, position.ply, self._rounds])
        return int(rng.choice(len(policy), p=policy / policy.sum()))

    def _make_noise(self, position: Position) -> None:
        self._rounds += 1
        if self._params.noise_epsilon > 0 and not position.is_terminal:
            rng = np.random.default_rng([self._seed, position.ply, self._rounds])
            noise = rng.dirichlet([self._params.dirichlet_alpha] * len(position.legal))
            self._tree.set_noise(0, noise.tolist())

    def _settled(self) -> bool:
        root = self._tree.root(0)
        return self._params.proven_results and root.lower == root.upper

    def _spend_or_forget(self, simulations: int) -> None:
        """A tree with a batch out that nobody will answer is of no use any more."""
        try:
            self._spend(simulations)
        except BaseException:
            self._tree = self._planted(self.position())
            raise

    def _spend(self, simulations: int) -> None:
        self._tree.think(0, simulations)
        if self._judge is None:
            self._rounds += 1
            self._tree.roll_out(_hash(self._seed, self._rounds))
        else:
            self._tree.run()
        self._tree.stop(0)  # what a settled root has not spent

    def _planted(self, position: Position) -> Forest:
        tree = Forest(
            game=position.game,
            size=1,
            params=self._calmed(self._params),
            judge=self._judge,
            threads=1,
            cache_megabytes=0.0 if self._judge is None else self._cache_megabytes,  # rollouts ask no cache
        )
        tree.set_position(0, position)
        return tree

    def _calmed(self, params: SearchParams) -> SearchParams:
        """As played, but for the noise, which a person may want."""
        leaves = params.leaves_per_batch if self._judge is not None else 1
        return dataclasses.replace(as_played(params), noise_epsilon=params.noise_epsilon, leaves_per_batch=leaves)


def _hash(seed: int, count: int) -> int:
    return int(np.random.SeedSequence([seed, count]).generate_state(1, np.uint64)[0])
