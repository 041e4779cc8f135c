"""What a run hands to its trackers beside numbers. A tracker takes what it can show and leaves the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from c4.report.picture import Picture
from c4.report.table import Bars, Table

Exhibit = Table | Picture | Bars


@dataclasses.dataclass(frozen=True, kw_only=True)
class Conclusion:
    """What a run leaves when it ends, however it ends."""

    failed: bool
    player: Path | None  # the best one; None when none was saved
    card: str  # markdown
    about: Mapping[str, Any]  # the player's origin and figures, as plain values
    summary: Mapping[str, float | str]  # the same names for every run, so that runs can be sorted


class Tracker(Protocol):
    def log_steps(self, figures: Mapping[str, float], *, step: int) -> None:
        """Of training within a generation; `step` counts those of the optimizer, over the whole run."""

    def show(self, exhibits: Sequence[Exhibit], *, step: int) -> None:
        """Tables, pictures and charts of a generation."""

    def conclude(self, conclusion: Conclusion) -> None:
        """The last call; nothing may be logged after it."""
