"""The runs below one folder, as a page may see them: found by looking, never by a path that somebody sent.

What is in their files is asked of their folders, under limits: a run that is broken, or made to harm, fails alone.
Nothing is written, and nothing in a configuration is resolved.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import threading
import time
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from c4.files import read_plain
from c4.report.words import knob_words
from c4.run.about import RunFileError, read_config, read_facts, value_at
from c4.run.finding import runs_below
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.run.origin import file_hash, told_command
from c4.run.outcome import read_outcome

MAIN = "truth/value_preserving"
REMEMBERED, OPEN = 512, 8  # runs whose few figures are kept; whose whole metrics are
MOST_BYTES, MOST_CELLS, MOST_PLAYER = 16 * 2**20, 1_000_000, 2**30
LONGEST = 400  # characters of a text that a run tells
SCAN_SECONDS = 1.0

UNFINISHED = "training"
"""Of a run that has not said how it ended: it still trains, or its process was killed."""

_reading = threading.Lock()  # one large file at a time


class NoSuchRunError(LookupError):
    """No run has this name."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setup:
    """What a run says that it is made with, as far as it can be read."""

    game: str = ""
    network: str = ""
    seed: int | None = None
    simulations: int | None = None
    search: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Glance:
    """How far a run is."""

    generation: int = 0
    minutes: float | None = None
    progress: float | None = None
    value_preserving: float | None = None  # the newest
    trouble: str = ""  # why its metrics cannot be shown


@dataclasses.dataclass(frozen=True, kw_only=True)
class Columns:
    """Metrics by generation; NaN where one was not measured."""

    generations: list[int]
    metrics: Mapping[str, array[float]]


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

    @property
    def setup(self) -> Setup:
        return _setup(self.folder, stamp=stamp(self.folder.config))

    @property
    def glance(self) -> Glance:
        return _glance(self.folder, stamp=stamp(self.folder.metrics))

    def columns(self) -> Columns:
        """Finite numbers only. Raises OSError where a glance tells of trouble."""
        return _columns(self.folder, stamp=stamp(self.folder.metrics))

    def origin(self) -> dict[str, str]:
        """Where it comes from, for people: its folder, command, commit, machine, and the best player's file."""
        return _origin(self.folder, stamp=stamp(self.folder.facts), player=stamp(self.folder.player("best")))


class Runs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock, self._known, self._looked = threading.Lock(), dict[str, Run](), -math.inf

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
        """Several pages that ask several times a second look once."""
        with self._lock:
            if time.monotonic() - self._looked > SCAN_SECONDS:
                self._known, self._looked = self._look(), time.monotonic()
            return self._known

    def _look(self) -> dict[str, Run]:
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


def is_small(path: Path) -> bool:
    """Whether a file is one, and not too large to be shown."""
    try:
        return path.is_file() and path.stat().st_size <= MOST_BYTES
    except OSError:
        return False


def seconds_since(run: Run) -> float:
    return max(0.0, time.time() - run.wrote)


# All are asked for again and again; a file is read once for each stamp.
@functools.lru_cache(maxsize=REMEMBERED)
def _setup(folder: RunFolder, *, stamp: str) -> Setup:  # noqa: ARG001
    try:
        config = read_config(folder)
    except RunFileError:
        return Setup()
    search = value_at(config, "search")
    return Setup(
        game=_text(value_at(config, "game.name")),
        network=f"{_told(config, 'network.width')} channels, {_told(config, 'network.depth')} blocks",
        seed=_whole(config.get("seed")),
        simulations=_whole(value_at(config, "search.num_simulations")),
        search=_text(knob_words(search) if isinstance(search, Mapping) else "", most=4 * LONGEST),
    )


@functools.lru_cache(maxsize=REMEMBERED)
def _glance(folder: RunFolder, *, stamp: str) -> Glance:
    try:
        columns = _columns(folder, stamp=stamp)
    except OSError as error:
        return Glance(trouble=str(error))

    def newest(name: str, *, last_row: bool = False) -> float | None:
        known = [value for value in columns.metrics.get(name, ()) if not math.isnan(value)]
        row = columns.metrics[name][-1] if last_row and known else math.nan
        return known[-1] if known and not (last_row and math.isnan(row)) else None

    return Glance(
        generation=columns.generations[-1] if columns.generations else 0,
        minutes=newest("budget/minutes", last_row=True),
        progress=newest("budget/progress", last_row=True),
        value_preserving=newest(MAIN),
    )


@functools.lru_cache(maxsize=OPEN)
def _columns(folder: RunFolder, *, stamp: str) -> Columns:
    if not stamp:
        return Columns(generations=[], metrics={})
    with _reading:
        try:
            text = read_plain(folder.metrics, most=MOST_BYTES)
        except OSError as error:
            raise OSError(f"{folder.metrics.name}: {error.strerror}") from None
        if text.count(b",") > MOST_CELLS:
            raise OSError(f"{folder.metrics.name} has more than {MOST_CELLS:,} figures")
        rows = read_metrics(folder)
        names = {name for row in rows.values() for name in row}
        steps = sorted(rows)
        return Columns(
            generations=steps,
            metrics={name: array("d", (_finite(rows[step].get(name)) for step in steps)) for name in sorted(names)},
        )


@functools.lru_cache(maxsize=REMEMBERED)
def _origin(folder: RunFolder, *, stamp: str, player: str) -> dict[str, str]:  # noqa: ARG001
    facts = read_facts(folder)
    told: dict[str, str] = {
        name: _text(facts[name]) for name in ("command", "commit", "machine", "cores", "engine") if name in facts
    }
    if "command" in told:
        told["command"] = told_command(told["command"]) if told["command"].strip() else ""
    best = folder.player("best")
    if player and best.is_file() and best.stat().st_size <= MOST_PLAYER:
        told |= {"best player": f"{best.parent.name}/{best.name}", "SHA-256": file_hash(best)}
    return told


def _finite(value: float | None) -> float:
    return math.nan if value is None or not math.isfinite(value) else value


def _text(value: Any, *, most: int = LONGEST) -> str:
    return "" if value is None else str(value)[:most]


def _told(config: Mapping[str, Any], key: str) -> str:
    return _text(value_at(config, key)) or "?"


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and abs(value) < 1 << 53 else None
