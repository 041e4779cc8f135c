"""The knobs of a run's length. Learning-rate schedules follow whichever of them is furthest."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from c4.params.knob import Params, knob


@dataclasses.dataclass(frozen=True, kw_only=True)
class BudgetParams(Params):
    group: ClassVar[str] = "budget"

    generations: int | None = knob("Generations of play and training.", low=1, high=10_000_000)
    games: int | None = knob("Finished games of self-play; the generation that reaches them is the last.", low=1)
    minutes: float | None = knob(
        "Wall clock from the start of the process, with everything in it. A run that is killed and resumed is not "
        "bit for bit the same under this one.",
        low=0.01, high=1e6, unit="minutes",
    )  # fmt: skip
    final_seconds: float = knob(
        "Kept free at the end of `minutes`, at most a tenth of them, for what follows the last generation: grading and "
        "saving.",
        low=0.0, high=1e6, unit="seconds", needs={"minutes": "not null"},
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.generations is None and self.games is None and self.minutes is None:
            raise ValueError("budget: one of budget.generations, budget.games and budget.minutes must be set")
