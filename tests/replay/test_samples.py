"""Samples as columns: what fits together, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.replay.made_up import made_up

from c4.replay.samples import concatenate, from_arrays


def test_parts_are_joined_in_order() -> None:
    whole = concatenate([made_up(3, first=0), made_up(2, first=3)])
    assert whole.game_id.tolist() == [0, 1, 2, 3, 4]
    assert len(whole[1:4]) == 3


def test_columns_that_do_not_fit_are_refused() -> None:
    arrays = made_up(3).arrays()
    with pytest.raises(ValueError, match="column policy does not fit"):
        from_arrays(arrays | {"policy": arrays["policy"].astype(np.float64)})
    with pytest.raises(ValueError, match="column ply does not fit: int16, 2 rows"):
        from_arrays(arrays | {"ply": arrays["ply"][:2]})
    with pytest.raises(ValueError, match="samples have the columns"):
        from_arrays(arrays | {"more": arrays["ply"]})


def test_samples_of_before_there_were_traces_are_refused_by_name() -> None:
    arrays = made_up(3).arrays()
    old = {name: column for name, column in arrays.items() if name not in {"outcome", "outcome_share", "bootstrap"}}
    with pytest.raises(ValueError, match="samples without outcome, outcome_share, bootstrap: of another version"):
        from_arrays(old)
