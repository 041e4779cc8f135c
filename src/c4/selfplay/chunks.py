"""Self-play in chunks: ranges of games that are played from start to end under one set of weights.

What a chunk brings is decided by the seed, its range and the weights alone, so it may be played by anyone, twice, or
again. Whoever plays chunks is a crew; where it works is not known here.
"""

from __future__ import annotations

import dataclasses
import math
import threading
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
from c4.selfplay.local import since
from c4.selfplay.source import Glance, Harvest, Watch
from c4.selfplay.table import Table

Openings = Sequence[Sequence[int]]


@dataclasses.dataclass(frozen=True, kw_only=True, order=True)
class Chunk:
    """Games first, first + 1, ... of a run."""

    first: int
    games: int

    def has(self, numbers: Any) -> Any:
        """Whether a game is in it: of one number, or of an array of them."""
        return (numbers >= self.first) & (numbers < self.first + self.games)


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

    def generator(self, *, first: int, games: int | None = None) -> _core.Generator:
        """Of the games from `first` on, that many of them or without an end."""
        return _core.Generator(
            self.game.name, self.search, self.selfplay, seed=self.seed, first_game=first, games=games
        )

    def play(self, chunk: Chunk, *, version: int, openings: Openings, watch: Callable[[], bool]) -> Played | None:
        """None when `watch`, which is asked after each batch, ends it early."""
        sitting = Sitting(self, version=version, openings=openings)
        sitting.add(chunk)
        return next(sitting.play(watch), None)


class Sitting:
    """Chunks at one table under one set of weights: games of the next fill the places of those that have ended."""

    def __init__(self, playing: Playing, *, version: int, openings: Openings) -> None:
        self._playing, self._version, self._openings = playing, version, openings
        self._table: Table | None = None
        self._lock = threading.Lock()
        self._open: dict[Chunk, int] = {}  # games of it that have not ended
        self._up_to: dict[Chunk, int] = {}  # games that were added with it and before
        self._added = self.ended = 0  # games
        self._samples, self._games = empty(game=playing.game.name), list[Mapping[str, Any]]()  # of open chunks
        self._counted: Mapping[str, int] = {}

    def add(self, chunk: Chunk) -> None:
        """Also while another thread plays."""
        with self._lock:
            self._open[chunk] = chunk.games
            self._added += chunk.games
            self._up_to[chunk] = self._added
            if self._table is not None:
                self._table.generator.add_games(chunk.first, chunk.games)
                return
            playing = self._playing
            generator = playing.generator(first=chunk.first, games=chunk.games)
            generator.set_openings([list(opening) for opening in self._openings])
            generator.set_weights_version(self._version)
            self._table = Table(generator, game=playing.game, engine=playing.engine)
            self._counted = generator.stats()

    def has_begun(self, chunk: Chunk) -> bool:
        """Whether each game of it has a place by now. Games begin in the order in which they were added."""
        knobs = self._playing.selfplay
        return self._up_to.get(chunk, math.inf) <= self.ended + knobs.groups * knobs.games_per_group

    def play(self, watch: Callable[[], bool]) -> Iterator[Played]:
        """Each chunk once it is whole, until there is none, or `watch`, which is asked after each batch, ends it."""
        stopped = False

        def enough() -> bool:
            nonlocal stopped
            stopped = watch()
            return stopped or self._gather()

        while True:
            while whole := self._whole():
                yield whole
            if stopped or not self._open:
                return
            assert self._table is not None
            self._table.play(enough)
            self._gather()

    def _gather(self) -> bool:
        """Takes the games that have ended. Whether a chunk is whole by them."""
        assert self._table is not None
        ended = self._table.generator.take_games()
        if not ended:
            return False
        self._games += ended
        self._samples = np.concatenate([self._samples, self._table.generator.take_samples()])
        with self._lock:
            self.ended += len(ended)
            for game in ended:
                self._open[next(one for one in self._open if one.has(game["game_id"]))] -= 1
        return self._first_whole() is not None

    def _first_whole(self) -> Chunk | None:
        with self._lock:
            return next((one for one, left in self._open.items() if not left), None)

    def _whole(self) -> Played | None:
        chunk = self._first_whole()
        if chunk is None:
            return None
        assert self._table is not None
        mine = chunk.has(self._samples["game_id"])
        samples, self._samples = self._samples[mine], self._samples[~mine]
        games = [game for game in self._games if chunk.has(game["game_id"])]
        self._games = [game for game in self._games if not chunk.has(game["game_id"])]
        before, self._counted = self._counted, self._table.generator.stats()
        with self._lock:
            del self._open[chunk]
        return Played(
            chunk=chunk,
            samples=samples[np.argsort(samples["game_id"], kind="stable")],
            games=sorted(games, key=lambda game: game["game_id"]),
            counters={**since(before, self._counted), **_counted(games, samples=len(samples))},
        )


def _counted(games: Sequence[Mapping[str, Any]], *, samples: int) -> dict[str, int]:
    """What counts of these games alone; the work of searching them is shared with those that were played beside."""
    results = [game["result"] for game in games]
    return {
        "games": len(games),
        "plies": sum(len(game["actions"]) for game in games),
        "first_wins": sum(result > 0 for result in results),
        "second_wins": sum(result < 0 for result in results),
        "draws": results.count(0),
        "samples": samples,
    }


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
    """This process, all chunks at one table."""

    def __init__(self, playing: Playing) -> None:
        self._playing = playing

    def publish(self, weights: Mapping[str, Any]) -> None:
        self._playing.engine.load(weights)

    def play(
        self, chunks: Sequence[Chunk], *, version: int, openings: Openings, watch: Callable[[], bool]
    ) -> Iterator[Played]:
        sitting = Sitting(self._playing, version=version, openings=openings)
        for chunk in chunks:
            sitting.add(chunk)
        yield from sitting.play(watch)

    def figures(self) -> Mapping[str, float]:
        return {}

    def close(self) -> None:
        """Nobody else was asked."""


class ExactSource:
    """A generation is a range of games, played from start to end under its weights, put in order by their numbers.

    So a run is the same whoever plays, however many they are, and whatever becomes of them on the way.
    """

    def __init__(self, crew: Crew, *, game: GameSpec, chunk_games: int, least: int = 1, players: int = 1) -> None:
        """Games of the largest chunk and of the smallest; how many in the crew are to have the same to do."""
        self._crew, self._most, self._least, self._players = crew, chunk_games, least, players
        self._game = game.name
        self._most_samples = game.max_plies  # of a game
        self._openings: list[list[int]] = []
        self._games = 0  # in all generations before
        self._each = 0.0  # samples of a game of the newest; 0: there is none yet

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
            if kept:
                self._each = sum(len(one.samples) for one in kept) / sum(one.chunk.games for one in kept)
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
        return {"openings": self._openings, "games": self._games, "each": self._each}

    def restore(self, state: Mapping[str, Any]) -> None:
        if "games" not in state:
            raise ValueError("this run was begun with selfplay.mode=flowing, and keeps it")
        self.set_openings(state["openings"])
        self._games = int(state["games"])
        self._each = float(state["each"] if "each" in state else state["samples"] / max(self._games, 1))

    def close(self) -> None:
        self._crew.close()

    def _chunks(self, missing: int) -> list[Chunk]:
        """As many games as should bring what is missing, by those before; at first as few as can bring it. Chunks
        become smaller towards the end, so that all who play come to it at about the same time.
        """
        likely = missing * (1 + SPARE) / max(self._each, 1.0) if self._each else missing / self._most_samples
        left, chunks, first = max(1, math.ceil(likely)), list[Chunk](), self._games
        while left:
            share = max(-(-left // (SHARES * self._players)), self._least)
            games = min(share, self._most, left)
            chunks.append(Chunk(first=first, games=games))
            first, left = first + games, left - games
        return chunks


SPARE = 0.05  # games more than by the ones before: a few that are missing would be played alone, which takes long
SHARES = 4  # chunks that each player would take of what is left: fewer, and some wait in the end for who has the last

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
    "proofs",
)
