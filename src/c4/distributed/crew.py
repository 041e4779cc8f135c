"""Actors that play chunks, each as often as it takes until somebody has brought it, and counted once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from c4.distributed.actors import Actors, Asked, Member
from c4.distributed.cluster import ray_module
from c4.distributed.traffic import Traffic
from c4.distributed.wire import pack_weights, size_of, unpack
from c4.distributed.worker import Orders
from c4.network.inference.engine import InferenceEngine
from c4.selfplay.chunks import Chunk, Openings, Played

GLANCES = 0.2  # seconds between two looks at whether to stop
LATE = 2.0  # times what the slowest of the chunks took that have come, and at least so many seconds


class RayCrew:
    def __init__(self, begin: Callable[[], Actors[Chunk]], *, game: str, engine: InferenceEngine) -> None:
        """`begin` connects, when there is something to play. `engine` gets the weights too: it measures here."""
        self._begin, self._game, self._engine = begin, game, engine
        self._actors: Actors[Chunk] | None = None
        self._weights: Mapping[str, Any] = {}
        self._orders: tuple[tuple[int, Openings], Any] | None = None  # what they are for, and where they lie
        self._traffic = Traffic()

    def publish(self, weights: Mapping[str, Any]) -> None:
        self._engine.load(weights)
        self._orders = None
        self._weights = pack_weights(weights)  # or the run would not be the one of a single process

    def play(
        self, chunks: Sequence[Chunk], *, version: int, openings: Openings, watch: Callable[[], bool]
    ) -> Iterator[Played]:
        actors = self._actors = self._actors or self._begin()
        orders = self._ordered(version, openings)

        def ask(chunk: Chunk) -> Callable[[Member[Chunk]], Asked]:
            of = chunk.first, chunk.games, orders
            return lambda member: Asked(answer=member.handle.chunk.remote(*of), begun=member.handle.begun.remote(*of))

        missing, todo = set(chunks), deque(chunks)
        given, slowest = dict[Chunk, float](), 1.0
        while missing:
            actors.keep()
            while todo and actors.give(todo[0], ask=ask(todo[0])):
                given[todo.popleft()] = time.monotonic()
            if not todo:  # whoever has nothing to do plays what somebody slow has, too
                late = min(missing, key=given.__getitem__)
                is_late = time.monotonic() - given[late] > LATE * slowest
                if is_late and actors.give(late, ask=ask(late), idle=True):
                    given[late] = time.monotonic()
            self._traffic.given_out(actors.jobs_out)
            with self._traffic.waiting():
                heard = actors.wait(GLANCES)
            for done in heard:
                if done.job not in missing:  # somebody else has brought it
                    continue
                if done.answer is None:
                    if not actors.has(done.job):  # nor plays it still; who plays a chunk is never given it again
                        todo.appendleft(done.job)
                else:
                    missing.remove(done.job)
                    slowest = max(slowest, time.monotonic() - given[done.job])
                    played = unpack(done.answer, game=self._game)
                    self._traffic.arrived(len(done.answer), samples=len(played.samples))
                    yield played
            if watch():
                actors.forget()
                return

    def figures(self) -> Mapping[str, float]:
        if self._actors is None:
            return {}
        return self._traffic.figures(alive=len(self._actors.alive), lost=self._actors.lost)

    def close(self) -> None:
        if self._actors is not None:
            self._actors.end()
            self._actors = self._orders = None

    def _ordered(self, version: int, openings: Openings) -> Any:
        """Weights go to the object store once, however often there is something to play under them."""
        if self._orders is None or self._orders[0] != (version, openings):
            orders = Orders(game=self._game, version=version, weights=self._weights, openings=openings)
            self._orders = (version, openings), ray_module().put(orders)
            self._traffic.published(size_of(self._weights))
        return self._orders[1]
