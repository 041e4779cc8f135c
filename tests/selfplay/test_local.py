"""Self-play in this process: what it brings, that it repeats, that it can be stopped, saved and resumed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.selfplay.kit import local_source, never

from c4.selfplay.source import Glance, Harvest, merged


def same(one: Harvest, other: Harvest) -> bool:
    return np.array_equal(one.samples, other.samples) and one.games == other.games and one.counters == other.counters


def test_it_plays_until_enough_samples_are_there() -> None:
    source, engine = local_source()
    harvest = source.collect(wanted=100, version=0, watch=never)
    assert len(harvest.samples) >= 100
    assert harvest.counters["games"] == len(harvest.games) > 0
    assert harvest.counters["evaluations"] == sum(engine.rows)
    assert np.allclose(harvest.samples["policy"].sum(axis=1), 1.0, atol=1e-5)
    assert set(np.unique(harvest.samples["result"])) <= {-1, 0, 1}


def test_counters_are_of_one_generation() -> None:
    source, engine = local_source()
    source.collect(wanted=100, version=0, watch=never)
    before = sum(engine.rows)
    harvest = source.collect(wanted=50, version=1, watch=never)
    assert harvest.counters["evaluations"] == sum(engine.rows) - before


def test_the_same_seed_and_weights_give_the_same_samples() -> None:
    one, other = (local_source()[0].collect(wanted=100, version=0, watch=never) for _ in range(2))
    assert same(one, other)
    assert not same(one, local_source(seed=2)[0].collect(wanted=100, version=0, watch=never))


def test_published_weights_play() -> None:
    source, engine = local_source()
    source.publish({"seed": 5})
    assert engine.loaded[-1] == {"seed": 5}
    harvest = source.collect(wanted=100, version=0, watch=never)
    assert not same(harvest, local_source()[0].collect(wanted=100, version=0, watch=never))


def test_a_saved_state_goes_on_as_the_source_would_have() -> None:
    source, _ = local_source()
    source.collect(wanted=100, version=0, watch=never)
    state = source.state()
    expected = [source.collect(wanted=100, version=version, watch=never) for version in (1, 2)]
    restored, _ = local_source()
    restored.restore(state)
    for version, harvest in zip((1, 2), expected, strict=True):
        assert same(restored.collect(wanted=100, version=version, watch=never), harvest)


def test_openings_are_part_of_the_state() -> None:
    opening = [1, 1, 1, 1]  # the second column is full
    source, _ = local_source(book_probability=1.0, random_opening_probability=0.0)
    source.set_openings([opening])
    restored, _ = local_source(book_probability=1.0, random_opening_probability=0.0)
    restored.restore(source.state())
    for each in (source, restored):
        games = each.collect(wanted=300, version=0, watch=never).games
        late = [game for game in games if game["game_id"] >= 24]  # the first 24 began before the book was set
        assert late
        assert all(list(game["actions"][:4]) == opening for game in late)


def test_a_watch_may_end_the_playing_and_keeps_what_is_there() -> None:
    glances: list[Glance] = []

    def enough(glance: Glance) -> bool:
        glances.append(glance)
        return glance.samples >= 20

    source, _ = local_source()
    harvest = source.collect(wanted=10_000, version=0, watch=enough)
    assert 20 <= len(harvest.samples) < 200
    assert glances[-1].wanted == 10_000
    assert len(source.collect(wanted=50, version=1, watch=never).samples) >= 50


def test_what_a_watch_raises_comes_out() -> None:
    class StopNowError(Exception):
        pass

    def stop(glance: Glance) -> bool:
        raise StopNowError

    source, _ = local_source()
    with pytest.raises(StopNowError):
        source.collect(wanted=100, version=0, watch=stop)


def test_no_batch_is_asked_for_when_all_leaves_are_known() -> None:
    source, engine = local_source(cache_megabytes=4.0)
    for version in range(3):
        source.collect(wanted=100, version=version, watch=never)
    assert min(engine.rows) > 0


def test_ranks_play_other_games_each_the_same_ones_again() -> None:
    def played(rank: int) -> Harvest:
        source, _ = local_source()
        source.play_as(rank)
        return source.collect(wanted=60, version=0, watch=never)

    alone = local_source()[0].collect(wanted=60, version=0, watch=never)
    first, second, again = played(0), played(1), played(1)
    assert same(first, alone)
    assert same(second, again)
    assert not same(first, second)


def test_what_several_played_is_one_harvest() -> None:
    (one, _), (other, _) = local_source(), local_source(seed=2)
    parts = [source.collect(wanted=60, version=0, watch=never) for source in (one, other)]
    whole = merged(parts)
    assert len(whole.samples) == sum(len(part.samples) for part in parts)
    assert whole.games == [*parts[0].games, *parts[1].games]
    assert whole.counters["games"] == len(whole.games)
