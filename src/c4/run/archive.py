"""The samples of each generation on disk, a file each: what a resumed run fills its window from.

A file is written beside and renamed, so it is whole or not there; a checksum tells whether it has changed since.
Nothing in it can run (safetensors).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from c4.files import is_as_written, read_plain, with_checksum, write_beside
from c4.replay.samples import Samples, columns, from_columns

MOST = 2**33  # bytes: more than any generation has


class ArchiveError(ValueError):
    """A file of samples is missing or broken."""


class Archive:
    """A folder with generation_000012.safetensors and so on."""

    def __init__(self, *, folder: Path) -> None:
        self._folder = folder
        self._checked: dict[int, Samples] = {}

    def path(self, generation: int) -> Path:
        return self._folder / f"generation_{generation:06d}.safetensors"

    def write(self, generation: int, samples: Samples) -> None:
        """Stores a generation, over what was there. Raises OSError when the disk does not take it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        arrays = {name: np.ascontiguousarray(column) for name, column in columns(samples).items()}
        self._checked.pop(generation, None)
        write_beside(self.path(generation), with_checksum(partial(save, arrays), {}))

    def check(self, generations: Iterable[int], *, game: str) -> None:
        """Reads these, and holds each until it is asked for: none is read twice. Raises ArchiveError."""
        for generation in generations:
            self._checked[generation] = self.read(generation, game=game)

    def read(self, generation: int, *, game: str) -> Samples:
        """The samples of a generation of a game. Raises ArchiveError when they are not there or not whole."""
        if generation in self._checked:
            return self._checked.pop(generation)
        path = self.path(generation)
        try:
            data = read_plain(path, most=MOST)
            arrays = load(data)
            if not is_as_written(data):
                raise ValueError("it is not as it was written")
            return from_columns(arrays, game=game)
        except FileNotFoundError as error:
            raise ArchiveError(f"{path} is missing") from error
        except OSError as error:
            raise ArchiveError(f"{path} cannot be read: {error.strerror}") from error
        except (SafetensorError, ValueError) as error:
            raise ArchiveError(f"{path} is broken: {error}") from error

    def drop_before(self, generation: int) -> None:
        """Removes what lies before a generation."""
        for path in self._folder.glob("generation_*.safetensors"):
            if path.name < self.path(generation).name:
                path.unlink()
