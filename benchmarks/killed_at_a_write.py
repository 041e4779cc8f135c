"""Runs a program that is killed in the middle of a write: of what it was writing one half is on the disk.

python benchmarks/killed_at_a_write.py N PROGRAM WORDS...      the N-th write
"""

from __future__ import annotations

import itertools
import os
import runpy
import signal
import sys
from pathlib import Path

whole, fatal, writes = os.fsync, int(sys.argv[1]), itertools.count(1)


def fsync(descriptor: int) -> None:
    if next(writes) == fatal:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        os.truncate(path, path.stat().st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)
    whole(descriptor)


os.fsync = fsync  # type: ignore[assignment]
sys.argv, sys.path[0] = sys.argv[2:], ""  # what lies beside this file is nothing of that program
runpy.run_path(sys.argv[0], run_name="__main__")
