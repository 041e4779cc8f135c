"""Random play: the floor under every rating."""

from __future__ import annotations

import random
from collections.abc import Mapping

from c4.native._core import Position


class RandomPlayer:
    title, called = "Chance", "chance"

    def __init__(self, *, seed: int) -> None:
        self.name = "random"
        self._seed = seed
        self.rounds = 0

    def begin(self, _slots: int, /) -> None:
        self.rounds += 1

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {
            slot: random.Random(f"{self._seed} {self.rounds} {slot} {position.ply}").choice(position.legal)
            for slot, position in positions.items()
        }
