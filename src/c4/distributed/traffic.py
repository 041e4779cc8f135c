"""What went over the network, who was there and who waited for whom, as figures of a generation."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Traffic:
    """Counts since it was asked last."""

    def __init__(self) -> None:
        self._bytes = self._samples = self._weights = self._most_out = 0
        self._waited, self._since = 0.0, time.monotonic()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While the learner can do nothing but wait for what actors bring."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._waited += time.monotonic() - began

    def arrived(self, size: int, *, samples: int) -> None:
        self._bytes += size
        self._samples += samples

    def published(self, size: int) -> None:
        self._weights = size

    def given_out(self, chunks: int) -> None:
        """So many are out now."""
        self._most_out = max(self._most_out, chunks)

    def figures(self, *, alive: int, lost: int) -> Mapping[str, float]:
        now = time.monotonic()
        figures = {
            "actors/alive": float(alive),
            "actors/lost": float(lost),
            "actors/bytes_per_sample": self._bytes / max(self._samples, 1),
            "actors/weight_bytes": float(self._weights),
            "actors/chunks_out": float(self._most_out),
            "actors/idle_share": self._waited / max(now - self._since, 1e-9),
        }
        self._bytes = self._samples = self._most_out = 0
        self._waited, self._since = 0.0, now
        return figures
