"""Torch on the processor: workers of one intra-op thread each, which two cores like better than one of two threads.

With `compiled`, passes go through torch.compile. Weights are replaced in place, so that is compiled once only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from c4.games import GameSpec
from c4.network.inference.engine import EngineUnavailableError, Evaluations
from c4.network.inference.passes import Lane, PassEngine
from c4.network.network import answer, fixed
from c4.network.output import Evaluation, evaluation
from c4.params.inference import EngineName, Precision

DTYPES = {
    Precision.FLOAT32: torch.float32,
    Precision.BFLOAT16: torch.bfloat16,
    Precision.FLOAT16: torch.float16,
}

Pass = Callable[[Tensor], Evaluation]  # uint8 [bucket, C, H, W] on the network's device


def whole_pass(network: nn.Module, dtype: torch.dtype) -> Pass:
    """From planes as games write them to evaluations; `dtype` is the number format of the network's weights."""

    def run(planes: Tensor) -> Evaluation:
        return evaluation(answer(network, planes.to(dtype)))

    return run


class TorchEngine(PassEngine):
    def __init__(
        self,
        *,
        spec: GameSpec,
        network: nn.Module,
        precision: Precision,
        streams: int,
        buckets: Sequence[int],
        compiled: bool,
    ) -> None:
        if precision not in {Precision.FLOAT32, Precision.BFLOAT16}:
            raise EngineUnavailableError(
                f"inference.precision={precision.value} is not for torch on a processor: take bf16, f32 or auto"
            )
        name = EngineName.TORCH_COMPILE if compiled else EngineName.TORCH
        module, fold = fixed(network)
        super().__init__(name=name, spec=spec, fold=fold, streams=streams, buckets=buckets)
        self._network = module.to(DTYPES[precision])
        run = whole_pass(self._network, DTYPES[precision])
        self._pass = torch.compile(run, dynamic=False) if compiled else run
        self._workers = ThreadPoolExecutor(streams, thread_name_prefix="c4-evaluate", initializer=_one_thread)
        self._compiled = not compiled

    def _publish(self, folded: Mapping[str, Tensor]) -> None:
        self._network.load_state_dict(folded)
        if not self._compiled:
            try:
                self._compile()
            except RuntimeError as error:  # of torch, with all that the compiler said
                raise EngineUnavailableError(
                    f"inference.engine=torch_compile: torch cannot compile here ({type(error).__name__}); it needs a "
                    "C++ compiler, inference.engine=torch needs none"
                ) from error
            self._compiled = True

    def _compile(self) -> None:
        """One bucket after the other, by a worker: the number of threads is compiled in."""
        for bucket in self._buckets:
            lane = self._new_lane(bucket)
            lane.start()
            lane.wait()

    def _new_lane(self, bucket: int) -> Lane:
        shape = (bucket, self._spec.planes, self._spec.height, self._spec.width)
        return _TorchLane(np.zeros(shape, np.uint8), run=self._pass, workers=self._workers)

    def _release(self) -> None:
        self._workers.shutdown(wait=True)


class _TorchLane(Lane):
    def __init__(self, planes: NDArray[np.uint8], *, run: Pass, workers: ThreadPoolExecutor) -> None:
        self.planes = planes
        self._tensor, self._run, self._workers = torch.from_numpy(planes), run, workers
        self._future: Future[Evaluations] | None = None

    def start(self) -> None:
        self._future = self._workers.submit(self._work)

    def wait(self) -> Evaluations:
        assert self._future is not None
        return self._future.result()

    def _work(self) -> Evaluations:
        with torch.no_grad():
            return Evaluations(*(part.numpy() for part in self._run(self._tensor)))


def _one_thread() -> None:
    torch.set_num_threads(1)
