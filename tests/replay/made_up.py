"""Samples of no game that was ever played: real positions with made-up targets."""

from __future__ import annotations

from typing import Any

import numpy as np

from c4.native import _core
from c4.native._core import Position
from c4.replay.samples import Samples

GAME = "connect4_4x4"


def sample(*actions: int, game: str = GAME, **fields: Any) -> Samples:
    """One sample of the position after `actions`: drawn at its next ply and without a trace, but for what is said."""
    one = np.zeros(1, _core.sample_dtype(game))
    said = {"policy": [1] + [0] * (one["policy"].shape[1] - 1), "plies_left": 1, "result": 0} | fields
    said = {"root_value": said["result"] / 2, "outcome": said["result"], "outcome_share": 1.0} | said
    one["packed"], one["ply"] = Position.from_actions(game, actions).packed(), len(actions)
    for name, value in said.items():
        one[name] = value
    return one


def made_up(count: int, *, first: int = 0) -> Samples:
    """Samples told apart by their game_id, which counts from `first`; their root value is game_id / 1000."""
    stream = np.random.default_rng(first)
    return np.concatenate(
        [
            sample(*stream.integers(4, size=3).tolist(), game_id=number, root_value=number / 1000)
            for number in range(first, first + count)
        ]
    )
