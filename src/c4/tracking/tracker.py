"""What a run hands to its trackers beside numbers. A tracker takes what it can show and leaves the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from c4.report.picture import Picture
from c4.report.table import Table


@dataclasses.dataclass(frozen=True, kw_only=True)
class Conclusion:
    """What a run leaves when it ends, however it ends."""

    failed: bool
    player: Path | None  # the best one; None when none was saved
    card: str  # markdown
    about: Mapping[str, Any]  # the player's origin and figures, as plain values
    summary: Mapping[str, float | str]  # the same names for every run, so that runs can be sorted


class Tracker(Protocol):
    def show(self, exhibits: Sequence[Table | Picture], *, step: int) -> None:
        """Tables and pictures of a generation."""

    def conclude(self, conclusion: Conclusion) -> None:
        """The last call; nothing may be logged after it."""
