"""A network that plays: its bare policy, or a search of any budget for each move. A tree lives as long as its game."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from c4.native._core import Position
from c4.network.inference.engine import Judge
from c4.params.knob import Params, knob
from c4.params.search import SearchParams
from c4.players.forest import Forest, as_played
from c4.players.player import PlayerWordError, SearchPlayer, whole


class NetworkPlayer(SearchPlayer):
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
        self.name = self.called = name
        self.params, self.judge, self.simulations = params, judge, simulations
        self._game, self._threads, self._cache_megabytes = game, threads, cache_megabytes
        self._forest: Forest | None = None

    def begin(self, slots: int) -> None:
        if self.simulations == 0:
            return
        self._forest = Forest(
            game=self._game,
            size=slots,
            params=as_played(self.params),
            judge=self.judge,
            threads=self._threads,
            cache_megabytes=self._cache_megabytes,
        )

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        if self.simulations == 0:
            return self._by_policy(positions)
        if self._forest is None:
            raise RuntimeError("begin was not called")
        for slot, position in positions.items():
            self._forest.follow(slot, position)
            self._forest.think(slot, self.simulations)
        self._forest.run()
        return {slot: self._forest.best_action(slot) for slot in positions}

    def _by_policy(self, positions: Mapping[int, Position]) -> dict[int, int]:
        assert self.judge is not None
        logits, _, _ = self.judge.evaluate(np.stack([position.planes() for position in positions.values()]))
        chosen = {}
        for (slot, position), row in zip(positions.items(), logits, strict=True):
            legal = position.legal
            chosen[slot] = legal[int(row[legal].argmax())]
        return chosen


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkKnobs(Params):
    checkpoint: str | None = knob("Whose network: champion, or a path; null: the one that is named elsewhere.")
    simulations: int = knob("Simulations per move; 0: the bare policy.", low=0, high=10_000_000)


class CheckpointPlayer(NetworkPlayer):
    """The network of a file."""

    knobs = NetworkKnobs

    def __init__(
        self,
        *,
        checkpoint: str | None,
        simulations: int,
        game: str,
        search: SearchParams,
        search_of: Callable[[str], SearchParams] | None,
        judge_of: Callable[[str], Judge],
        threads: int,
        cache_megabytes: float,
    ) -> None:
        if checkpoint is None:
            raise PlayerWordError("a network player needs a checkpoint: checkpoint=champion or checkpoint=PATH")
        super().__init__(
            name=f"{Path(checkpoint).stem}@{simulations}",
            game=game,
            judge=judge_of(checkpoint),
            params=search if search_of is None else search_of(checkpoint),
            simulations=simulations,
            threads=threads,
            cache_megabytes=cache_megabytes,
        )
        self.called = Path(checkpoint).stem

    @staticmethod
    def said(rest: str) -> dict[str, Any]:
        """PATH, or PATH@32."""
        path, _, amount = rest.rpartition("@") if "@" in rest else (rest, "", "")
        said: dict[str, Any] = {"checkpoint": path.removeprefix(":")} if path.removeprefix(":") else {}
        return said | ({"simulations": whole(amount)} if "@" in rest else {})
