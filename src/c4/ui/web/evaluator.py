"""One network for all visitors: their leaves are gathered into batches by a thread that alone talks to the engine."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

from c4.network.inference.engine import Evaluations, Judge

MOST_ROWS = 512  # of a batch; what waits longer than that comes next


class SharedEngine:
    """Searches in any thread may submit. A judge itself."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._asked: queue.SimpleQueue[tuple[NDArray[np.uint8], Future[Evaluations]] | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="c4-evaluator", daemon=True)
        self._thread.start()

    def submit(self, planes: NDArray[np.uint8]) -> Future[Evaluations]:
        """planes [n, C, H, W]; not to be written to before the result is there."""
        future: Future[Evaluations] = Future()
        if self._closed:
            raise RuntimeError("the server is closing")
        self._asked.put((planes, future))
        return future

    def evaluate(self, planes: NDArray[np.uint8]) -> Evaluations:
        return self.submit(planes).result()

    def close(self) -> None:
        """What is still waiting fails."""
        self._closed = True
        self._asked.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (first := self._asked.get()) is not None:
            batch, ends = [first], False
            rows = len(first[0])
            while rows < MOST_ROWS and not self._asked.empty():
                more = self._asked.get()
                if more is None:
                    ends = True
                    break
                batch.append(more)
                rows += len(more[0])
            self._answer([planes for planes, _ in batch], [future for _, future in batch])
            if ends:
                break
        while not self._asked.empty():
            left = self._asked.get()
            if left is not None:
                left[1].set_exception(RuntimeError("the server is closing"))

    def _answer(self, planes: list[NDArray[np.uint8]], futures: list[Future[Evaluations]]) -> None:
        try:
            whole = self._judge.evaluate(planes[0] if len(planes) == 1 else np.concatenate(planes))
        except Exception as error:  # noqa: BLE001  whoever asked is told; the others go on
            for future in futures:
                future.set_exception(error)
            return
        start = 0
        for part, future in zip(planes, futures, strict=True):
            stop = start + len(part)
            future.set_result(Evaluations(*(output[start:stop] for output in whole)))
            start = stop
