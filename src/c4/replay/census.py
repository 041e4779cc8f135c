"""How often each key occurs among keys that come and go. Knows nothing of what they stand for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Census:
    """Counts are kept by key, ascending, so that a change sorts what changes and not the rest."""

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.uint64)
        self._counts = np.zeros(0, np.int64)

    @property
    def distinct(self) -> int:
        """Keys that are there at all."""
        return len(self._keys)

    def add(self, keys: NDArray[np.uint64]) -> None:
        self._change(keys, by=1)

    def remove(self, keys: NDArray[np.uint64]) -> None:
        """Precondition: they were added."""
        self._change(keys, by=-1)

    def _change(self, keys: NDArray[np.uint64], *, by: int) -> None:
        changed, times = np.unique(keys, return_counts=True)
        missing = changed[~np.isin(changed, self._keys, assume_unique=True)]
        places = np.searchsorted(self._keys, missing)
        self._keys, self._counts = np.insert(self._keys, places, missing), np.insert(self._counts, places, 0)
        self._counts[np.searchsorted(self._keys, changed)] += by * times
        left = self._counts > 0
        self._keys, self._counts = self._keys[left], self._counts[left]
