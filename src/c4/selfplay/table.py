"""A native generator and the engine that judges its leaves: groups of games in turn, in a fixed order.

The engine works on one group of games while the trees of the next are walked. Nothing depends on which of the two is
faster. Knows nothing of what is wanted of the games.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from c4.games import GameSpec
from c4.native import _core
from c4.network.inference.engine import Handle, InferenceEngine, Nothing


class Table:
    """Where games are played."""

    def __init__(self, generator: _core.Generator, *, game: GameSpec, engine: InferenceEngine) -> None:
        self.generator, self.engine = generator, engine
        self._actions = game.actions
        shape = (generator.rows, game.planes, game.height, game.width)
        self._buffers = [np.zeros(shape, np.uint8) for _ in range(generator.groups)]

    def play(self, enough: Callable[[], bool]) -> None:
        """Asks `enough` after each batch. All answers are in when it returns."""
        waiting: list[Handle | None] = [self._ask(group) for group in range(self.generator.groups)]
        done = False
        while not done:
            for group, handle in enumerate(waiting):
                self._answer(group, handle)
                waiting[group] = None
                done = enough()
                if done:
                    break
                waiting[group] = self._ask(group)
        for group, handle in enumerate(waiting):
            self._answer(group, handle)

    def _ask(self, group: int) -> Handle:
        buffer = self._buffers[group]
        rows = self.generator.gather(buffer, group)
        return self.engine.submit(buffer[:rows]) if rows else Nothing(actions=self._actions)

    def _answer(self, group: int, handle: Handle | None) -> None:
        if handle is None:
            return
        policy_logits, value, plies_left = handle.result()
        self.generator.apply(policy_logits, value, plies_left, group)
