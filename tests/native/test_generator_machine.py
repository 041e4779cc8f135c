"""Generators under any order of calls: the games are those of a twin that nobody disturbs, and each is there once."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN
from tests.examples import examples
from tests.native.test_generator import SELFPLAY, new_generator, samples_by_game

from c4.native import _core
from c4.native._core import Generator
from c4.params.search import RootSelection, SearchParams

GAME, ACTIONS, MOST_ROWS, GROUPS = "tictactoe", 9, 32, 3
SEARCH = dataclasses.replace(PLAIN, num_simulations=6)
SHAPE: dict[str, Any] = {
    "game": GAME, "groups": GROUPS, "games_per_group": 2, "fast_simulations": 2, "full_search_probability": 0.5,
    "random_opening_probability": 0.3, "random_opening_plies": 3, "book_probability": 0.3, "value_trace": 0.9,
}  # fmt: skip
KNOBS = [
    SEARCH,
    dataclasses.replace(SEARCH, num_simulations=12, cpuct=1.0, mlh_slope=0.1, leaves_per_batch=4),
    dataclasses.replace(SEARCH, root_selection=RootSelection.GUMBEL, leaves_per_batch=2),
    dataclasses.replace(SEARCH, proven_results=True, reuse_tree=False, early_stop=True),
    dataclasses.replace(SEARCH, proven_results=True, root_selection=RootSelection.GUMBEL),
]
BOOKS: list[list[list[int]]] = [[], [[4]], [[0, 8], [], [1, 4, 7]]]
BAD_BOOKS: list[list[list[int]]] = [[[0, 0]], [[9]], [[-1]], [[4], [0, 3, 1, 4, 2]]]
COUNTED = ("games", "plies", "first_wins", "second_wins", "draws", "samples")

groups, threads = st.integers(0, GROUPS - 1), st.integers(1, 3)


@functools.cache
def network(version: int) -> HashEvaluator:
    return HashEvaluator(game=GAME, salt=version % 3)


def answer(planes: np.ndarray, *, version: int = 0) -> tuple[np.ndarray, ...]:
    return network(version).batch(planes)


def room(rows: int = MOST_ROWS) -> np.ndarray:
    return np.zeros((rows, 3, 3, 3), np.uint8)


def bad_planes() -> list[np.ndarray]:
    locked = room()
    locked.flags.writeable = False
    return [room(1)[:0], room().astype(np.float32), room()[:, :2], room()[::2], locked]


def bad_answers(planes: np.ndarray) -> list[tuple[np.ndarray, ...]]:
    """To what was asked."""
    logits, value, plies = answer(planes)
    bad = [(logits[:, :4], value, plies), (logits.astype(np.float64), value, plies), (logits, value, plies[:0])]
    longer = np.zeros(len(planes) + 1, np.float32)
    bad.append((np.zeros((len(longer), ACTIONS), np.float32), longer, longer))
    for place, odd in ((0, np.nan), (1, np.inf), (2, -np.inf)):
        parts = [logits.copy(), value.copy(), plies.copy()]
        if len(planes):
            parts[place].flat[-1] = odd
            bad.append((parts[0], parts[1], parts[2]))
    return [each for each in bad if not (len(planes) == 0 and each[2] is plies[:0])]


class Told:
    """What a generator has told: taken from it bit by bit."""

    def __init__(self) -> None:
        self.games: list[dict[str, Any]] = []
        self.samples: list[np.ndarray] = []

    def take(self, generator: Generator) -> None:
        ready = generator.samples_ready
        self.samples.append(generator.take_samples())
        assert len(self.samples[-1]) == ready
        self.games += generator.take_games()

    def copy(self) -> Told:
        other = Told()
        other.games, other.samples = [*self.games], [*self.samples]
        return other

    def by_game(self) -> dict[int, bytes]:
        return samples_by_game(np.concatenate([np.zeros(0, _core.sample_dtype(GAME)), *self.samples]))

    def check(self, stats: dict[str, int]) -> None:
        """Counters, games and samples tell one story."""
        results = [game["result"] for game in self.games]
        counted = [len(results), sum(len(game["actions"]) for game in self.games)]
        counted += [results.count(1), results.count(-1), results.count(0), sum(map(len, self.samples))]
        assert counted == [stats[name] for name in COUNTED]
        numbers = [game["game_id"] for game in self.games]
        assert len(numbers) == len(set(numbers))
        full = {game["game_id"]: sum(flags & _core.FULL_SEARCH > 0 for flags in game["flags"]) for game in self.games}
        sampled = np.concatenate([np.zeros(0, np.int64), *(samples["game_id"] for samples in self.samples)])
        assert {number: int((sampled == number).sum()) for number in numbers} == full
        assert set(sampled.tolist()) <= set(numbers)


@contextmanager
def refused(generator: Generator, error: type[Exception], *, stateless: bool = False) -> Iterator[None]:
    """What stands here raises, and nothing has changed."""
    before = None if stateless else generator.state()
    others = generator.stats(), generator.samples_ready, generator.rows
    with pytest.raises(error):
        yield
    assert (generator.stats(), generator.samples_ready, generator.rows) == others
    assert stateless or generator.state() == before


class Disturbed(RuleBasedStateMachine):
    """A generator that goes on from game to game, and a twin that is told the same and asked for nothing."""

    @initialize(seed=st.integers(0, 2**64 - 1), threads=threads)
    def begin(self, seed: int, threads: int) -> None:
        self.seed, self.version = seed, 0
        self.search, self.book = SEARCH, BOOKS[0]
        self.subject, self.twin = self.new(threads), self.new(1)
        self.out: dict[int, np.ndarray] = {}  # batches, by group
        self.told = Told()
        self.saved: tuple[bytes, bytes, Told, int] | None = None

    def new(self, threads: int) -> Generator:
        return new_generator(seed=self.seed, search=self.search, num_threads=threads, **SHAPE)

    @rule(group=groups)
    def gather(self, group: int) -> None:
        if group in self.out:
            with refused(self.subject, RuntimeError):
                self.subject.gather(room(), group)
            return
        planes, twins = room(), room()
        rows = self.subject.gather(planes, group)
        assert rows == self.twin.gather(twins, group)
        assert np.array_equal(planes, twins)
        assert not planes[rows:].any()
        self.out[group] = planes[:rows]

    @rule(group=groups)
    def apply(self, group: int) -> None:
        if group not in self.out:
            with refused(self.subject, RuntimeError):
                self.subject.apply(*answer(room(0)), group)
            return
        said = answer(self.out.pop(group), version=self.version)
        for generator in (self.subject, self.twin):
            generator.apply(*said, group)

    @rule(rounds=st.integers(1, 40))
    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            for group in range(GROUPS):
                if group not in self.out:
                    self.gather(group)
                self.apply(group)

    @rule(version=st.integers(0, 2**31 - 1))
    def new_weights(self, version: int) -> None:
        self.version = version
        self.out.clear()
        for generator in (self.subject, self.twin):
            generator.set_weights_version(version)

    @rule(book=st.sampled_from(BOOKS))
    def new_book(self, book: list[list[int]]) -> None:
        self.book = book
        for generator in (self.subject, self.twin):
            generator.set_openings(book)

    @rule(search=st.sampled_from(KNOBS))
    def turn_knobs(self, search: SearchParams) -> None:
        if self.out:
            with refused(self.subject, RuntimeError):
                self.subject.set_params(search)
            return
        self.search = search
        for generator in (self.subject, self.twin):
            generator.set_params(search)

    @rule()
    def take(self) -> None:
        self.told.take(self.subject)
        self.told.check(self.subject.stats())

    @rule()
    def save(self) -> None:
        self.saved = self.subject.state(), self.twin.state(), self.told.copy(), self.version

    @precondition(lambda self: self.saved is not None)
    @rule(threads=st.none() | threads)
    def restore(self, threads: int | None) -> None:
        """Into itself, or into another that takes its place."""
        assert self.saved is not None
        ours, twins, told, self.version = self.saved
        if threads is not None:
            self.subject = self.new(threads)
            self.subject.set_openings(self.book)
        self.subject.restore(ours)
        self.twin.restore(twins)
        assert self.subject.state() == ours
        self.told = told.copy()
        self.out.clear()

    @rule(book=st.sampled_from(BAD_BOOKS))
    def offer_a_bad_book(self, book: list[list[int]]) -> None:
        with refused(self.subject, ValueError):
            self.subject.set_openings(book)

    @rule(which=st.integers(0, 4), group=groups)
    def offer_bad_planes(self, which: int, group: int) -> None:
        with refused(self.subject, ValueError):
            self.subject.gather(bad_planes()[which], group)

    @rule(group=st.sampled_from([-1, GROUPS, 2**31 - 1, -(2**31)]))
    def ask_a_group_that_is_not_there(self, group: int) -> None:
        with refused(self.subject, IndexError):
            self.subject.gather(room(), group)
        with refused(self.subject, IndexError):
            self.subject.apply(*answer(room(0)), group)

    @precondition(lambda self: self.out)
    @rule(which=st.integers(0, 6), data=st.data())
    def answer_badly(self, which: int, data: st.DataObject) -> None:
        group = data.draw(st.sampled_from(sorted(self.out)))
        bad = bad_answers(self.out[group])
        with refused(self.subject, ValueError):
            self.subject.apply(*bad[which % len(bad)], group)

    @rule(cut=st.integers(0, 10_000), other=st.binary(max_size=9))
    def restore_what_is_no_state(self, cut: int, other: bytes) -> None:
        whole = self.subject.state()
        for bad in (whole[: cut % len(whole)], other, whole + b"x", new_generator(**SHAPE | {"groups": 1}).state()):
            with refused(self.subject, ValueError):
                self.subject.restore(bad)

    @rule()
    def add_games_to_what_has_no_end(self) -> None:
        with refused(self.subject, RuntimeError):
            self.subject.add_games(5, 1)

    @invariant()
    def counts_as_its_twin(self) -> None:
        ours, twins = self.subject.stats(), self.twin.stats()
        assert [ours[name] for name in COUNTED] == [twins[name] for name in COUNTED]
        assert ours["first_wins"] + ours["second_wins"] + ours["draws"] == ours["games"]
        assert self.subject.samples_ready == ours["samples"] - sum(map(len, self.told.samples))

    def teardown(self) -> None:
        if not hasattr(self, "told"):
            return
        self.play(3)
        self.take()
        twins = Told()
        twins.take(self.twin)
        assert self.told.games == twins.games
        assert self.told.by_game() == twins.by_game()


@functools.cache
def alone(number: int) -> tuple[dict[str, Any], bytes]:
    """A game that is played by itself."""
    shape = SHAPE | {"groups": 1, "games_per_group": 1}
    generator, told, planes = new_generator(search=SEARCH, first_game=number, **shape), Told(), room()
    while not generator.stats()["games"]:
        generator.apply(*answer(planes[: generator.gather(planes)]))
    told.take(generator)
    return told.games[0], told.by_game().get(number, b"")


class Ending(RuleBasedStateMachine):
    """A generator of some games, to which others are added: each is played once, as it would be alone."""

    @initialize(
        shape=st.fixed_dictionaries(
            {"groups": st.integers(1, GROUPS), "games_per_group": st.integers(1, 4), "num_threads": threads,
             "cache_megabytes": st.sampled_from([0.0, 2**-11, 0.25])}
        ),
        games=st.integers(1, 6), stride=st.integers(1, 3),
    )  # fmt: skip
    def begin(self, shape: dict[str, Any], games: int, stride: int) -> None:
        params = dataclasses.replace(SELFPLAY, **{name: knob for name, knob in SHAPE.items() if name != "game"} | shape)
        self.subject = Generator(GAME, SEARCH, params, seed=7, first_game=0, game_stride=stride, games=games)
        self.promised = [stride * number for number in range(games)]
        self.out: dict[int, np.ndarray] = {}
        self.told = Told()

    @rule(group=groups)
    def gather_or_apply(self, group: int) -> None:
        group %= self.subject.groups
        if group in self.out:
            self.subject.apply(*answer(self.out.pop(group)), group)
        else:
            planes = room()
            self.out[group] = planes[: self.subject.gather(planes, group)]

    @rule(rounds=st.integers(1, 60))
    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            for group in range(self.subject.groups):
                self.gather_or_apply(group)

    @rule(games=st.integers(1, 5))
    def add_games(self, games: int) -> None:
        first = self.promised[-1] + 1
        self.subject.add_games(first, games)
        self.promised += range(first, first + games)

    @rule(first=st.integers(-3, 3), games=st.sampled_from([0, -1, 2**62]))
    def add_impossible_games(self, first: int, games: int) -> None:
        with refused(self.subject, ValueError, stateless=True):
            self.subject.add_games(first, games)

    @rule()
    def save(self) -> None:
        for call in (self.subject.state, lambda: self.subject.restore(b"")):
            with refused(self.subject, RuntimeError, stateless=True):
                call()

    @rule()
    def take(self) -> None:
        self.told.take(self.subject)
        self.told.check(self.subject.stats())

    @invariant()
    def plays_no_more_than_it_was_given(self) -> None:
        assert self.subject.stats()["games"] <= len(self.promised)

    def teardown(self) -> None:
        if not hasattr(self, "told"):
            return
        while self.subject.stats()["games"] < len(self.promised):
            self.play(1)
        self.play(4)
        assert not any(len(planes) for planes in self.out.values())
        self.take()
        assert sorted(game["game_id"] for game in self.told.games) == self.promised
        found = self.told.by_game()
        for game in self.told.games:
            assert (game, found.get(game["game_id"], b"")) == alone(game["game_id"])


def test_what_is_called_in_between_changes_no_game() -> None:
    run_state_machine_as_test(Disturbed, settings=settings(max_examples=examples(80), stateful_step_count=30))


def test_games_that_are_added_are_played_once_and_as_if_alone() -> None:
    run_state_machine_as_test(Ending, settings=settings(max_examples=examples(80), stateful_step_count=20))
