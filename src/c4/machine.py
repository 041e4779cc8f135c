"""What this machine is: its processor, the cores that a process may use, where a person's programs keep what they can
make again. Knows nothing of c4.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

NO_MEMORY = (
    "allocate memory", "bad_alloc", "bad allocation", "can't start new thread", "failed to map segment",
    "not enough memory", "out of memory", "resource temporarily unavailable",
)  # fmt: skip
"""Each library says it in its own words."""


def lacks_memory(error: BaseException | None) -> bool:
    """Whether an error says that this process was given no more memory, or no more threads."""
    if error is None:
        return False
    said = isinstance(error, RuntimeError | OSError | ImportError) and any(
        words in str(error).lower() for words in NO_MEMORY
    )
    return isinstance(error, MemoryError) or said or lacks_memory(error.__cause__)


def processor_name() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if "model name" in line)
    return next(named, platform.processor())


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cache_folder() -> Path:
    """c4's own; it may not be there yet. XDG_CACHE_HOME moves it."""
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "c4"
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is none
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "c4"
