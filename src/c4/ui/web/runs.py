"""The runs below one folder, as a page may see them: found by looking, never by a path that somebody sent.

What is in their files is asked of their folders; nothing is written, and nothing in a configuration is resolved.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from c4.run.about import RunFileError, read_config
from c4.run.finding import runs_below
from c4.run.folder import RunFolder
from c4.run.metrics import Rows, read_metrics
from c4.run.outcome import read_outcome

REMEMBERED = 256  # files

UNFINISHED = "training"
"""Of a run that has not said how it ended: it still trains, or its process was killed."""


class NoSuchRunError(LookupError):
    """No run has this name."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    name: str  # its folder below that of all runs
    folder: RunFolder
    wrote: float  # when it last wrote something, by the clock of files

    @property
    def ending(self) -> str:
        """How it ended, as Ending says."""
        outcome = read_outcome(self.folder)
        return UNFINISHED if outcome is None else outcome.ending.value

    def config(self) -> Mapping[str, Any]:
        """As it was used; empty when it cannot be read."""
        return _config(self.folder, stamp=stamp(self.folder.config))

    def metrics(self) -> Rows:
        """By generation; numbers only, and only finite ones."""
        return _metrics(self.folder, stamp=stamp(self.folder.metrics))


class Runs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[Run]:
        """Those that wrote last first."""
        return sorted(self._found().values(), key=lambda run: run.wrote, reverse=True)

    def run(self, name: str) -> Run:
        """Raises NoSuchRunError, whatever the name is."""
        try:
            return self._found()[name]
        except KeyError:
            raise NoSuchRunError("there is no such run") from None

    def _found(self) -> dict[str, Run]:
        root, found = self._folder.resolve(), {}
        for folder in runs_below(root):
            inside = folder.path.relative_to(root)
            leads_out = not folder.path.resolve().is_relative_to(root)  # a link
            if not leads_out and not any(part.startswith(".") for part in inside.parts):
                found[inside.as_posix()] = Run(name=inside.as_posix(), folder=folder, wrote=folder.wrote())
        return found


def stamp(path: Path) -> str:
    """Changes whenever a file does; empty when there is none."""
    try:
        stat = path.stat()
    except OSError:
        return ""
    return f"{stat.st_mtime_ns}-{stat.st_size}"


def seconds_since(run: Run) -> float:
    return max(0.0, time.time() - run.wrote)


# Both are asked for again and again; a file is read once for each stamp.
@functools.lru_cache(maxsize=REMEMBERED)
def _config(folder: RunFolder, *, stamp: str) -> Mapping[str, Any]:  # noqa: ARG001
    try:
        return read_config(folder)
    except RunFileError:
        return {}


@functools.lru_cache(maxsize=REMEMBERED)
def _metrics(folder: RunFolder, *, stamp: str) -> Rows:  # noqa: ARG001
    return {
        step: {name: number for name, number in row.items() if math.isfinite(number)}
        for step, row in read_metrics(folder).items()
    }
