"""Self-play in this process: games go on from one generation to the next, under the newest weights.

The same seed and weights give the same samples.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from c4.games import GameSpec
from c4.native import _core
from c4.network.inference.engine import InferenceEngine
from c4.params.search import SearchParams
from c4.params.selfplay import SelfplayParams
from c4.selfplay.source import Glance, Harvest, Watch
from c4.selfplay.table import Table


class LocalSource:
    """Many games at once in this process."""

    def __init__(
        self, *, game: GameSpec, search: SearchParams, selfplay: SelfplayParams, engine: InferenceEngine, seed: int
    ) -> None:
        self.engine = engine
        self._rank = 0

        def begin(rank: int) -> _core.Generator:
            own = seed if rank == 0 else int(np.random.SeedSequence([seed, rank]).generate_state(1, np.uint64)[0])
            return _core.Generator(game.name, search, selfplay, seed=own)

        self._begin, self._seat = begin, partial(Table, game=game, engine=engine)
        self._generator = begin(0)
        self._table = self._seat(self._generator)
        self._openings: list[list[int]] = []

    def play_as(self, rank: int) -> bool:
        if rank != self._rank:
            self._rank, self._generator = rank, self._begin(rank)
            self._table = self._seat(self._generator)
            self.set_openings(self._openings)
        return True

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
                counters=since(before, generator.stats()),
                seconds=time.monotonic() - start,
            )

        self._table.play(lambda: generator.samples_ready >= wanted or watch(glance()))
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
        if "generator" not in state:
            raise ValueError("this run was begun with another selfplay.mode, or with actors, and keeps that")
        self._generator.restore(state["generator"].numpy().tobytes())

    def close(self) -> None:
        """There is nothing elsewhere."""


def since(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """What counters have counted between two looks."""
    return {name: count - before[name] for name, count in now.items()}
