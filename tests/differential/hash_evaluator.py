"""An evaluator that hashes the board: no network, no random stream, and no preference for one symmetric image.

The same state gives the same logits whichever image of it is shown, so the specification may look at the board as it
lies and the native search at its canonical image.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from c4.reference.games import START, State


class HashEvaluator:
    """`sharpness` scales the logits: 0 makes all moves alike, so that ties are met."""

    def __init__(self, *, game: str, sharpness: float = 3.0, salt: int = 0) -> None:
        self.start = START[game]
        self.sharpness, self.salt = sharpness, salt
        height, width = self.start.height, self.start.width
        cells = [(row, column) for row in range(height) for column in range(width)]
        self.cell_images = [
            [row * width + column for row, column in (self.start.image_of(*cell, symmetry) for cell in cells)]
            for symmetry in range(self.start.symmetries)
        ]
        self._of_bytes = lru_cache(maxsize=None)(self._hash)

    def state(self, state: State) -> tuple[NDArray[np.float32], float, float]:
        return self._of_bytes(state.planes().tobytes())

    def batch(self, planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """What a network answers: logits [n, actions], value [n], plies left [n]."""
        rows = [self._of_bytes(row.tobytes()) for row in planes]
        logits = np.array([row[0] for row in rows], np.float32).reshape(len(rows), self.start.actions)
        return logits, np.array([row[1] for row in rows], np.float32), np.array([row[2] for row in rows], np.float32)

    def _hash(self, planes: bytes) -> tuple[NDArray[np.float32], float, float]:
        board = np.frombuffer(planes, np.uint8).reshape(3, -1)
        images = []
        for cells in self.cell_images:
            image = np.empty_like(board)
            image[:, cells] = board
            images.append(image.tobytes())
        lowest = min(images)
        numbers = np.random.default_rng(list(hashlib.sha256(lowest + bytes([self.salt])).digest()))
        drawn = numbers.uniform(-1, 1, self.start.actions + 2)
        symmetries = [symmetry for symmetry, image in enumerate(images) if image == lowest]
        logits = [
            max(drawn[self.start.transform(action, symmetry)] for symmetry in symmetries)
            for action in range(self.start.actions)
        ]
        value, plies = np.float32(drawn[-2]), np.float32((drawn[-1] + 1) * self.start.max_plies / 2)
        return np.array(logits, np.float32) * np.float32(self.sharpness), float(value), float(plies)
