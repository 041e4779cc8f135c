"""Two processes never write into one run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from c4.run.folder import RunFolder, StateError


@contextmanager
def alone_in(folder: RunFolder) -> Iterator[None]:
    """Holds the run for as long as it lasts. Raises StateError where another process does."""
    with open(folder.lock, "w", opener=_at_once) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StateError(f"another process is training in {folder.path}") from None  # no lack of anything
        yield


def _at_once(path: str, flags: int) -> int:
    """A pipe in its place would wait for a reader. Raises OSError."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def check_alone(folder: RunFolder) -> None:
    """Raises StateError where a process trains; touches nothing."""
    if folder.lock.exists():
        with alone_in(folder):
            return
