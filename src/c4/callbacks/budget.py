"""How much of a run's budget is spent: generations, games or minutes, whichever is furthest.

Generations and games are counted, so that a run limited by them is the same however fast the machine is. Minutes
are read off the clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from pytorch_lightning import Callback, LightningModule, Trainer
from typing_extensions import override

from c4.datamodule import datamodule_of
from c4.params.budget import BudgetParams
from c4.selfplay.source import Glance

WORTHWHILE = 0.1
"""Share of the last generation's time that must be left for another one to be begun."""


MOST_AT_END = 0.1
"""Share of the minutes that budget.final_seconds may take: a short run is not all grading."""


class BudgetSpentError(ValueError):
    """A run is gone on with that has nothing left to spend."""


class Budget(Callback):
    """Counts what is spent and ends the run when it is all."""

    def __init__(
        self, *, params: BudgetParams, started: float, ended: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`started` is the process's start on the clock; `ended`: the run that is gone on with came to its end."""
        self._params, self._clock, self._started = params, clock, started
        self._ended = ended
        self._before = 0.0  # seconds of the sessions that this one resumes
        self.generations = 0  # finished
        self.games = 0  # of finished generations
        self._share_of_generation = 0.0  # trained of the one that is being made
        self._step_seconds = 0.0  # of a training step, in the last generation
        self._samples_per_step = 1.0
        self._training_since = 0.0
        self._generation_since = clock()
        self._generation_seconds = 0.0  # that the last generation took

    def elapsed(self) -> float:
        """Seconds of wall clock that the run has taken, earlier sessions included."""
        return self._before + self._clock() - self._started

    def progress(self) -> float:
        """Share of the budget that is spent, from 0 to 1."""
        shares = [0.0]
        if self._params.generations is not None:
            shares.append((self.generations + self._share_of_generation) / self._params.generations)
        if self._params.games is not None:
            shares.append(self.games / self._params.games)
        if self._params.minutes is not None:
            shares.append(self.elapsed() / (60.0 * self._params.minutes))
        return min(1.0, max(shares))

    def is_spent(self) -> bool:
        """Whether no further generation is to be made."""
        left = self._time_left()
        return (
            (self._params.generations is not None and self.generations >= self._params.generations)
            or (self._params.games is not None and self.games >= self._params.games)
            or (left is not None and left <= WORTHWHILE * self._generation_seconds)
        )

    def watch(self, glance: Glance) -> bool:
        """Whether playing must end now, so that there is time to train on what it brought."""
        left = self._time_left()
        return left is not None and left <= glance.samples / self._samples_per_step * self._step_seconds

    def may_train(self) -> bool:
        """Whether there is time for another batch."""
        left = self._time_left()
        return left is None or left > 0.0

    def seconds_left(self) -> float | None:
        """An estimate for people; None while there is nothing to go by."""
        left, progress = self._time_left(), self.progress()
        if left is not None:
            return max(0.0, left)
        return self.elapsed() * (1.0 / progress - 1.0) if progress > 0.0 else None

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if self.is_spent() and not self._ended:
            trainer.should_stop = True  # it was killed while its end was graded: that alone is left to do
        elif self.is_spent():
            raise BudgetSpentError(
                f"the budget is spent: {self.generations} generations, {self.games:,} games, "
                f"{self.elapsed() / 60.0:.1f} minutes; a larger budget goes on"
            )

    @override
    def on_train_batch_start(self, trainer: Trainer, pl_module: LightningModule, batch: Any, batch_idx: int) -> None:
        data = datamodule_of(trainer)
        if batch_idx == 0:
            self._training_since = self._clock()
            self._samples_per_step = max(1.0, len(data.harvest.samples) / data.steps)
        self._share_of_generation = batch_idx / data.steps
        pl_module.progress = self.progress()  # type: ignore[assignment]

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        data = datamodule_of(trainer)
        now = self._clock()
        self._step_seconds = (now - self._training_since) / data.steps
        self._generation_seconds, self._generation_since = now - self._generation_since, now
        self.generations += 1
        self.games += data.harvest.counters["games"]
        self._share_of_generation = 0.0
        pl_module.progress = self.progress()  # type: ignore[assignment]
        trainer.should_stop = trainer.should_stop or self.is_spent()

    @override
    def state_dict(self) -> dict[str, Any]:
        return {"generations": self.generations, "games": self.games, "seconds": self.elapsed()}

    @override
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.generations, self.games = state_dict["generations"], state_dict["games"]
        self._before = state_dict["seconds"]

    def _time_left(self) -> float | None:
        if self._params.minutes is None:
            return None
        whole = 60.0 * self._params.minutes
        return whole - min(self._params.final_seconds, MOST_AT_END * whole) - self.elapsed()
