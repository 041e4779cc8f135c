"""The jobs of a grid as one: which of how many each is, how long the rest takes, which have failed and of what.

They may run in several processes: what they know of each other stands in a file that all of them append to. Knows
nothing of what a job does, nor of searches, which tell of themselves.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, RangeSweep
from hydra.types import RunMode

from c4 import printed

NOTES = "C4_MULTIRUN"
"""Variable with the name of that file."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Grid:
    """What Hydra makes of a command line."""

    jobs: int
    swept: Sequence[str]  # the keys that differ between the jobs


def grid_of(overrides: Iterable[str], *, sweeper: Mapping[str, Any]) -> Grid | None:
    """None where something else than Hydra's own sweeper decides how many jobs there are."""
    if not str(sweeper.get("_target_")).endswith(".BasicSweeper"):
        return None
    words = [*(f"{key}={value}" for key, value in (sweeper.get("params") or {}).items()), *overrides]
    parsed = {one.get_key_element(): one for one in OverridesParser.create().parse_overrides(words)}
    sizes = {key: _values(one) for key, one in parsed.items() if one.is_discrete_sweep()}
    return Grid(jobs=math.prod(sizes.values()), swept=list(sizes))


def _values(swept: Override) -> int:
    """How many it stands for; those of a range are not listed for that, they may be any number."""
    said = swept.value()
    if not isinstance(said, RangeSweep):
        return len(list(swept.sweep_iterator()))
    start, stop, step = (Decimal(str(number)) for number in (said.start or 0, said.stop, said.step))
    return max(0, math.ceil((stop - start) / step))


def is_multirun() -> bool:
    return HydraConfig.get().mode is RunMode.MULTIRUN


def job_name() -> str:
    """Of this process's job; empty where it is the only one."""
    if not HydraConfig.initialized() or not is_multirun():
        return ""
    return f"{'trial' if _read().grid is None else 'job'} {HydraConfig.get().job.num}"


def is_swept(key: str) -> bool:
    """Whether the jobs of this grid differ by it."""
    grid = _read().grid
    return grid is not None and key in grid.swept


def keep_notes(folder: Path) -> None:
    """Of the jobs that this process and its children will run."""
    os.environ[NOTES] = str(folder / "jobs")


def expect(grid: Grid) -> None:
    _note(jobs=grid.jobs, swept=list(grid.swept))


def leave_out(keys: Sequence[str]) -> None:
    """Of the space of the search that begins."""
    _note(left_out=list(keys))


def left_out() -> list[str]:
    return _read().left_out


@contextmanager
def told() -> Iterator[None]:
    """Around a job of a grid: says which it is when it begins, and how it ended."""
    said = _read() if is_multirun() else None
    if said is None or said.grid is None:
        yield
        return
    number, began = HydraConfig.get().job.num, time.monotonic()
    _note(began=number, folder=str(HydraConfig.get().sweep.dir))
    words = [word for word in HydraConfig.get().overrides.task if word.lstrip("+").partition("=")[0] in said.grid.swept]
    _say(f"job {number} ({number + 1} of {said.grid.jobs}): {' '.join(words) or 'as configured'}{said.left()}")
    try:
        yield
    except Exception:
        _note(ended=number)
        _say(f"job {number} failed after {duration(time.monotonic() - began)}")
        raise
    _note(ended=number, seconds=time.monotonic() - began)
    _say(f"job {number} took {duration(time.monotonic() - began)}")


def note_failure(sentence: str) -> None:
    _note(failed=HydraConfig.get().job.num, reason=" ".join(sentence.split()))


def failures() -> list[str]:
    """A sentence for each, in the order of the jobs, however many ran at once."""
    return [f"job {number}: {reason}" for number, reason in sorted(_read().failed)]


def folder_of_grid() -> str:
    """Empty where no job of a grid has begun."""
    return _read().folder


def duration(seconds: float) -> str:
    for size, name, most in ((1, "second", 90), (60, "minute", 5400)):
        if seconds < most:
            count = round(seconds / size)
            return f"{count} {name}{'s' if count != 1 else ''}"
    return f"{seconds / 3600:.1f} hours"


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Said:
    grid: Grid | None
    folder: str  # of the whole; empty before its first job
    began: int
    over: int
    seconds: Sequence[float]  # of each job that did not fail
    failed: Sequence[tuple[int, str]]
    left_out: list[str]

    def left(self) -> str:
        """As a job begins that is not counted yet; as many go on running at once as do now."""
        if self.grid is None or not self.seconds:
            return ""
        at_once = self.began - self.over + 1
        rest = (self.grid.jobs - self.over) * statistics.median(self.seconds) / at_once
        return f"; {self.over} finished, about {duration(rest)} left"


def _read() -> _Said:
    path = Path(os.environ.get(NOTES, os.devnull))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return _Said(
        grid=next((Grid(jobs=line["jobs"], swept=line["swept"]) for line in lines if "jobs" in line), None),
        folder=next((line["folder"] for line in lines if "began" in line), ""),
        began=sum("began" in line for line in lines),
        over=sum("ended" in line for line in lines),
        seconds=[line["seconds"] for line in lines if "seconds" in line],
        failed=[(line["failed"], line["reason"]) for line in lines if "failed" in line],
        left_out=[key for line in lines for key in line.get("left_out", ())],
    )


def _note(**facts: Any) -> None:
    with Path(os.environ[NOTES]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(facts) + "\n")


def _say(sentence: str) -> None:
    printed.err(sentence + "\n")
