"""The file of a study: lines that are only ever appended, safe from SIGKILL and from several writers at once.

The lock is the kernel's, so that it goes with the process that held it; a line that was cut off is taken back before
the next is written. All workers of a study share one machine's file system.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend


def open_journal(path: Path) -> JournalStorage:
    path.touch(exist_ok=True)
    return JournalStorage(JournalFileBackend(str(path), lock_obj=cast("Any", _AppendLock(path))))


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Holds the file's lock; says whether it could be had when it was not waited for."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


class _AppendLock:
    """What Optuna expects of a lock; its own ones stay behind when their process is killed."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._descriptor = -1

    def acquire(self) -> bool:
        descriptor = os.open(self._journal, os.O_RDWR)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self._descriptor = descriptor
        self._take_back_half_a_line()
        return True

    def release(self) -> None:
        os.close(self._descriptor)

    def _take_back_half_a_line(self) -> None:
        size = os.fstat(self._descriptor).st_size
        if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
            whole = self._journal.read_bytes().rfind(b"\n") + 1
            os.ftruncate(self._descriptor, whole)
