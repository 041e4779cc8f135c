"""The runs below one folder, as a page may see them: found by looking, never by a path that somebody sent.

Reads what training leaves (config.yaml, metrics.csv, outcome.json, kept games and mistakes) and writes nothing.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from c4.run.metrics import IS_RUN, METRICS, read_metrics

OUTCOME, LOG = "outcome.json", "train.log"
DEEP = 3
"""Folders between that of all runs and a run's own file: experiment, sweep, job."""

REMEMBERED = 256  # files

UNFINISHED = "training"
"""Of a run that has not said how it ended: it still trains, or its process was killed."""

Metrics = Mapping[int, Mapping[str, float]]


class NoSuchRunError(LookupError):
    """No run has this name."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    name: str  # its folder below that of all runs
    folder: Path
    wrote: float  # when it last wrote a metric or a line of its log, by the clock of files

    @property
    def ending(self) -> str:
        """How it ended, as Ending says."""
        path = self.folder / OUTCOME
        try:
            if path.stat().st_mtime < (self.folder / IS_RUN).stat().st_mtime:  # it was gone on with
                return UNFINISHED
            return str(json.loads(path.read_text(encoding="utf-8"))["ending"])
        except (OSError, ValueError, KeyError, TypeError):
            return UNFINISHED

    def config(self) -> Mapping[str, Any]:
        """As it was used; empty when it cannot be read."""
        return _config(self.folder / IS_RUN, stamp=self.stamp(IS_RUN))

    def metrics(self) -> Metrics:
        """By generation; numbers only, and only finite ones."""
        return _metrics(self.folder / METRICS, stamp=self.stamp(METRICS))

    def stamp(self, name: str) -> str:
        """Changes whenever a file of the run does; empty when there is none."""
        try:
            stat = (self.folder / name).stat()
        except OSError:
            return ""
        return f"{stat.st_mtime_ns}-{stat.st_size}"


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
        for depth in range(1, DEEP + 1):
            for path in root.glob("*/" * depth + IS_RUN):
                folder = path.parent
                if not folder.resolve().is_relative_to(root):  # a link that leads out
                    continue
                name = folder.relative_to(root).as_posix()
                if all(not part.startswith(".") for part in folder.relative_to(root).parts):
                    found[name] = Run(name=name, folder=folder, wrote=_wrote(folder))
        return found


def seconds_since(run: Run) -> float:
    return max(0.0, time.time() - run.wrote)


# Both are asked for again and again; a file is read once for each stamp.
@functools.lru_cache(maxsize=REMEMBERED)
def _config(path: Path, *, stamp: str) -> Mapping[str, Any]:
    try:
        read = OmegaConf.load(path) if stamp else None
    except Exception:  # noqa: BLE001 - whatever a file's syntax may raise
        return {}
    return {str(key): value for key, value in read.items()} if isinstance(read, DictConfig) else {}


@functools.lru_cache(maxsize=REMEMBERED)
def _metrics(path: Path, *, stamp: str) -> Metrics:
    try:
        rows = read_metrics(path) if stamp else {}
    except (OSError, ValueError, KeyError, TypeError):  # whatever another program may have put there
        return {}
    return {step: {name: number for name, number in row.items() if math.isfinite(number)} for step, row in rows.items()}


def _wrote(folder: Path) -> float:
    times = [0.0]
    for name in (METRICS, LOG, IS_RUN):
        try:
            times.append((folder / name).stat().st_mtime)
        except OSError:
            continue
    return max(times)
