"""A crew whose actors are threads of this process: the games of one that plays alone, also when an actor is lost."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from tests.distributed.kit import contract, source_engine, source_params, weights
from tests.selfplay.kit import GAME, never

from c4.distributed import actors as actors_room
from c4.distributed import crew as crew_room
from c4.distributed.actors import Actors, Asked, Member
from c4.distributed.crew import RayCrew
from c4.distributed.worker import Worker, about_here
from c4.games import game_spec
from c4.selfplay.chunks import Chunk, ExactSource, LocalCrew, Playing
from c4.selfplay.source import Glance, Harvest, Watch

SPEC = game_spec(GAME)


STUCK = -1


class GoneError(Exception):
    """What a lost actor has for an answer."""


class Handle:
    """A worker with threads of its own, lost once it has been asked for so many chunks; with STUCK it brings none."""

    def __init__(self, *, lives: int | None) -> None:
        self._worker, self._lives, self._is_stuck = Worker(contract().plain(), threads=1), lives, lives == STUCK
        self.threads = ThreadPoolExecutor(40)
        names = ("hello", "chunk", "begun", "flow")
        self.hello, self.chunk, self.begun, self.flow = (self._method(name) for name in names)

    def _method(self, name: str) -> Any:
        def remote(*words: Any) -> Future[Any]:
            if name == "chunk" and self._lives is not None:
                self._lives -= 1
            if self._lives is None or self._lives > 0 or name == "hello":
                return self.threads.submit(getattr(self._worker, name), *words)
            lost: Future[Any] = Future()
            if not self._is_stuck:
                lost.set_exception(GoneError())
            return lost

        return SimpleNamespace(remote=remote)


class Threads:
    """The part of Ray that is asked."""

    exceptions = SimpleNamespace(RayTaskError=ZeroDivisionError, RayError=GoneError)

    put_versions: ClassVar[list[int]] = []

    def put(self, orders: Any) -> Any:
        self.put_versions.append(orders.version)
        return orders

    def wait(self, words: Sequence[Future[Any]], *, num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        wanted = concurrent.futures.FIRST_COMPLETED if num_returns == 1 else concurrent.futures.ALL_COMPLETED
        done, rest = concurrent.futures.wait(words, timeout, wanted)
        return list(done), list(rest)

    def get(self, word: Future[Any]) -> Any:
        return word.result()

    def cancel(self, word: Future[Any], *, force: bool) -> None:
        assert not force
        word.cancel()

    def kill(self, handle: Handle) -> None:
        handle.threads.shutdown(wait=False, cancel_futures=True)


@pytest.fixture(autouse=True)
def _ray(monkeypatch: pytest.MonkeyPatch) -> None:
    Threads.put_versions.clear()
    for room in (actors_room, crew_room):
        monkeypatch.setattr(room, "ray_module", Threads)


@pytest.fixture
def begin() -> Iterator[Callable[..., Callable[[], Actors[Any]]]]:
    made: list[Handle] = []

    def of(*lives: int | None) -> Callable[[], Actors[Any]]:
        """As many as are named; whoever is lost is replaced by one that lives on."""
        left = list(lives)

        def make(_: int) -> Handle:
            made.append(Handle(lives=left.pop(0) if left else None))
            return made[-1]

        params = source_params("selfplay.mode=exact", f"selfplay.actors={len(lives)}")
        return lambda: Actors(make, params=params, here=about_here(), disconnect=lambda: None)

    yield of
    for handle in made:
        handle.threads.shutdown(wait=True, cancel_futures=True)


def generations(source: ExactSource, *, watch: Watch = never) -> list[Harvest]:
    """Three, under as many versions of weights."""
    harvests = []
    for version in range(3):
        source.publish(weights(version))
        harvests.append(source.collect(wanted=300, version=version, watch=watch))
    return harvests


@pytest.fixture(scope="module")
def alone() -> list[Harvest]:
    made, engine = contract(), source_engine()
    playing = Playing(game=SPEC, search=made.search, selfplay=made.selfplay, seed=made.seed, engine=engine)
    return generations(ExactSource(LocalCrew(playing), game=SPEC, chunk_games=100))


@pytest.mark.parametrize("lives", [(None,), (None, None, None), (2, 5), (1, 1, 4)], ids=str)
def test_it_plays_what_one_would_alone(
    alone: list[Harvest], begin: Callable[..., Callable[[], Actors[Any]]], lives: tuple[int | None, ...]
) -> None:
    crew = RayCrew(begin(*lives), game=GAME, engine=source_engine())
    found = generations(ExactSource(crew, game=SPEC, chunk_games=9, least=2, players=len(lives)))
    for one, other in zip(found, alone, strict=True):
        assert np.array_equal(one.samples, other.samples)
        assert one.games == other.games
        assert one.counters["games"] == other.counters["games"]
    assert found[-1].figures["actors/lost"] == sum(live is not None for live in lives)
    assert 0.0 <= found[-1].figures["actors/idle_share"] <= 1.0
    assert Threads.put_versions == [0, 1, 2]  # weights go to the object store once, however often chunks are given out
    crew.close()


def test_what_a_stuck_actor_has_is_played_by_another(
    alone: list[Harvest], begin: Callable[..., Callable[[], Actors[Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, seen = [0.0], [-1]
    monkeypatch.setattr(crew_room, "time", SimpleNamespace(monotonic=lambda: clock[0]))

    def watch(glance: Glance) -> bool:
        clock[0] += glance.samples == seen[-1]  # a second passes when nothing has come
        seen.append(glance.samples)
        assert clock[0] < 1000  # or it would wait without end
        return False

    crew = RayCrew(begin(None, STUCK), game=GAME, engine=source_engine())
    found = generations(ExactSource(crew, game=SPEC, chunk_games=9, least=2, players=2), watch=watch)
    for one, other in zip(found, alone, strict=True):
        assert np.array_equal(one.samples, other.samples)
        assert one.counters["games"] == other.counters["games"]
    assert found[-1].figures["actors/lost"] == 0
    crew.close()


def test_nobody_is_given_a_chunk_twice(
    begin: Callable[..., Callable[[], Actors[Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an actor dies with what another has been given besides: its games would be played and counted twice."""
    monkeypatch.setattr(crew_room, "LATE", 0.0)  # whoever is idle is given what is not there at once
    asked: list[tuple[int, Chunk]] = []
    actors = begin(1, None)()
    actors.keep()
    while len(actors.alive) < 2:
        actors.wait(1.0)
    crew = RayCrew(lambda: actors, game=GAME, engine=source_engine())
    crew.publish(weights(0))
    give = Actors[Chunk].give
    monkeypatch.setattr(actors, "keep", lambda: None)  # nobody follows who dies

    def noted(self: Actors[Chunk], job: Chunk, *, ask: Callable[[Member[Chunk]], Asked], idle: bool = False) -> bool:
        return give(self, job, ask=lambda member: (asked.append((member.number, job)), ask(member))[1], idle=idle)

    monkeypatch.setattr(Actors, "give", noted)
    only = Chunk(first=0, games=300)
    played = list(crew.play([only], version=0, openings=[], watch=lambda: False))
    assert [one.chunk for one in played] == [only]
    assert asked[:2] == [(0, only), (1, only)]  # the first dies of it
    assert len(set(asked)) == len(asked)
    crew.close()
