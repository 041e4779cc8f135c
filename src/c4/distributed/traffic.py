"""What went over the network and who was there, as figures of a generation."""

from __future__ import annotations

from collections.abc import Mapping


class Traffic:
    """Counts since it was asked last."""

    def __init__(self) -> None:
        self._bytes = self._samples = self._weights = 0

    def arrived(self, size: int, *, samples: int) -> None:
        self._bytes += size
        self._samples += samples

    def published(self, size: int) -> None:
        self._weights = size

    def figures(self, *, alive: int, lost: int) -> Mapping[str, float]:
        figures = {
            "actors/alive": float(alive),
            "actors/lost": float(lost),
            "actors/bytes_per_sample": self._bytes / max(self._samples, 1),
            "actors/weight_bytes": float(self._weights),
        }
        self._bytes = self._samples = 0
        return figures
