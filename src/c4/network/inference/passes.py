"""Cuts batches into passes of a few fixed sizes and gathers their results. What a pass does is left to each engine.

Fixed sizes keep a row's evaluation the same whatever batch it comes in, spare engines from preparing for every size
there is, and spread one large batch over all streams.
"""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from c4.games import GameSpec
from c4.network.folding import Fold
from c4.network.inference.engine import Evaluations
from c4.params.inference import EngineName


class Lane(ABC):
    """Room for one pass of fixed size: rows in, rows out. Used again once its result has been taken."""

    planes: NDArray[np.uint8]  # [bucket, C, H, W], to be written before start

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def wait(self) -> Evaluations:
        """Of all rows; valid until the next start. May be called more than once."""


class Cut(NamedTuple):
    """Rows start to stop of a batch go through a pass of `bucket` rows."""

    start: int
    stop: int
    bucket: int


def cut(rows: int, buckets: Sequence[int]) -> list[Cut]:
    """Passes of the largest bucket while they are full; the rest takes the smallest that holds it."""
    cuts, start = [], 0
    while start < rows:
        bucket = next((bucket for bucket in buckets if rows - start <= bucket), buckets[-1])
        stop = min(rows, start + bucket)
        cuts.append(Cut(start, stop, bucket))
        start = stop
    return cuts


class PassEngine(ABC):
    """The common part of all engines. Fulfils `InferenceEngine`."""

    def __init__(self, *, name: EngineName, spec: GameSpec, fold: Fold, streams: int, buckets: Sequence[int]) -> None:
        self.name, self.streams = name, streams
        self._spec, self._fold, self._buckets = spec, fold, tuple(buckets)
        self._lock = threading.RLock()
        self._free: dict[int, list[Lane]] = {}
        self._flying: list[_Batch] = []
        self._loaded = self._closed = False

    def load(self, state: Mapping[str, Tensor]) -> None:
        with self._lock:
            self._check_open()
            self._land()
            self._publish(self._fold(state))
            self._loaded = True

    def submit(self, planes: NDArray[np.uint8]) -> _Batch:
        spec = self._spec
        if planes.dtype != np.uint8 or planes.shape[1:] != (spec.planes, spec.height, spec.width):
            wanted = f"uint8 [n, {spec.planes}, {spec.height}, {spec.width}]"
            raise ValueError(f"planes of {spec.name} are {wanted}, not {planes.dtype} {list(planes.shape)}")
        with self._lock:
            self._check_open()
            if not self._loaded:
                raise RuntimeError("load weights before you submit planes")
            batch = _Batch(self, rows=len(planes))
            for part in cut(len(planes), self._buckets):
                lane = self._lane(part.bucket)
                count = part.stop - part.start
                lane.planes[:count] = planes[part.start : part.stop]
                lane.planes[count:] = 0
                lane.start()
                batch.passes.append((part, lane))
            self._flying.append(batch)
            return batch

    def evaluate(self, planes: NDArray[np.uint8]) -> Evaluations:
        return self.submit(planes).result()

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                self._land()
                self._closed = True
                self._free.clear()
                self._release()

    @abstractmethod
    def _publish(self, folded: Mapping[str, Tensor]) -> None:
        """Takes the weights of the fixed network. Nothing is in flight."""

    @abstractmethod
    def _new_lane(self, bucket: int) -> Lane: ...

    @abstractmethod
    def _release(self) -> None:
        """Gives back what the engine holds beside lanes. Nothing is in flight."""

    def _lane(self, bucket: int) -> Lane:
        free = self._free.get(bucket)
        return free.pop() if free else self._new_lane(bucket)

    def _land(self) -> None:
        for batch in list(self._flying):
            with contextlib.suppress(Exception):  # whoever asks for its result will be told
                self._gather(batch)

    def _gather(self, batch: _Batch) -> Evaluations:
        with self._lock:
            if batch.whole is None:
                if batch in self._flying:
                    self._flying.remove(batch)
                batch.whole = self._joined(batch)
                for part, lane in batch.passes:
                    self._free.setdefault(part.bucket, []).append(lane)
            return batch.whole

    def _joined(self, batch: _Batch) -> Evaluations:
        n = batch.rows
        whole = Evaluations(
            np.empty((n, self._spec.actions), np.float32), np.empty(n, np.float32), np.empty(n, np.float32)
        )
        for part, lane in batch.passes:
            for target, source in zip(whole, lane.wait(), strict=True):
                target[part.start : part.stop] = source[: part.stop - part.start]
        return whole

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("this inference engine is closed")


class _Batch:
    """A handle: the passes of one batch in flight."""

    def __init__(self, engine: PassEngine, *, rows: int) -> None:
        self.rows = rows
        self.passes: list[tuple[Cut, Lane]] = []
        self.whole: Evaluations | None = None
        self._engine = engine

    def result(self) -> Evaluations:
        if self.whole is None:
            with contextlib.suppress(Exception):  # a failure is raised by what follows
                for _, lane in self.passes:
                    lane.wait()  # without the engine's lock, so that other threads may submit meanwhile
        return self._engine._gather(self)
