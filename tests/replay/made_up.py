"""Samples of no game that was ever played: real positions with made-up targets."""

from __future__ import annotations

import numpy as np

from c4.native._core import Position
from c4.replay.samples import Samples, concatenate, from_arrays

GAME = "connect4_4x4"


def sample(*actions: int, policy: tuple[float, ...] = (1, 0, 0, 0), result: int = 0, left: int = 1) -> Samples:
    """One sample of the position after `actions`."""
    return from_arrays(
        {
            "packed": Position.from_actions(GAME, actions).packed()[None],
            "policy": np.array([policy], np.float32),
            "result": np.array([result], np.int8),
            "plies_left": np.array([left], np.int16),
            "root_value": np.array([result / 2], np.float32),
            "surprise": np.zeros(1, np.float32),
            "outcome": np.array([result], np.int8),
            "outcome_share": np.ones(1, np.float32),
            "bootstrap": np.zeros(1, np.float32),
            "ply": np.array([len(actions)], np.int16),
            "game_id": np.zeros(1, np.int64),
            "weights_version": np.zeros(1, np.int32),
        }
    )


def made_up(count: int, *, first: int = 0) -> Samples:
    """Samples told apart by their game_id, which counts from `first`; their root value is game_id / 1000."""
    stream = np.random.default_rng(first)
    parts = []
    for number in range(first, first + count):
        arrays = sample(*stream.integers(4, size=3).tolist()).arrays()
        arrays |= {"game_id": np.array([number]), "root_value": np.array([number / 1000], np.float32)}
        parts.append(from_arrays(arrays))
    return concatenate(parts)
