"""A network that plays: its bare policy, or a search of any budget for each move. A tree lives as long as its game."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from c4.native._core import Position
from c4.network.inference.engine import Judge
from c4.params.search import SearchParams
from c4.players.forest import Forest, as_played


class NetworkPlayer:
    def __init__(
        self,
        *,
        name: str,
        game: str,
        judge: Judge,
        params: SearchParams,
        simulations: int,
        threads: int,
        cache_megabytes: float,
    ) -> None:
        self.name = name
        self._game, self._judge, self._params, self._simulations = game, judge, as_played(params), simulations
        self._threads, self._cache_megabytes = threads, cache_megabytes
        self._forest: Forest | None = None

    def begin(self, slots: int) -> None:
        if self._simulations == 0:
            return
        self._forest = Forest(
            game=self._game,
            size=slots,
            params=self._params,
            judge=self._judge,
            threads=self._threads,
            cache_megabytes=self._cache_megabytes,
        )

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        if self._simulations == 0:
            return self._by_policy(positions)
        if self._forest is None:
            raise RuntimeError("begin was not called")
        for slot, position in positions.items():
            self._forest.follow(slot, position)
            self._forest.think(slot, self._simulations)
        self._forest.run()
        return {slot: self._forest.best_action(slot) for slot in positions}

    def _by_policy(self, positions: Mapping[int, Position]) -> dict[int, int]:
        logits, _, _ = self._judge.evaluate(np.stack([position.planes() for position in positions.values()]))
        chosen = {}
        for (slot, position), row in zip(positions.items(), logits, strict=True):
            legal = position.legal
            chosen[slot] = legal[int(row[legal].argmax())]
        return chosen
