"""One network for many threads: every searcher gets its own rows back, and the failure of one batch ends nothing."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np
import pytest
from numpy.typing import NDArray

from c4.network.inference.engine import Evaluations
from c4.ui.web.evaluator import SharedEngine

SHAPE = (3, 6, 7)


class Echo:
    """Tells of each row what it was; one thread at a time, or it fails."""

    def __init__(self) -> None:
        self._busy = threading.Lock()

    def evaluate(self, planes: NDArray[np.uint8]) -> Evaluations:
        assert self._busy.acquire(blocking=False)
        try:
            if (planes == 255).any():
                raise ValueError("no such position")
            first = planes[:, 0, 0, 0].astype(np.float32)
            return np.repeat(first[:, None], 7, axis=1), first, first
        finally:
            self._busy.release()


def rows(number: int, *, count: int) -> NDArray[np.uint8]:
    return np.full((count, *SHAPE), number, np.uint8)


def test_everybody_gets_the_rows_that_were_asked_for() -> None:
    with closing(SharedEngine(Echo())) as engine, ThreadPoolExecutor(16) as threads:

        def ask(number: int) -> bool:
            logits, value, left = engine.submit(rows(number % 200, count=number % 5 + 1)).result()
            return logits.shape == (number % 5 + 1, 7) and bool((value == number % 200).all() and (left == value).all())

        assert all(threads.map(ask, range(2000)))


def test_a_failure_is_told_to_who_asked_and_the_next_is_answered() -> None:
    with closing(SharedEngine(Echo())) as engine:
        with pytest.raises(ValueError, match="no such position"):
            engine.submit(rows(255, count=1)).result()
        assert engine.submit(rows(7, count=1)).result()[1][0] == 7


def test_nobody_waits_for_a_closed_one() -> None:
    engine = SharedEngine(Echo())
    engine.close()
    with pytest.raises(RuntimeError, match="closing"):
        engine.submit(rows(1, count=1))
