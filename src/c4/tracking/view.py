"""What a person may see of a run while it goes on, for whoever shows it. Knows no terminal."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Protocol

from c4.ledger import Phase
from c4.selfplay.source import Glance


@dataclasses.dataclass(frozen=True, kw_only=True)
class Status:
    """One look at a run."""

    phase: Phase | None  # None: before the first generation, and after the last
    generation: int  # from 1
    glance: Glance | None  # the newest of this generation
    step: int
    steps: int
    loss: float | None
    share: float  # of the budget, from 0 to 1
    elapsed: float  # seconds
    left: float | None  # seconds, an estimate
    history: tuple[Mapping[str, float], ...]  # the metrics of finished generations, oldest first


class View(Protocol):
    """Where a run is shown."""

    def show(self, status: Status) -> None:
        """The newest look; called several times a second."""

    def finished(self, status: Status) -> str:
        """A generation is over; its metrics are the last of the history. Returns it in a line."""

    def say(self, sentence: str) -> None:
        """Something a person should read."""

    def close(self) -> None:
        """Nothing more comes. May be called twice."""
