"""Samples, one record a position: structured arrays as the native generator makes them, and as columns for files.

What their fields are is said in native/selfplay/sample.h. Knows nothing of windows, draws or where files lie.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from c4.native import _core

Samples = NDArray[np.void]
"""[n] of the record of a game; samples["policy"] is a column, [n, actions]."""


def empty(*, game: str) -> Samples:
    """No samples of a game."""
    return np.zeros(0, _core.sample_dtype(game))


def columns(samples: Samples) -> dict[str, NDArray[Any]]:
    """By name, in the order of the record; not copied."""
    return {name: samples[name] for name in samples.dtype.names or ()}


def from_columns(given: Mapping[str, NDArray[Any]], *, game: str) -> Samples:
    """Samples from columns by name. Raises ValueError when one is missing, too many, or not as in the game's record."""
    record = _core.sample_dtype(game)
    names = record.names or ()
    if set(names) != set(given):
        missing = [name for name in names if name not in given]
        if missing:
            raise ValueError(f"samples without {', '.join(missing)}: of another version, which cannot be resumed")
        raise ValueError(f"samples have the columns {', '.join(names)}, not {', '.join(given)}")
    samples = np.zeros(len(given[names[0]]), record)
    for name, column in columns(samples).items():
        if (column.dtype, column.shape) != (given[name].dtype, given[name].shape):
            found = given[name]
            raise ValueError(f"the samples' column {name} does not fit: {found.dtype}, shape {list(found.shape)}")
        samples[name] = given[name]
    return samples
