"""Self-play in chunks: what a range of games brings, and that a run is the same however it is divided and by whom."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from tests.selfplay.kit import GAME, SEARCH, SELFPLAY, LinearEngine, never

from c4.games import game_spec
from c4.native import _core
from c4.selfplay.chunks import Chunk, ExactSource, LocalCrew, Openings, Played, Playing, Sitting
from c4.selfplay.source import Harvest
from c4.selfplay.table import Table

SPEC = game_spec(GAME)


def playing(**selfplay: Any) -> Playing:
    params = dataclasses.replace(SELFPLAY, **selfplay)
    return Playing(game=SPEC, search=SEARCH, selfplay=params, seed=1, engine=LinearEngine(game=SPEC))


def source(*, chunk_games: int = 7, crew: Any = None) -> ExactSource:
    return ExactSource(crew or LocalCrew(playing()), game=SPEC, chunk_games=chunk_games)


def same(one: Harvest, other: Harvest) -> bool:
    return np.array_equal(one.samples, other.samples) and one.games == other.games


class Muddle(LocalCrew):
    """Brings chunks in any order, and some of them only when they are asked for again."""

    def __init__(self, **selfplay: Any) -> None:
        super().__init__(playing(groups=1, games_per_group=3, num_threads=2, **selfplay))
        self._random = random.Random(5)

    def play(
        self, chunks: Sequence[Chunk], *, version: int, openings: Openings, watch: Callable[[], bool]
    ) -> Iterator[Played]:
        mixed = self._random.sample(list(chunks), len(chunks))
        yield from super().play(mixed, version=version, openings=openings, watch=watch)


def test_a_range_of_games_is_those_games_of_an_endless_generator() -> None:
    endless = _core.Generator(GAME, SEARCH, SELFPLAY, seed=1)
    Table(endless, game=SPEC, engine=LinearEngine(game=SPEC)).play(lambda: endless.stats()["games"] >= 120)
    by_game = {game["game_id"]: game for game in endless.take_games()}
    played = playing().play(Chunk(first=5, games=40), version=0, openings=[], watch=lambda: False)
    assert played is not None
    assert [game["game_id"] for game in played.games] == list(range(5, 45))
    assert all(by_game[game["game_id"]] == game for game in played.games if game["game_id"] in by_game)
    assert len(by_game.keys() & range(5, 45)) > 30
    samples = endless.take_samples()
    for number in range(5, 20):
        assert np.array_equal(
            samples[samples["game_id"] == number], played.samples[played.samples["game_id"] == number]
        )


def test_a_generator_of_some_games_ends_with_them() -> None:
    generator = _core.Generator(GAME, SEARCH, SELFPLAY, seed=1, first_game=3, game_stride=2, games=5)
    Table(generator, game=SPEC, engine=LinearEngine(game=SPEC)).play(lambda: generator.stats()["games"] == 5)
    assert sorted(game["game_id"] for game in generator.take_games()) == [3, 5, 7, 9, 11]
    with pytest.raises(RuntimeError, match="no state: play the games again"):
        generator.state()
    with pytest.raises(ValueError, match="games must be from 1 to"):
        _core.Generator(GAME, SEARCH, SELFPLAY, seed=1, games=0)
    with pytest.raises(ValueError, match="games must be from 1 to"):
        generator.add_games(9, 0)
    generator.add_games(20, 2)
    Table(generator, game=SPEC, engine=LinearEngine(game=SPEC)).play(lambda: generator.stats()["games"] == 7)
    assert sorted(game["game_id"] for game in generator.take_games()) == [20, 21]
    planes = np.zeros((generator.rows, SPEC.planes, SPEC.height, SPEC.width), np.uint8)
    assert generator.gather(planes) == 0
    with pytest.raises(RuntimeError, match="without an end takes no more"):
        _core.Generator(GAME, SEARCH, SELFPLAY, seed=1).add_games(0, 1)


@pytest.mark.parametrize("chunk_games", [1, 50, 10_000])
def test_a_generation_is_the_same_however_it_is_divided(chunk_games: int) -> None:
    one, other = source(), source(chunk_games=chunk_games)
    for version in range(3):
        first = one.collect(wanted=300, version=version, watch=never)
        assert len(first.samples) >= 300
        assert same(first, other.collect(wanted=300, version=version, watch=never))
        assert first.counters["games"] == len(first.games)
        assert set(first.samples["weights_version"]) == {version}
        assert (np.diff(first.samples["game_id"]) >= 0).all()


def test_a_generation_is_the_same_whoever_plays_it_in_whatever_order() -> None:
    one, other = source(), source(crew=Muddle())
    for version in range(2):
        assert same(
            one.collect(wanted=200, version=version, watch=never),
            other.collect(wanted=200, version=version, watch=never),
        )


def test_games_from_the_book_are_the_same_in_whichever_places_they_are_played() -> None:
    book = {"book_probability": 0.5}
    one, other = source(crew=LocalCrew(playing(**book))), source(crew=Muddle(**book))
    for each in (one, other):
        each.set_openings([[0, 1, 2, 3]])
    found = one.collect(wanted=200, version=0, watch=never)
    assert same(found, other.collect(wanted=200, version=0, watch=never))
    from_book = [game for game in found.games if list(game["actions"][:4]) == [0, 1, 2, 3]]
    assert len(from_book) > len(found.games) / 4


@pytest.mark.parametrize(("chunk_games", "players"), [(192, 2), (7, 1), (1, 3), (600, 40)])
def test_chunks_become_smaller_so_that_all_players_end_at_about_the_same_time(chunk_games: int, players: int) -> None:
    given: list[Chunk] = []

    class Counting(LocalCrew):
        def play(self, chunks: Sequence[Chunk], *, watch: Callable[[], bool], **_: Any) -> Iterator[Played]:
            given.extend(chunks)
            watch()
            return iter(())

    least = max(1, chunk_games // 12)
    one = ExactSource(Counting(playing()), game=SPEC, chunk_games=chunk_games, least=least, players=players)
    one.restore({"openings": [], "games": 100, "each": 8.0})
    one.collect(wanted=8000, version=0, watch=lambda _: True)
    assert [chunk.first for chunk in given] == [100 + sum(one.games for one in given[:i]) for i in range(len(given))]
    sizes = [chunk.games for chunk in given]
    assert 1000 < sum(sizes) < 1100
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] <= chunk_games
    left = sum(sizes)
    for size in sizes:
        assert size <= max(least, -(-left // (4 * players)))
        left -= size
    assert len(sizes) <= 1100 / least


def test_a_chunk_has_begun_when_all_its_games_have_places() -> None:
    params = playing(groups=3, games_per_group=8)
    sitting = Sitting(params, version=0, openings=[])
    first, second, other = Chunk(first=0, games=20), Chunk(first=20, games=16), Chunk(first=36, games=1)
    for chunk in (first, second):
        sitting.add(chunk)
    seen = set()

    def watch() -> bool:
        assert sitting.has_begun(first)
        assert not sitting.has_begun(other)
        assert sitting.has_begun(second) == (sitting.ended >= 12)
        seen.add(sitting.has_begun(second))
        return False

    assert {played.chunk for played in sitting.play(watch)} == {first, second}
    assert seen == {False, True}


def test_no_game_is_played_twice_and_none_is_left_out() -> None:
    numbers = []
    one = source()
    for version in range(3):
        numbers += [game["game_id"] for game in one.collect(wanted=150, version=version, watch=never).games]
    assert numbers == list(range(len(numbers)))


def test_what_was_saved_goes_on_as_it_would_have() -> None:
    one, other = source(), source()
    one.set_openings([[0, 1], [2]])
    one.collect(wanted=200, version=0, watch=never)
    other.restore(one.state())
    assert same(one.collect(wanted=200, version=1, watch=never), other.collect(wanted=200, version=1, watch=never))
    with pytest.raises(ValueError, match="selfplay.mode"):
        other.restore({"openings": []})


def test_a_watch_ends_it_with_the_games_before_the_first_that_is_missing() -> None:
    seen: list[Mapping[str, int]] = []

    def after_some_chunks(glance: Any) -> bool:
        seen.append(glance.counters)
        return bool(glance.counters["games"] >= 21)

    one = source()
    harvest = one.collect(wanted=10_000, version=0, watch=after_some_chunks)
    assert [game["game_id"] for game in harvest.games] == list(range(len(harvest.games)))
    assert 21 <= len(harvest.games) < 60
    following = one.collect(wanted=10, version=1, watch=never).games[0]
    assert following["game_id"] == len(harvest.games)
