"""Many searches that share an engine, driven to the end of their budgets. Knows no positions of its own, no players.

The trees stand in two groups: those of one are walked while the network works on the leaves of the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from c4.native import _core
from c4.native._core import NodeInfo, Position
from c4.params.search import SearchParams

Evaluations = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]
"""Policy logits [n, actions], values [n], plies left [n]; value: native/value.h."""

GROUPS = 2


class Handle(Protocol):
    """A batch that the engine is working on."""

    def result(self) -> Evaluations: ...


class Engine(Protocol):
    """What a search needs of a network."""

    def submit(self, planes: NDArray[np.uint8]) -> Handle: ...


def as_played(params: SearchParams) -> SearchParams:
    """The same search without what serves self-play only: no noise, no forced visits, the whole budget."""
    return dataclasses.replace(params, noise_epsilon=0.0, gumbel_scale=0.0, forced_playouts=0.0, early_stop=False)


class Forest:
    """`size` independent trees, numbered from 0."""

    def __init__(
        self, *, game: str, size: int, params: SearchParams, engine: Engine, threads: int, cache_entries: int
    ) -> None:
        native = _core.SearchParams(**dataclasses.asdict(params))
        count = min(GROUPS, size)
        sizes = [len(range(group, size, count)) for group in range(count)]
        self._groups = [
            _core.Searches(game, each, native, cache_entries=cache_entries // count, num_threads=threads)
            for each in sizes
        ]
        info = _core.game_info(game)
        shape = (info.planes, info.height, info.width)
        self._buffers = [np.zeros((group.rows, *shape), np.uint8) for group in self._groups]
        self._nothing = (np.zeros((0, info.actions), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32))
        self._engine = engine
        self.size = size

    def set_position(self, tree: int, position: Position) -> None:
        group, slot = self._at(tree)
        group.set_position(slot, position)

    def follow(self, tree: int, position: Position) -> None:
        """Moves the tree on to `position`, keeping what it knows where the position continues its own."""
        group, slot = self._at(tree)
        old, new = group.position(slot).actions, position.actions
        if len(new) <= len(old) or new[: len(old)] != old:
            group.set_position(slot, position)
            return
        for action in new[len(old) :]:
            group.play(slot, action)

    def think(self, tree: int, simulations: int) -> None:
        group, slot = self._at(tree)
        group.think(slot, simulations)

    def root(self, tree: int) -> NodeInfo:
        group, slot = self._at(tree)
        return group.root(slot)

    def best_action(self, tree: int) -> int:
        """The move to play; by the prior while no move was visited yet."""
        group, slot = self._at(tree)
        return group.best_action(slot)

    def policy(self, tree: int) -> NDArray[np.float32]:
        """[actions], by the visits; by the prior while no move was visited yet."""
        group, slot = self._at(tree)
        return group.policy(slot, 1.0)

    def run(self, *, on_step: Callable[[], None] = lambda: None) -> None:
        """Spends every tree's budget. `on_step` is called after each batch and may raise."""
        waiting = [self._ask(index) for index in range(len(self._groups))]
        while any(handle is not None for handle in waiting):
            for index, handle in enumerate(waiting):
                if handle is not None:
                    self._groups[index].apply(*handle.result())
                    waiting[index] = None
                    on_step()
                    waiting[index] = self._ask(index)

    def _ask(self, index: int) -> Handle | None:
        """The next batch of a group with the engine, None when all its budgets are spent."""
        group, buffer = self._groups[index], self._buffers[index]
        while group.busy:
            if rows := group.gather(buffer):
                return self._engine.submit(buffer[:rows])
            group.apply(*self._nothing)  # every leaf was known or a finished game
        return None

    def _at(self, tree: int) -> tuple[_core.Searches, int]:
        slot, group = divmod(tree, len(self._groups))
        return self._groups[group], slot
