"""Self-play in this process: the native generator's leaves, judged by an inference engine, in a fixed order.

The engine works on one group of games while the trees of the next are walked. Nothing depends on which of the two
is faster, so the same seed and weights give the same samples.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from c4.games import GameSpec
from c4.native import _core
from c4.network.inference.engine import Handle, InferenceEngine, Nothing
from c4.params.search import SearchParams
from c4.params.selfplay import SelfplayParams
from c4.selfplay.source import Glance, Harvest, Watch


class LocalSource:
    """Many games at once in this process."""

    def __init__(
        self, *, game: GameSpec, search: SearchParams, selfplay: SelfplayParams, engine: InferenceEngine, seed: int
    ) -> None:
        self.engine = engine
        self._actions = game.actions
        self._generator = _core.Generator(
            game.name,
            search,
            selfplay,
            seed=seed,
        )
        shape = (self._generator.rows, game.planes, game.height, game.width)
        self._buffers = [np.zeros(shape, np.uint8) for _ in range(self._generator.groups)]
        self._openings: list[list[int]] = []

    def publish(self, weights: Mapping[str, Any]) -> None:
        self.engine.load(weights)

    def collect(self, *, wanted: int, version: int, watch: Watch) -> Harvest:
        generator = self._generator
        generator.set_weights_version(version)
        before, start = generator.stats(), time.monotonic()

        def glance() -> Glance:
            return Glance(
                samples=generator.samples_ready,
                wanted=wanted,
                counters=_since(before, generator.stats()),
                seconds=time.monotonic() - start,
            )

        self._play(wanted=wanted, watch=watch, glance=glance)
        last = glance()
        return Harvest(
            samples=generator.take_samples(),
            games=generator.take_games(),
            counters=last.counters,
            seconds=last.seconds,
        )

    def set_openings(self, openings: Sequence[Sequence[int]]) -> None:
        self._openings = [list(opening) for opening in openings]
        self._generator.set_openings(self._openings)

    def state(self) -> dict[str, Any]:
        return {
            "generator": torch.frombuffer(bytearray(self._generator.state()), dtype=torch.uint8),
            "openings": self._openings,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.set_openings(state["openings"])
        self._generator.restore(state["generator"].numpy().tobytes())

    def _play(self, *, wanted: int, watch: Watch, glance: Callable[[], Glance]) -> None:
        generator = self._generator
        waiting: list[Handle | None] = [self._ask(group) for group in range(generator.groups)]
        done = False
        while not done:
            for group, handle in enumerate(waiting):
                self._answer(group, handle)
                waiting[group] = None
                done = generator.samples_ready >= wanted or watch(glance())
                if done:
                    break
                waiting[group] = self._ask(group)
        for group, handle in enumerate(waiting):
            self._answer(group, handle)

    def _ask(self, group: int) -> Handle:
        buffer = self._buffers[group]
        rows = self._generator.gather(buffer, group)
        return self.engine.submit(buffer[:rows]) if rows else Nothing(actions=self._actions)

    def _answer(self, group: int, handle: Handle | None) -> None:
        if handle is None:
            return
        policy_logits, value, plies_left = handle.result()
        self._generator.apply(policy_logits, value, plies_left, group)


def _since(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    return {name: count - before[name] for name, count in now.items()}
