"""Two processes never write into one run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from c4.files import itself
from c4.run.folder import RunFolder, StateError


@contextmanager
def alone_in(folder: RunFolder) -> Iterator[None]:
    """Holds the run for as long as it lasts. Raises StateError where another process does."""
    check_links(folder)
    with open(folder.lock, "a", opener=itself) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StateError(f"another process is training in {folder.path}") from None  # no lack of anything
        yield


def check_links(folder: RunFolder) -> None:
    """Raises StateError where a link leads out of the folder: what is written there would be written elsewhere."""
    root = os.path.realpath(folder.path)
    for names in ("*", "*/*"):
        for path in folder.path.glob(names):
            if path.is_symlink() and os.path.commonpath([root, os.path.realpath(path)]) != root:
                raise StateError(f"{path} is a link that leads out of the run's folder: nothing is written there")


def check_alone(folder: RunFolder) -> None:
    """Raises StateError where a process trains; touches nothing."""
    if folder.lock.exists():
        with alone_in(folder):
            return
