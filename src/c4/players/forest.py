"""Many searches that share a judge, driven to the end of their budgets. Knows no positions of its own, no players.

The trees stand in two groups: those of one are walked while the network works on the leaves of the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from c4.games import game_spec
from c4.native import _core
from c4.native._core import NodeInfo, Position
from c4.network.inference.engine import Handle, Judge, Nothing
from c4.params.search import OFF_IN_PLAY, SearchParams

GROUPS = 2


def as_played(params: SearchParams) -> SearchParams:
    """The same search without what serves self-play only: no noise, no forced visits, the whole budget."""
    return dataclasses.replace(params, **OFF_IN_PLAY)


class Forest:
    """`size` independent trees, numbered from 0."""

    def __init__(
        self, *, game: str, size: int, params: SearchParams, judge: Judge | None, threads: int, cache_megabytes: float
    ) -> None:
        """`judge` None: budgets are spent by `roll_out` only."""
        count = min(GROUPS, size)
        sizes = [len(range(group, size, count)) for group in range(count)]
        self._groups = [
            _core.Searches(game, each, params, cache_megabytes=cache_megabytes / count, num_threads=threads)
            for each in sizes
        ]
        info = game_spec(game)
        self._shape = (info.planes, info.height, info.width)
        self._nothing = Nothing(actions=info.actions).result()
        self._judge = judge
        self._buffers = self._make_buffers()
        self.size = size

    def set_params(self, params: SearchParams) -> None:
        """Takes effect on the trees that are there."""
        for group in self._groups:
            group.set_params(params)
        self._buffers = self._make_buffers()

    def set_position(self, tree: int, position: Position) -> None:
        group, slot = self._at(tree)
        group.set_position(slot, position)

    def follow(self, tree: int, position: Position) -> None:
        """Moves the tree on to `position`, keeping what it knows where the position continues its own."""
        group, slot = self._at(tree)
        old, new = group.position(slot).actions, position.actions
        if new[: len(old)] != old:
            group.set_position(slot, position)
            return
        for action in new[len(old) :]:
            group.play(slot, action)

    def set_noise(self, tree: int, noise: Sequence[float]) -> None:
        """For each legal action of the root; lasts until the root changes."""
        group, slot = self._at(tree)
        group.set_noise(slot, noise)

    def think(self, tree: int, simulations: int) -> None:
        group, slot = self._at(tree)
        group.think(slot, simulations)

    def stop(self, tree: int) -> None:
        """Forgets what is left of the budget."""
        group, slot = self._at(tree)
        group.stop(slot)

    def position(self, tree: int) -> Position:
        """Of the root."""
        group, slot = self._at(tree)
        return group.position(slot)

    def root(self, tree: int) -> NodeInfo:
        group, slot = self._at(tree)
        return group.root(slot)

    def node(self, tree: int, path: Sequence[int]) -> NodeInfo:
        """KeyError when the tree has no such node."""
        group, slot = self._at(tree)
        return group.node(slot, path)

    def best_action(self, tree: int) -> int:
        """The move to play; by the prior while no move was visited yet."""
        group, slot = self._at(tree)
        return group.best_action(slot)

    def policy(self, tree: int, *, temperature: float = 1.0) -> NDArray[np.float32]:
        """[actions], by the visits; by the prior while no move was visited yet."""
        group, slot = self._at(tree)
        return group.policy(slot, temperature)

    @property
    def bytes(self) -> int:
        """Memory of all trees."""
        return sum(group.stats()["bytes"] for group in self._groups)

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

    def roll_out(self, seed: int) -> None:
        """The same without a network: a random game judges each leaf."""
        for group in self._groups:
            group.roll_out(seed)

    def _ask(self, index: int) -> Handle | None:
        """The next batch of a group with the judge, None when all its budgets are spent."""
        group, buffer = self._groups[index], self._buffers[index]
        while group.busy:
            if rows := group.gather(buffer):
                assert self._judge is not None
                return self._judge.submit(buffer[:rows])
            group.apply(*self._nothing)  # every leaf was known or a finished game
        return None

    def _make_buffers(self) -> list[NDArray[np.uint8]]:
        return [np.zeros((group.rows, *self._shape), np.uint8) for group in self._groups]

    def _at(self, tree: int) -> tuple[_core.Searches, int]:
        slot, group = divmod(tree, len(self._groups))
        return self._groups[group], slot
