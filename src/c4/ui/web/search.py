"""One search tree of one visitor, driven in chunks that take turns with those of other visitors."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Awaitable, Callable
from functools import partial

from c4.native._core import Position
from c4.network.inference.engine import Judge
from c4.params.search import SearchParams
from c4.players.forest import as_played
from c4.players.thinker import Thinker
from c4.ui.analysis import Analysis, analysis_of
from c4.ui.web.house import House

MEGABYTE = 1 << 20


@dataclasses.dataclass(frozen=True, kw_only=True)
class Budget:
    """visits: of the root in all; simulations: new ones. The first that is spent ends the search; without any of them
    it goes on until it is cancelled or the tree is full."""

    visits: int | None = None
    simulations: int | None = None
    seconds: float | None = None


OnStep = Callable[[Analysis], Awaitable[None]]


async def nobody(_: Analysis) -> None:
    """Looks at nothing."""


def analysis_by(house: House, name: str) -> SharedSearch:
    """Without noise, by a network of the house or by rollouts."""
    return SharedSearch(house, judge=partial(house.judge, name), params=as_played(house.search_of(name)))


class SharedSearch:
    def __init__(self, house: House, *, judge: Callable[[], Judge | None], params: SearchParams) -> None:
        """`judge` may take its time, and gives None where rollouts judge."""
        self._house, self._judge, self._params = house, judge, params
        self._thinker: Thinker | None = None
        self._seed = house.config.seed + house.number()

    @property
    def thinker(self) -> Thinker | None:
        """The tree, once there is one."""
        return self._thinker

    @property
    def full(self) -> bool:
        """Whether the tree is as large as it may be."""
        most = self._house.config.web.tree_megabytes * MEGABYTE
        return self._thinker is not None and self._thinker.tree_bytes > most

    async def set_params(self, params: SearchParams) -> None:
        self._params = params
        if self._thinker is not None:
            await self._house.search(self._thinker.set_params, params)

    async def think(self, position: Position, *, budget: Budget, on_step: OnStep = nobody) -> Analysis:
        """Until the budget is spent, the result is proven or the tree is as large as it may be."""
        thinker = await self._house.search(self._begin, position)
        web = self._house.config.web
        began = looked = time.monotonic()
        done = 0
        while True:
            chunk = self._chunk(thinker, budget, done=done, seconds=time.monotonic() - began)
            going = chunk > 0 and await self._house.search(thinker.advance, chunk)
            done += chunk
            if not going:
                return await self._house.search(analysis_of, thinker)
            if time.monotonic() - looked >= web.update_seconds:
                await on_step(await self._house.search(analysis_of, thinker))
                looked = time.monotonic()

    async def choose(self, position: Position) -> int:
        """The move to play after thinking."""
        assert self._thinker is not None
        return await self._house.search(self._thinker.choose, position)

    def _begin(self, position: Position) -> Thinker:
        if self._thinker is None:
            self._thinker = Thinker(
                position=position,
                params=self._params,
                judge=self._judge(),
                cache_megabytes=self._house.config.web.cache_megabytes,
                seed=self._seed,
            )
        self._thinker.begin(position)
        return self._thinker

    def _chunk(self, thinker: Thinker, budget: Budget, *, done: int, seconds: float) -> int:
        """Simulations to come next, 0 at the end. A root without one simulation knows nothing to say."""
        web, visits = self._house.config.web, thinker.root().visits
        left = [web.chunk]
        if budget.visits is not None:
            left.append(min(budget.visits, web.most_simulations) - visits)
        if budget.simulations is not None:
            left.append(min(budget.simulations, web.most_simulations) - done)
        late = budget.seconds is not None and seconds >= min(budget.seconds, web.most_seconds)
        if visits > 0 and (late or self.full):
            return 0
        return max(min(left), 0 if visits else 1)
