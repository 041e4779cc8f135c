"""Self-play in chunks: ranges of games that are played from start to end under one set of weights.

What a chunk brings is decided by the seed, its range and the weights alone, so it may be played by anyone, twice, or
again. Whoever plays chunks is a crew; where it works is not known here.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from c4.games import GameSpec
from c4.native import _core
from c4.network.inference.engine import InferenceEngine
from c4.params.search import SearchParams
from c4.params.selfplay import SelfplayParams
from c4.replay.samples import Samples, empty
from c4.selfplay.source import Glance, Harvest, Watch
from c4.selfplay.table import Table

Openings = Sequence[Sequence[int]]


@dataclasses.dataclass(frozen=True, kw_only=True, order=True)
class Chunk:
    """Games first, first + 1, ... of a run."""

    first: int
    games: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Played:
    """What a chunk brought: samples and games in the order of the games' numbers."""

    chunk: Chunk
    samples: Samples
    games: Sequence[Mapping[str, Any]]
    counters: Mapping[str, int]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Playing:
    """All that decides a chunk besides its range and the weights, and the engine that judges."""

    game: GameSpec
    search: SearchParams
    selfplay: SelfplayParams
    seed: int
    engine: InferenceEngine

    def play(self, chunk: Chunk, *, version: int, openings: Openings, watch: Callable[[], bool]) -> Played | None:
        """None when `watch`, which is asked after each batch, ends it early."""
        at_once = -(-chunk.games // self.selfplay.groups)
        knobs = dataclasses.replace(self.selfplay, games_per_group=min(self.selfplay.games_per_group, at_once))
        generator = _core.Generator(
            self.game.name, self.search, knobs, seed=self.seed, first_game=chunk.first, games=chunk.games
        )
        generator.set_openings([list(opening) for opening in openings])
        generator.set_weights_version(version)
        stopped = False

        def enough() -> bool:
            nonlocal stopped
            stopped = watch()
            return stopped or generator.stats()["games"] == chunk.games

        Table(generator, game=self.game, engine=self.engine).play(enough)
        if stopped:
            return None
        samples = generator.take_samples()
        return Played(
            chunk=chunk,
            samples=samples[np.argsort(samples["game_id"], kind="stable")],
            games=sorted(generator.take_games(), key=lambda game: game["game_id"]),
            counters=generator.stats(),
        )


class Crew(Protocol):
    """Plays chunks, somewhere."""

    def publish(self, weights: Mapping[str, Any]) -> None:
        """Chunks that are begun from now on are played under these."""

    def play(
        self, chunks: Sequence[Chunk], *, version: int, openings: Openings, watch: Callable[[], bool]
    ) -> Iterator[Played]:
        """Each of them once, in any order. `watch` is asked again and again; once it says so, no more will come."""

    def figures(self) -> Mapping[str, float]:
        """What there is to say of the crew since it was asked last, by the names of metrics."""

    def close(self) -> None:
        """Lets it go. To play on calls it anew."""


class LocalCrew:
    """This process, one chunk after another."""

    def __init__(self, playing: Playing) -> None:
        self._playing = playing

    def publish(self, weights: Mapping[str, Any]) -> None:
        self._playing.engine.load(weights)

    def play(
        self, chunks: Sequence[Chunk], *, version: int, openings: Openings, watch: Callable[[], bool]
    ) -> Iterator[Played]:
        for chunk in chunks:
            played = self._playing.play(chunk, version=version, openings=openings, watch=watch)
            if played is None:
                return
            yield played

    def figures(self) -> Mapping[str, float]:
        return {}

    def close(self) -> None:
        """Nobody else was asked."""


class ExactSource:
    """A generation is a range of games, played from start to end under its weights, put in order by their numbers.

    So a run is the same whoever plays, however many they are, and whatever becomes of them on the way.
    """

    def __init__(self, crew: Crew, *, game: GameSpec, chunk_games: int) -> None:
        self._crew, self._chunk_games = crew, chunk_games
        self._game = game.name
        self._most_samples = game.max_plies  # of a game
        self._openings: list[list[int]] = []
        self._games = self._samples = 0  # in all generations before

    def play_as(self, rank: int) -> bool:  # noqa: ARG002
        return False

    def publish(self, weights: Mapping[str, Any]) -> None:
        self._crew.publish(weights)

    def collect(self, *, wanted: int, version: int, watch: Watch) -> Harvest:
        began = time.monotonic()
        counters: Counter[str] = Counter()
        ready = 0
        stopped = False

        def look() -> bool:
            nonlocal stopped
            glance = Glance(samples=ready, wanted=wanted, counters=counters, seconds=time.monotonic() - began)
            stopped = stopped or watch(glance)
            return stopped

        kept: list[Played] = []
        while ready < wanted and not stopped:
            chunks = self._chunks(wanted - ready)
            played = {}
            for one in self._crew.play(chunks, version=version, openings=self._openings, watch=look):
                played[one.chunk] = one
                ready += len(one.samples)
                counters.update(one.counters)
            for chunk in chunks:  # what a chunk that is missing would have come before is played again
                if chunk not in played:
                    break
                kept.append(played[chunk])
                self._games += chunk.games
                self._samples += len(played[chunk].samples)
        counters = Counter(dict.fromkeys(COUNTERS, 0))
        for one in kept:
            counters.update(one.counters)
        return Harvest(
            samples=np.concatenate([empty(game=self._game), *(one.samples for one in kept)]),
            games=[game for one in kept for game in one.games],
            counters=counters,
            seconds=time.monotonic() - began,
            figures=self._crew.figures(),
        )

    def set_openings(self, openings: Openings) -> None:
        self._openings = [list(opening) for opening in openings]

    def state(self) -> dict[str, Any]:
        return {"openings": self._openings, "games": self._games, "samples": self._samples}

    def restore(self, state: Mapping[str, Any]) -> None:
        if "games" not in state:
            raise ValueError("this run was begun with selfplay.mode=flowing, and keeps it")
        self.set_openings(state["openings"])
        self._games, self._samples = int(state["games"]), int(state["samples"])

    def close(self) -> None:
        self._crew.close()

    def _chunks(self, missing: int) -> list[Chunk]:
        """As many games as should bring what is missing, by those before; at first as few as can bring it."""
        each = self._samples / self._games if self._games else self._most_samples
        games = max(1, math.ceil(missing / max(each, 1.0)))
        most = self._chunk_games
        return [Chunk(first=self._games + done, games=min(most, games - done)) for done in range(0, games, most)]


COUNTERS = (
    "games",
    "plies",
    "first_wins",
    "second_wins",
    "draws",
    "samples",
    "simulations",
    "evaluations",
    "cache_hits",
    "terminal_hits",
)
