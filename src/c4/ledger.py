"""Which generation a run is in, what it has made and spent, and when that is all: counted here and nowhere else.

Generations and games are counted, so that a run limited by them is the same however fast the machine is. Minutes are
read off the clock. Steps of the optimizer are Lightning's to count (`trainer.global_step`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from c4.params.budget import BudgetParams

WORTHWHILE = 0.1
"""Share of the last generation's time that must be left for another one to be begun."""

MOST_AT_END = 0.1
"""Share of the minutes that budget.final_seconds may take: a short run is not all grading."""


class Phase(Enum):
    """What a generation goes through, in this order."""

    PLAY = "playing"
    """Games, with the newest weights."""
    TRAIN = "training"
    """Steps on the window; then the generation is closed: it counts as made and spent."""
    PUBLISH = "publishing"
    """Its figures and games are told to whoever looks on."""
    MEASURE = "grading"
    """How good its weights have become."""
    OWN = "your own"
    """What people's own metrics and callbacks make of it."""
    SAVE = "saving"
    """The state and the players, with all figures known."""


class BudgetSpentError(ValueError):
    """A run is resumed that has nothing left to spend."""


class Ledger:
    """A run's own book, saved once in its state (C4DataModule.state_dict)."""

    def __init__(
        self, budget: BudgetParams, *, started: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`started`: when the run began on the clock, in this process; now unless told."""
        self.generation = 0  # finished: the number of the newest, counted from 1
        self.games = 0  # of finished generations
        self.made: list[int] = []  # samples of each of them
        self.drawn = 0  # rows of all batches so far
        self.seconds = {Phase.PLAY: 0.0, Phase.TRAIN: 0.0, Phase.MEASURE: 0.0}  # the last: whatever lies between
        self._generations, self._games, self._minutes = budget.generations, budget.games, budget.minutes
        self._final_seconds = budget.final_seconds
        self._clock = clock
        self._started = clock() if started is None else started
        self._before = 0.0  # seconds of the sessions that this one resumes
        self._played: tuple[int, int] | None = None  # games and samples of the generation that is being made
        self._steps = 0  # begun of it
        self._share = 0.0  # of its steps
        self._phase: Phase | None = None  # before the first generation nothing is booked
        self._phase_since = clock()
        self._generation_since = clock()
        self._generation_seconds = 0.0  # that the last one took
        self._step_seconds = 0.0  # of a step of it
        self._samples_per_step = 1.0

    @property
    def samples(self) -> int:
        return sum(self.made)

    @property
    def is_open(self) -> bool:
        """Whether a generation has been played and is not closed: what is saved now cannot be resumed."""
        return self._played is not None

    def limit(self, *, generations: int) -> None:
        """So many generations at most, whatever the budget is."""
        self._generations = generations if self._generations is None else min(self._generations, generations)

    def elapsed(self) -> float:
        """Seconds of wall clock that the run has taken, earlier sessions included."""
        return self._before + self._clock() - self._started

    def progress(self) -> float:
        """Share of the budget that is spent, from 0 to 1."""
        shares = [0.0]
        if self._generations is not None:
            shares.append((self.generation + self._share) / self._generations)
        if self._games is not None:
            shares.append(self.games / self._games)
        if self._minutes is not None:
            shares.append(self.elapsed() / (60.0 * self._minutes))
        return min(1.0, max(shares))

    def is_spent(self) -> bool:
        """Whether no further generation is to be made."""
        left = self._time_left()
        return (
            (self._generations is not None and self.generation >= self._generations)
            or (self._games is not None and self.games >= self._games)
            or (left is not None and left <= WORTHWHILE * self._generation_seconds)
        )

    def check_unspent(self) -> None:
        """Raises BudgetSpentError."""
        if self.is_spent():
            raise BudgetSpentError(
                f"the budget is spent: {self.generation} generations, {self.games:,} games, "
                f"{self.elapsed() / 60.0:.1f} minutes; a larger budget continues the run"
            )

    def must_train(self, samples: int) -> bool:
        """Whether playing must end with so many samples, so that there is time to train on them."""
        left = self._time_left()
        return left is not None and left <= samples / self._samples_per_step * self._step_seconds

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

    def begin(self) -> None:
        """A generation's games begin."""
        self._enter(Phase.PLAY)

    def played(self, *, games: int, samples: int) -> None:
        """Its games are over, and its training begins."""
        self._played = games, samples
        self._enter(Phase.TRAIN)

    def step(self, index: int, *, of: float) -> None:
        """Its step number `index`, from 0, begins; `of`: how many there will be at most."""
        self._steps, self._share = index + 1, index / of

    def close(self) -> None:
        """Its training is over: it counts."""
        games, samples = self._played or (0, 0)
        spent = self._enter(Phase.MEASURE)
        self._step_seconds = spent / max(1, self._steps)
        self._samples_per_step = max(1.0, samples / max(1, self._steps))
        self._generation_seconds = self._phase_since - self._generation_since
        self._generation_since = self._phase_since
        self._played, self._steps, self._share = None, 0, 0.0
        self.generation += 1
        self.games += games
        self.made.append(samples)

    def steps_per_second(self) -> float:
        """Of the newest generation's training."""
        return 1.0 / max(self._step_seconds, 1e-9)

    def state_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "generation": self.generation,
            "games": self.games,
            "made": list(self.made),
            "drawn": self.drawn,
            "clock": {
                "seconds": {phase.name: seconds for phase, seconds in self.seconds.items()},
                "elapsed": self.elapsed(),
            },
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Where a state says nothing of the clock, it was told before (c4/run/clock.py)."""
        self.generation, self.games, self.drawn = state["generation"], state["games"], state["drawn"]
        self.made = list(state["made"])
        clock = state.get("clock", state)  # older programs had it among the counts
        if "elapsed" in clock:
            self.seconds |= {Phase[name]: seconds for name, seconds in clock["seconds"].items()}
            self._before = clock["elapsed"]
        self._played, self._steps, self._share = None, 0, 0.0

    def _enter(self, phase: Phase) -> float:
        """Books the seconds since the last call on the phase that was, and returns them."""
        now = self._clock()
        spent, self._phase_since = now - self._phase_since, now
        if self._phase is not None:
            self.seconds[self._phase] += spent
        self._phase = phase
        return spent

    def _time_left(self) -> float | None:
        if self._minutes is None:
            return None
        whole = 60.0 * self._minutes
        return whole - min(self._final_seconds, MOST_AT_END * whole) - self.elapsed()
