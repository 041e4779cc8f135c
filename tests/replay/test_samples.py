"""Samples as records and as columns: what fits together, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.replay.made_up import GAME, made_up

from c4.native import _core
from c4.replay.samples import columns, from_columns


@pytest.mark.parametrize("game", _core.game_names())
def test_records_are_joined_as_the_native_code_lays_them_out(game: str) -> None:
    record, info = _core.sample_dtype(game), _core.game_spec(game)
    assert record.isalignedstruct
    assert record["packed"].shape == (info.packed_bytes,)
    assert record["policy"].shape == (info.actions,)
    assert np.concatenate([np.zeros(2, record), np.zeros(3, record)]).dtype == record
    without_gaps = sum(record[name].itemsize for name in record.names or ())
    assert record.itemsize - without_gaps < 16  # what alignment costs


def test_columns_are_the_records() -> None:
    samples = made_up(5)
    assert np.array_equal(from_columns(columns(samples), game=GAME), samples)
    columns(samples)["ply"][3] = 77  # not copied
    assert samples["ply"].tolist() == [3, 3, 3, 77, 3]


def test_columns_that_do_not_fit_are_refused() -> None:
    given = columns(made_up(3))
    with pytest.raises(ValueError, match=r"column policy does not fit: float64, shape \[3, 4\]"):
        from_columns(given | {"policy": given["policy"].astype(np.float64)}, game=GAME)
    with pytest.raises(ValueError, match=r"column ply does not fit: int16, shape \[2\]"):
        from_columns(given | {"ply": given["ply"][:2]}, game=GAME)
    with pytest.raises(ValueError, match="samples have the columns"):
        from_columns(given | {"more": given["ply"]}, game=GAME)
    with pytest.raises(ValueError, match="column packed does not fit"):
        from_columns(given, game="gomoku6")


def test_samples_of_before_there_were_traces_are_refused_by_name() -> None:
    given = columns(made_up(3))
    old = {name: column for name, column in given.items() if name not in {"outcome", "outcome_share", "bootstrap"}}
    with pytest.raises(ValueError, match="samples without bootstrap, outcome_share, outcome: of another version"):
        from_columns(old, game=GAME)
