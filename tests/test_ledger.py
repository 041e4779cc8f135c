"""The ledger: what is made and spent, when it is all, how a clock cuts a generation short, and what a resume keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from c4.ledger import BudgetSpentError, Ledger, Phase
from c4.params.budget import BudgetParams


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def ledger(clock: Clock, *, started: float | None = None, **limits: Any) -> Ledger:
    params = {"generations": None, "games": None, "minutes": None, "final_seconds": 0.0} | limits
    return Ledger(BudgetParams(**params), started=started, clock=clock)


def generation(
    book: Ledger, clock: Clock, *, play: float = 0.0, step: float = 0.0, samples: int = 100, games: int = 10
) -> None:
    book.begin()
    clock.now += play
    book.played(games=games, samples=samples)
    for index in range(4):
        book.step(index, of=4)
        clock.now += step
    book.close()


def progress_by_step(book: Ledger, *, steps: int) -> Sequence[float]:
    seen = []
    for index in range(steps):
        book.step(index, of=steps)
        seen.append(book.progress())
    return seen


def test_generations_are_counted_and_progress_rises_within_one() -> None:
    book = ledger(clock := Clock(), generations=2)
    assert progress_by_step(book, steps=4) == [0.0, 0.125, 0.25, 0.375]
    generation(book, clock)
    assert not book.is_spent()
    assert book.progress() == 0.5
    generation(book, clock)
    assert book.progress() == 1.0
    assert book.is_spent()


def test_games_count_once_their_generation_is_closed() -> None:
    book = ledger(clock := Clock(), games=25)
    book.played(games=20, samples=1)
    assert book.progress() == 0.0
    book.close()
    assert not book.is_spent()
    assert book.progress() == pytest.approx(0.8)
    generation(book, clock, games=20)
    assert book.is_spent()
    assert (book.generation, book.games, book.samples) == (2, 40, 101)


def test_minutes_run_from_the_start_of_the_process() -> None:
    clock = Clock()
    book = ledger(clock, started=clock.now - 15.0, minutes=1)
    assert book.progress() == pytest.approx(0.25)
    assert book.seconds_left() == pytest.approx(45.0)
    clock.now += 50.0
    assert book.is_spent()
    assert book.progress() == 1.0
    assert not book.may_train()


def test_the_first_limit_that_is_reached_ends_the_run() -> None:
    book = ledger(clock := Clock(), generations=100, minutes=1)
    generation(book, clock, play=61.0)
    assert book.is_spent()


@pytest.mark.parametrize(("before", "limit", "progress"), [(None, 4, 0.25), (2, 4, 0.5), (8, 4, 0.25)])
def test_a_further_limit_counts_where_it_comes_first(before: int | None, limit: int, progress: float) -> None:
    book = ledger(clock := Clock(), generations=before, games=1000)
    book.limit(generations=limit)
    generation(book, clock, games=10)
    assert book.progress() == progress


def test_playing_ends_in_time_to_train_on_what_it_brought() -> None:
    book = ledger(clock := Clock(), minutes=1, final_seconds=5.0)
    assert not book.must_train(10**6), "nothing is known of training yet"
    generation(book, clock, step=2.0, samples=100)  # 25 samples a step of 2 seconds; 47 seconds are left
    assert not book.must_train(585)
    assert book.must_train(588)
    clock.now += 45.0
    assert book.must_train(25)
    assert book.may_train()
    clock.now += 2.0
    assert not book.may_train()


def test_no_generation_is_begun_that_could_bring_nothing() -> None:
    book = ledger(clock := Clock(), minutes=1)
    generation(book, clock, play=54.0)  # 6 seconds are left, a ninth
    assert not book.is_spent()
    clock.now += 0.7
    assert book.is_spent()


def test_a_limit_in_generations_looks_at_no_clock() -> None:
    book = ledger(clock := Clock(), generations=2)
    generation(book, clock, step=100.0)
    clock.now += 1e9
    assert not book.must_train(10**6)
    assert book.may_train()
    assert book.progress() == 0.5


def test_nothing_is_begun_when_all_is_spent() -> None:
    book = ledger(clock := Clock(), generations=1)
    book.check_unspent()
    generation(book, clock, games=5, play=90.0)
    with pytest.raises(BudgetSpentError, match=r"the budget is spent: 1 generations, 5 games, 1\.5 minutes; a larger"):
        book.check_unspent()


def test_the_seconds_of_a_run_are_booked_by_phase_and_none_twice() -> None:
    book = ledger(clock := Clock(), generations=9)
    clock.now += 50.0  # before the first generation
    generation(book, clock, play=3.0, step=1.0)
    assert book.steps_per_second() == pytest.approx(1.0)
    clock.now += 7.0
    generation(book, clock, play=5.0, step=0.5)
    assert book.seconds == {Phase.PLAY: 8.0, Phase.TRAIN: 6.0, Phase.MEASURE: 7.0}
    assert book.steps_per_second() == pytest.approx(2.0)


def test_a_resumed_run_has_made_and_spent_what_was_before() -> None:
    first = ledger(clock := Clock(), minutes=10)
    generation(first, clock, play=120.0, games=7)
    first.drawn = 64
    later = Clock()
    resumed = ledger(later, started=later.now - 3.0, minutes=10)
    resumed.load_state_dict(first.state_dict())
    assert resumed.elapsed() == pytest.approx(123.0)
    assert (resumed.generation, resumed.games, resumed.made, resumed.drawn) == (1, 7, [100], 64)
    later.now += 30.0
    generation(resumed, later, play=4.0)
    assert resumed.seconds[Phase.PLAY] == 124.0
    assert resumed.seconds[Phase.MEASURE] == 0.0, "what lies between two processes is nobody's time"


def test_a_state_that_says_nothing_of_the_clock_leaves_it_and_an_older_one_has_it_among_the_counts() -> None:
    first = ledger(clock := Clock(), minutes=10)
    generation(first, clock, play=120.0)
    counts = first.state_dict()
    spent = counts.pop("clock")
    for told in (counts | {"clock": spent}, counts | spent):
        resumed = ledger(Clock(), minutes=10)
        resumed.load_state_dict(told)
        resumed.load_state_dict(counts)
        assert resumed.elapsed() == pytest.approx(120.0)
        assert resumed.seconds == first.seconds
        assert resumed.generation == 1


def test_the_end_takes_at_most_a_tenth_of_the_minutes() -> None:
    book = ledger(clock := Clock(), minutes=1, final_seconds=3600.0)
    clock.now += 53.0
    assert book.may_train()
    clock.now += 1.0
    assert not book.may_train()


def test_a_generation_is_open_from_its_games_to_its_end() -> None:
    book = ledger(Clock(), generations=1)
    assert not book.is_open
    book.begin()
    assert not book.is_open
    book.played(games=1, samples=1)
    assert book.is_open
    book.close()
    assert not book.is_open
