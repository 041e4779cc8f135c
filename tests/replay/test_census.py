"""Keys that come and go, counted."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from c4.replay.census import Census


@given(parts=st.lists(st.lists(st.integers(0, 6), max_size=8), min_size=1, max_size=6), kept=st.integers(0, 12))
def test_it_knows_how_many_there_are_of_what_a_sliding_window_holds(parts: list[list[int]], kept: int) -> None:
    census, window = Census(), np.zeros(0, np.uint64)
    for part in parts:
        keys = np.array(part, np.uint64) * np.uint64(1 << 60)
        census.add(keys)
        window = np.concatenate([window, keys])
        fallen = max(0, len(window) - kept)
        census.remove(window[:fallen])
        window = window[fallen:]
        assert census.distinct == len(set(window.tolist()))
