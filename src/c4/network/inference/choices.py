"""Which engine was the fastest here, kept between processes: one file in the user's cache, an entry for each question.

A file that is damaged says nothing, and one that cannot be written is no error: then a process remembers for itself.
Knows engines by their labels only.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from c4.files import write_beside
from c4.machine import cache_folder

MOST = 500  # entries; the oldest make room
PATIENCE = 60.0  # seconds that one process waits for another that is timing; a stopped one is not waited for longer
LOOKS = 0.05  # seconds between two tries


@dataclasses.dataclass(frozen=True, kw_only=True)
class Kept:
    """What was found out by timing."""

    asked: Mapping[str, Any]  # all that decides: network, batches, machine, versions, engines
    taken: str  # a label
    rates: Mapping[str, float]  # evaluations per second by label
    date: str


_OF_THIS_PROCESS: list[Kept] = []
"""What could not be written."""


def choices_file() -> Path:
    return cache_folder() / "engines.json"


def read_choices() -> list[Kept]:
    """Oldest first."""
    try:
        entries = json.loads(choices_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        entries = []
    found = [_kept(entry) for entry in entries] if isinstance(entries, list) else []
    return [*(one for one in found if one is not None), *_OF_THIS_PROCESS]


def clear_choices() -> int:
    """Forgets them; says how many there were."""
    count = len(read_choices())
    _OF_THIS_PROCESS.clear()
    choices_file().unlink(missing_ok=True)
    return count


class Choices:
    """Held by one process at a time: whoever comes while engines are timed waits, and takes what was found out."""

    def kept(self, asked: Mapping[str, Any]) -> Kept | None:
        return next((one for one in reversed(read_choices()) if one.asked == asked), None)

    def keep(self, one: Kept) -> None:
        others = [other for other in read_choices() if other.asked != one.asked]
        newest = [*others, one][-MOST:]
        data = json.dumps([dataclasses.asdict(each) for each in newest], indent=1)
        try:
            write_beside(choices_file(), data.encode() + b"\n")
            _OF_THIS_PROCESS.clear()
        except OSError:
            _OF_THIS_PROCESS.append(one)


@contextmanager
def choices() -> Iterator[Choices]:
    lock = choices_file().with_suffix(".lock")
    file = None
    with suppress(OSError):
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("w")
    if file is None:
        yield Choices()
        return
    with file:
        _wait_for(file.fileno())
        yield Choices()


def _wait_for(descriptor: int) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(LOOKS)
        except OSError:  # a file system without locks
            return
        else:
            return


def _kept(entry: Any) -> Kept | None:
    fields = {"asked": dict, "taken": str, "rates": dict, "date": str}
    if not isinstance(entry, dict) or not all(isinstance(entry.get(name), kind) for name, kind in fields.items()):
        return None
    if not all(isinstance(rate, int | float) for rate in entry["rates"].values()):
        return None
    return Kept(**{name: entry[name] for name in fields})
