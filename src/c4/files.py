"""Writing a file so that a reader sees the old one or the new one, and a killed process leaves no half of it."""

from __future__ import annotations

import os
from pathlib import Path


def write_beside(path: Path, data: bytes) -> None:
    """Writes beside and renames. Raises OSError, and leaves nothing behind."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
