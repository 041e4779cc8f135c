"""How batches are cut, and what is left when a pass fails."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.network.shapes import CONNECT4, SMALL, random_planes, trained_like
from torch import Tensor

from c4.network.inference.engine import Evaluations
from c4.network.inference.passes import Cut, Lane, PassEngine, cut
from c4.params.inference import EngineName


@given(rows=st.integers(0, 500), buckets=st.sets(st.integers(1, 100), min_size=1).map(sorted))
def test_cuts_cover_every_row_once_and_fit_their_buckets(rows: int, buckets: list[int]) -> None:
    cuts = cut(rows, buckets)
    assert [row for part in cuts for row in range(part.start, part.stop)] == list(range(rows))
    assert all(0 < part.stop - part.start <= part.bucket and part.bucket in buckets for part in cuts)
    assert all(part.bucket == part.stop - part.start == buckets[-1] for part in cuts[:-1])


def test_the_rest_takes_the_smallest_bucket_that_holds_it() -> None:
    assert cut(70, (4, 16, 32)) == [Cut(0, 32, 32), Cut(32, 64, 32), Cut(64, 70, 16)]


class Faulty(PassEngine):
    """Counts its lanes; a pass whose first cell is set fails."""

    def __init__(self) -> None:
        super().__init__(name=EngineName.TORCH, spec=CONNECT4, fold=dict, streams=1, buckets=(4,))
        self.lanes = 0

    def _publish(self, folded: Mapping[str, Tensor]) -> None: ...

    def _release(self) -> None: ...

    def _new_lane(self, bucket: int) -> Lane:
        self.lanes += 1
        return FaultyLane(bucket)


class FaultyLane(Lane):
    def __init__(self, bucket: int) -> None:
        self.planes = np.zeros((bucket, 3, 6, 7), np.uint8)

    def start(self) -> None: ...

    def wait(self) -> Evaluations:
        if self.planes[0, 0, 0, 0]:
            raise FloatingPointError("a pass failed")
        return Evaluations(np.zeros((4, 7), np.float32), np.zeros(4, np.float32), np.zeros(4, np.float32))


def test_an_engine_works_on_after_a_pass_has_failed() -> None:
    engine = Faulty()
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    good, bad = np.zeros((4, 3, 6, 7), np.uint8), np.ones((4, 3, 6, 7), np.uint8)
    failing = engine.submit(bad)
    with pytest.raises(FloatingPointError):
        failing.result()
    assert len(engine.evaluate(good).value) == 4
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    engine.close()


def test_lanes_are_used_again() -> None:
    engine = Faulty()
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    planes = random_planes(CONNECT4, 12).numpy() * 0
    for _ in range(5):
        handles = [engine.submit(planes) for _ in range(2)]
        for handle in handles:
            handle.result()
    assert engine.lanes == 6
