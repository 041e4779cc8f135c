"""An engine that looks at every position in all of its symmetric images and answers with the mean.

Policies are averaged as probabilities and not as logits: the mean of logits forgets a move that one image sees and
another overlooks, and what a search is never shown it never finds. Costs as many evaluations as there are symmetries.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from c4.games import GameSpec
from c4.native import _core
from c4.network.inference.engine import Evaluations, Handle, InferenceEngine
from c4.params.inference import EngineName

LEAST = 1e-30  # of a probability: its logarithm is finite


class SymmetricEngine:
    """Fulfils `InferenceEngine`. Closing it closes the engine that it asks."""

    def __init__(self, engine: InferenceEngine, *, spec: GameSpec) -> None:
        self._engine = engine
        self._actions = _core.symmetry_actions(spec.name).astype(np.int64)  # [symmetries, actions]
        self._cells = np.argsort(cell_images(spec), axis=1)  # what is seen at a cell comes from that one

    @property
    def name(self) -> EngineName:
        return self._engine.name

    @property
    def streams(self) -> int:
        return self._engine.streams

    def load(self, state: Mapping[str, Tensor]) -> None:
        self._engine.load(state)

    def submit(self, planes: NDArray[np.uint8]) -> Handle:
        rows, channels, height, width = planes.shape
        flat = planes.reshape(rows, channels, height * width)
        images = np.concatenate([flat[:, :, cells] for cells in self._cells])
        handle = self._engine.submit(images.reshape(len(images), channels, height, width))
        return _Mean(handle, self._actions, rows=rows)

    def evaluate(self, planes: NDArray[np.uint8]) -> Evaluations:
        return self.submit(planes).result()

    def close(self) -> None:
        self._engine.close()


class _Mean:
    def __init__(self, handle: Handle, actions: NDArray[np.int64], *, rows: int) -> None:
        self._handle, self._actions, self._rows = handle, actions, rows

    def result(self) -> Evaluations:
        logits, value, plies_left = self._handle.result()
        images, rows = len(self._actions), self._rows
        seen = logits.reshape(images, rows, logits.shape[1]).astype(np.float64)  # [symmetries, n, actions]
        weights = np.exp(seen - seen.max(axis=2, keepdims=True))
        policies = weights / weights.sum(axis=2, keepdims=True)
        straight = [policy[:, actions] for policy, actions in zip(policies, self._actions, strict=True)]
        policy = np.mean(straight, axis=0)
        return Evaluations(
            policy_logits=np.log(np.maximum(policy, LEAST)).astype(np.float32),
            value=_mean(value.reshape(images, rows)),
            plies_left=_mean(plies_left.reshape(images, rows)),
        )


def cell_images(spec: GameSpec) -> NDArray[np.int64]:
    """table[s, i] is the cell (row by row) at which cell i is seen under s. An action is a column, or a cell."""
    table = _core.symmetry_actions(spec.name).astype(np.int64)
    if spec.actions != spec.width:
        return table
    rows = spec.width * np.arange(spec.height)
    return np.asarray((rows[:, None] + table[:, None, :]).reshape(len(table), -1))


def _mean(of_images: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(of_images.mean(axis=0, dtype=np.float64), np.float32)
