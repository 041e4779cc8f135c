"""Actors that play chunks, each as often as it takes until somebody has brought it, and counted once."""

from __future__ import annotations

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


class RayCrew:
    def __init__(self, begin: Callable[[], Actors[Chunk]], *, game: str, engine: InferenceEngine) -> None:
        """`begin` connects, when there is something to play. `engine` gets the weights too: it measures here."""
        self._begin, self._game, self._engine = begin, game, engine
        self._actors: Actors[Chunk] | None = None
        self._weights: Mapping[str, Any] = {}
        self._traffic = Traffic()

    def publish(self, weights: Mapping[str, Any]) -> None:
        self._engine.load(weights)
        self._weights = pack_weights(weights, halved=False)  # or the run would not be the one of a single process

    def play(
        self, chunks: Sequence[Chunk], *, version: int, openings: Openings, watch: Callable[[], bool]
    ) -> Iterator[Played]:
        actors = self._actors = self._actors or self._begin()
        orders = ray_module().put(Orders(version=version, weights=self._weights, openings=openings))
        self._traffic.published(size_of(self._weights))

        def ask(member: Member[Chunk], chunk: Chunk) -> Asked:
            actor, of = member.handle, (chunk.first, chunk.games, orders)
            return Asked(answer=actor.chunk.remote(*of), begun=actor.begun.remote(*of))

        missing, todo = set(chunks), deque(chunks)
        while missing:
            actors.keep()
            while todo and actors.give(todo[0], ask=lambda member: ask(member, todo[0])):
                todo.popleft()
            with self._traffic.waiting():
                heard = actors.wait(GLANCES)
            for done in heard:
                if done.answer is None:
                    todo.appendleft(done.job)
                elif done.job in missing:
                    missing.remove(done.job)
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
            self._actors = None
