"""When there is time to measure: a share of the run's wall clock, never more. Knows nothing of what is measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class TimeShare:
    """Lets something costly happen as long as it stays within `share` of the time since it was made."""

    def __init__(self, share: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._share, self._clock = share, clock
        self._started = clock()
        self._spent = 0.0
        self._last = 0.0  # what it cost the last time

    def is_paid(self) -> bool:
        """Whether another one, as costly as the last, fits."""
        return self._spent + self._last <= self._share * (self._clock() - self._started)

    @contextmanager
    def paying(self) -> Iterator[None]:
        before = self._clock()
        try:
            yield
        finally:
            self._last = self._clock() - before
            self._spent += self._last
