"""What an inference engine is, for those who use one. value: native/value.h.

Several batches may be in flight: submit some, then ask for their results in any order. One Python thread is enough to
keep an engine busy, and what comes out does not depend on timing. Knows no engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from c4.params.inference import EngineName

if TYPE_CHECKING:
    from torch import Tensor


class Evaluations(NamedTuple):
    """Of n positions, in the order in which they were submitted."""

    policy_logits: NDArray[np.float32]  # [n, actions]
    value: NDArray[np.float32]  # [n]
    plies_left: NDArray[np.float32]  # [n]


class Handle(Protocol):
    """A batch in flight."""

    def result(self) -> Evaluations:
        """Waits for it. The arrays belong to the caller."""
        ...


class Nothing:
    """The handle of a batch without rows: every leaf was known or a finished game."""

    def __init__(self, *, actions: int) -> None:
        self._actions = actions

    def result(self) -> Evaluations:
        none = np.zeros(0, np.float32)
        return Evaluations(policy_logits=np.zeros((0, self._actions), np.float32), value=none, plies_left=none)


class Judge(Protocol):
    """What a search needs of a network."""

    def submit(self, planes: NDArray[np.uint8]) -> Handle:
        """planes [n, C, H, W], n at least 1; not to be written to before the result is there."""
        ...

    def evaluate(self, planes: NDArray[np.uint8]) -> Evaluations:
        """Submits and waits."""
        ...


class InferenceEngine(Judge, Protocol):
    """On a CPU a row's evaluation is bit for bit the same whenever it comes, and whatever else is in its batch.

    (torch in f32: where the inputs of each dense layer are a multiple of 16, as those of conf/network are on Connect
    Four's board. Other sizes take other kernels for the last rows.)
    """

    @property
    def name(self) -> EngineName:
        """Which engine it is, never auto. A resumed run asks for it by name, since engines round differently."""
        ...

    @property
    def streams(self) -> int:
        """How many passes it works on at once."""
        ...

    def load(self, state: Mapping[str, Tensor]) -> None:
        """New weights: the state of a trained network. Waits for what is in flight, which is still of the old ones."""
        ...

    def submit(self, planes: NDArray[np.uint8]) -> Handle:
        """planes [n, C, H, W]; they are copied, so the buffer is free again at once."""
        ...

    def close(self) -> None:
        """Gives threads and memory back. May be called twice."""
        ...


class EngineUnavailableError(ValueError):
    """This machine cannot run the engine that was asked for; the text says what is missing."""
