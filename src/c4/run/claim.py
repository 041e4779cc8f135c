"""Where a new run goes: into a folder of its own, never over another run."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from c4.run.finding import made_something
from c4.run.folder import RunFolder, StateError
from c4.run.lock import check_alone


def check_unused(folder: RunFolder) -> None:
    """Raises StateError where a run has made something."""
    if made_something(folder) or folder.players():
        raise StateError(
            f"{folder.path} holds a run: resume={folder.path} continues it; a new run needs another folder"
        )


def claimed(words: Sequence[str], *, hydra: Any, multirun: bool) -> list[str]:
    """The command line of a new run, or of a grid of them, whose folder is there and nobody else's.

    One that was typed is taken if no run has made anything in it. One that is named by the second may be taken by
    another process that was started in the same second, and has a number added then. Raises StateError.
    """
    key, folder = ("hydra.sweep.dir", hydra.sweep.dir) if multirun else ("hydra.run.dir", hydra.run.dir)
    path = Path(folder)
    if any(word.lstrip("+").startswith(f"{key}=") for word in words):
        for each in (path, *path.glob("*/")) if multirun else (path,):
            check_alone(RunFolder(path=each))
            check_unused(RunFolder(path=each))
        return list(words)
    own = _made(path)
    return list(words) if own == path and not multirun else [*words, f"{key}='{own}'"]


def _made(path: Path) -> Path:
    for number in itertools.count(1):
        own = path if number == 1 else path.with_name(f"{path.name}_{number}")
        try:
            own.mkdir(parents=True)
        except FileExistsError:
            if not own.is_dir():
                raise
        else:
            return own
    raise AssertionError
