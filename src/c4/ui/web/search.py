"""One search tree of one visitor, driven in chunks that take turns with those of other visitors."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Awaitable, Callable, Iterator
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
        self._users, self._dropped, self._crowded = 0, False, False
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

    @property
    def crowded(self) -> bool:
        """Whether the last search ended because the trees of all have what they may have."""
        return self._crowded

    @property
    def in_use(self) -> bool:
        return self._users > 0

    @property
    def dropped(self) -> bool:
        """Whether it made room for those of others, and was not asked since."""
        return self._dropped

    def drop(self) -> None:
        """Forgets the tree: it is grown again when it is asked for."""
        self._thinker, self._dropped = None, True

    async def set_params(self, params: SearchParams) -> None:
        self._params = params
        if self._thinker is not None:
            await self._house.search(self._thinker.set_params, params)

    async def think(self, position: Position, *, budget: Budget, on_step: OnStep = nobody) -> Analysis:
        """Until the budget is spent, the result is proven or the tree is as large as it may be."""
        with self._used():
            return await self._think(position, budget, on_step)

    async def choose(self, position: Position, *, budget: Budget) -> int:
        """The move to play, after thinking."""
        with self._used():
            await self._think(position, budget, nobody)
            assert self._thinker is not None
            return await self._house.search(self._thinker.choose, position)

    @contextlib.contextmanager
    def _used(self) -> Iterator[None]:
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1

    async def _think(self, position: Position, budget: Budget, on_step: OnStep) -> Analysis:
        thinker = await self._house.search(self._begin, position)
        web = self._house.config.web
        began = looked = time.monotonic()
        done = 0
        while True:
            chunk = self._chunk(thinker, budget, done=done, seconds=time.monotonic() - began)
            going = chunk > 0 and await self._house.search(thinker.advance, chunk)
            self._house.trees.note(self, thinker.tree_bytes + int(web.cache_megabytes * MEGABYTE))
            done += chunk
            if not going:
                return await self._house.search(analysis_of, thinker)
            if time.monotonic() - looked >= web.update_seconds:
                await on_step(await self._house.search(analysis_of, thinker))
                looked = time.monotonic()

    def _begin(self, position: Position) -> Thinker:
        if self._thinker is None:
            self._thinker = Thinker(
                position=position,
                params=self._params,
                judge=self._judge(),
                cache_megabytes=self._house.config.web.cache_megabytes,
                seed=self._seed,
            )
            self._dropped = False
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
        chunk = max(min(left), 0 if visits else 1)
        if visits > 0 and (late or self.full):
            chunk = 0
        self._crowded = chunk > 0 and visits > 0 and not self._house.trees.may_grow(self)
        return 0 if self._crowded else chunk
