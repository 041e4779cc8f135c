"""Samples as arrays, one row a position: what the generator makes and what a file of samples holds.

Knows nothing of windows, draws or where files lie.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclasses.dataclass(frozen=True, kw_only=True)
class Samples:
    """n rows; value: native/value.h, for the side to move."""

    packed: NDArray[np.uint8]  # [n, packed_bytes] the position
    policy: NDArray[np.float32]  # [n, actions], all 0 where there is no target: of a fast search
    result: NDArray[np.int8]  # [n] -1, 0, 1
    plies_left: NDArray[np.int16]  # [n] to the end of the game as it was played
    root_value: NDArray[np.float32]  # [n] the search's
    surprise: NDArray[np.float32]  # [n] KL(policy || the network's own at that time), in nats; 0 without a policy
    outcome: NDArray[np.int8]  # [n] this and the next two are the value trace: outcome_share * outcome + bootstrap
    outcome_share: NDArray[np.float32]  # [n] 1 where there are no traces; the outcome is the result then
    bootstrap: NDArray[np.float32]  # [n] what root values on the way add
    ply: NDArray[np.int16]  # [n] played before
    game_id: NDArray[np.int64]  # [n]
    weights_version: NDArray[np.int32]  # [n] of the weights that searched it

    def __len__(self) -> int:
        return len(self.result)

    def __getitem__(self, rows: slice | NDArray[Any]) -> Samples:
        return Samples(**{name: array[rows] for name, array in self.arrays().items()})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The columns by name, not copied."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


DTYPES: dict[str, Any] = {
    "packed": np.uint8,
    "policy": np.float32,
    "result": np.int8,
    "plies_left": np.int16,
    "root_value": np.float32,
    "surprise": np.float32,
    "outcome": np.int8,
    "outcome_share": np.float32,
    "bootstrap": np.float32,
    "ply": np.int16,
    "game_id": np.int64,
    "weights_version": np.int32,
}


def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Samples:
    """Samples from columns by name. Raises ValueError when one is missing, too many, or not of its type."""
    if arrays.keys() != DTYPES.keys():
        missing = [name for name in DTYPES if name not in arrays]
        if missing:
            raise ValueError(f"samples without {', '.join(missing)}: of another version, which cannot be gone on with")
        raise ValueError(f"samples have the columns {', '.join(DTYPES)}, not {', '.join(arrays)}")
    for name, dtype in DTYPES.items():
        if arrays[name].dtype != dtype or len(arrays[name]) != len(arrays["result"]):
            raise ValueError(f"the samples' column {name} does not fit: {arrays[name].dtype}, {len(arrays[name])} rows")
    return Samples(**arrays)


def empty(*, actions: int, packed_bytes: int) -> Samples:
    """No samples, of the shapes of a game."""
    widths = {"packed": (0, packed_bytes), "policy": (0, actions)}
    return from_arrays({name: np.zeros(widths.get(name, (0,)), dtype) for name, dtype in DTYPES.items()})


def concatenate(parts: Sequence[Samples]) -> Samples:
    """All rows of all parts, in order. There is at least one part."""
    columns = [part.arrays() for part in parts]
    return from_arrays({name: np.concatenate([column[name] for column in columns]) for name in DTYPES})
