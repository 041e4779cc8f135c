"""The budget: what is spent, when it is all, and how a clock cuts a generation short."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any, cast

import pytest
from pytorch_lightning import LightningModule, Trainer

from c4.callbacks.budget import Budget, BudgetSpentError
from c4.params.budget import BudgetParams
from c4.selfplay.source import Glance


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def params(**changes: Any) -> BudgetParams:
    return BudgetParams(**({"generations": None, "games": None, "minutes": None, "final_seconds": 0.0} | changes))


def trainer(*, samples: int = 100, games: int = 10, steps: int = 4) -> Any:
    harvest = types.SimpleNamespace(samples=range(samples), counters={"games": games})
    return types.SimpleNamespace(
        datamodule=types.SimpleNamespace(harvest=harvest, steps=steps), should_stop=False, current_epoch=0
    )


def generation(budget: Budget, clock: Clock, *, play: float = 0.0, step: float = 0.0, **facts: int) -> Any:
    run, module = trainer(**facts), types.SimpleNamespace(progress=0.0)
    clock.now += play
    for index in range(run.datamodule.steps):
        budget.on_train_batch_start(cast(Trainer, run), cast(LightningModule, module), None, index)
        clock.now += step
    budget.on_train_epoch_end(cast(Trainer, run), cast(LightningModule, module))
    assert module.progress == budget.progress()
    return run


def glance(samples: int) -> Glance:
    return Glance(samples=samples, wanted=10**6, counters={}, seconds=1.0)


def progress_by_step(budget: Budget, *, steps: int) -> Sequence[float]:
    run, module = trainer(steps=steps), types.SimpleNamespace(progress=0.0)
    seen = []
    for index in range(steps):
        budget.on_train_batch_start(cast(Trainer, run), cast(LightningModule, module), None, index)
        seen.append(module.progress)
    return seen


def test_generations_are_counted_and_progress_rises_within_one() -> None:
    clock = Clock()
    budget = Budget(params=params(generations=2), started=clock.now, ended=False, clock=clock)
    assert progress_by_step(budget, steps=4) == [0.0, 0.125, 0.25, 0.375]
    assert not generation(budget, clock).should_stop
    assert budget.progress() == 0.5
    assert generation(budget, clock).should_stop
    assert budget.progress() == 1.0
    assert budget.is_spent()


def test_games_are_counted() -> None:
    clock = Clock()
    budget = Budget(params=params(games=25), started=clock.now, ended=False, clock=clock)
    assert not generation(budget, clock, games=20).should_stop
    assert budget.progress() == pytest.approx(0.8)
    assert generation(budget, clock, games=20).should_stop


def test_minutes_run_from_the_start_of_the_process() -> None:
    clock = Clock()
    budget = Budget(params=params(minutes=1), started=clock.now - 15.0, ended=False, clock=clock)
    assert budget.progress() == pytest.approx(0.25)
    assert budget.seconds_left() == pytest.approx(45.0)
    clock.now += 50.0
    assert budget.is_spent()
    assert budget.progress() == 1.0
    assert not budget.may_train()


def test_the_first_limit_that_is_reached_ends_the_run() -> None:
    clock = Clock()
    budget = Budget(params=params(generations=100, minutes=1), started=clock.now, ended=False, clock=clock)
    assert generation(budget, clock, play=61.0).should_stop


def test_playing_ends_in_time_to_train_on_what_it_brought() -> None:
    clock = Clock()
    budget = Budget(params=params(minutes=1, final_seconds=5.0), started=clock.now, ended=False, clock=clock)
    assert not budget.watch(glance(10**6)), "nothing is known of training yet"
    generation(budget, clock, step=2.0, samples=100, steps=4)  # 25 samples a step of 2 seconds; 47 seconds are left
    assert not budget.watch(glance(585))
    assert budget.watch(glance(588))
    clock.now += 45.0
    assert budget.watch(glance(25))
    assert budget.may_train()
    clock.now += 2.0
    assert not budget.may_train()


def test_no_generation_is_begun_that_could_bring_nothing() -> None:
    clock = Clock()
    budget = Budget(params=params(minutes=1), started=clock.now, ended=False, clock=clock)
    assert not generation(budget, clock, play=54.0).should_stop  # 6 seconds are left, a ninth
    clock.now += 0.7
    assert budget.is_spent()


def test_a_limit_in_generations_looks_at_no_clock() -> None:
    clock = Clock()
    budget = Budget(params=params(generations=2), started=clock.now, ended=False, clock=clock)
    generation(budget, clock, step=100.0)
    clock.now += 1e9
    assert not budget.watch(glance(10**6))
    assert budget.may_train()
    assert budget.progress() == 0.5


def test_nothing_is_begun_when_all_is_spent() -> None:
    for ended in (False, True):
        budget = Budget(params=params(generations=1), started=0.0, ended=ended, clock=Clock())
        budget.load_state_dict({"generations": 1, "games": 5, "seconds": 1.0})
        run = trainer()
        if ended:
            with pytest.raises(BudgetSpentError, match="the budget is spent: 1 generations"):
                budget.on_train_start(cast(Trainer, run), cast(LightningModule, None))
        else:  # it was killed at its end, which is still to be graded
            budget.on_train_start(cast(Trainer, run), cast(LightningModule, None))
            assert run.should_stop


def test_a_resumed_run_has_spent_what_was_spent_before() -> None:
    clock = Clock()
    first = Budget(params=params(minutes=10), started=clock.now, ended=False, clock=clock)
    generation(first, clock, play=120.0, games=7)
    state = first.state_dict()
    later = Clock()
    resumed = Budget(params=params(minutes=10), started=later.now - 3.0, ended=False, clock=later)
    resumed.load_state_dict(state)
    assert resumed.elapsed() == pytest.approx(123.0)
    assert (resumed.generations, resumed.games) == (1, 7)


def test_the_end_takes_at_most_a_tenth_of_the_minutes() -> None:
    clock = Clock()
    budget = Budget(params=params(minutes=1, final_seconds=3600.0), started=clock.now, ended=False, clock=clock)
    clock.now += 53.0
    assert budget.may_train()
    clock.now += 1.0
    assert not budget.may_train()
