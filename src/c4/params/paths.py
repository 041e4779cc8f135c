"""Where things are written."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from c4.params.knob import Params, knob


@dataclasses.dataclass(frozen=True, kw_only=True)
class PathsParams(Params):
    group: ClassVar[str] = "paths"

    runs: str = knob("Folder of all runs; each has a folder of its own below, named by experiment and time.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.runs:  # runs would lie at the root of the disk
            raise ValueError("paths.runs= is not allowed: the name of a folder")
