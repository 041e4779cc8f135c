"""Torch on a GPU, written for throughput: half precision, several CUDA streams, one CUDA graph for each lane.

A lane's graph holds all of a pass: planes from pinned memory to the GPU, the network, the answers back to pinned
memory. To start one is a single call, and nothing is allocated after the first. Weights are replaced in place, where
the graphs find them. A row's evaluation is the same bits in any pass of the same bucket; cuDNN may compute other
buckets in another order.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, cuda, nn

from c4.games import GameSpec
from c4.network.inference.engine import EngineUnavailableError, Evaluations
from c4.network.inference.passes import Lane, PassEngine
from c4.network.inference.torch_engine import DTYPES, Pass, whole_pass
from c4.network.network import fixed, why
from c4.params.inference import EngineName, Precision

WARM_UPS = 3  # passes before a capture, as PyTorch asks for: libraries choose kernels and allocate in them


class CudaEngine(PassEngine):
    def __init__(
        self,
        *,
        spec: GameSpec,
        network: nn.Module,
        precision: Precision,
        streams: int,
        buckets: Sequence[int],
        device: torch.device,
    ) -> None:
        if not cuda.is_available():
            raise EngineUnavailableError("inference.engine=cuda needs a GPU and a torch built for it; none was found")
        if precision is Precision.INT8:
            raise EngineUnavailableError("inference.precision=int8 is not for CUDA: take f16, bf16, f32 or auto")
        # torch reads this once, at its first matrix product on a GPU, which may well be ours; without it, it refuses
        # to train by algorithms that repeat (trainer.deterministic), even where it is set later.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        module, fold = fixed(network)
        super().__init__(name=EngineName.CUDA, spec=spec, fold=fold, streams=streams, buckets=buckets)
        dtype = DTYPES[Precision.FLOAT16 if precision is Precision.AUTO else precision]
        self._network = module.to(device=device, dtype=dtype)
        self._device, self._pass = device, whole_pass(self._network, dtype)
        self._streams = itertools.cycle([_stream(device) for _ in range(streams)])

    def _publish(self, folded: Mapping[str, Tensor]) -> None:
        self._network.load_state_dict(folded)
        cuda.synchronize(self._device)

    def _release(self) -> None:
        cuda.synchronize(self._device)

    def _new_lane(self, bucket: int) -> Lane:
        stream = next(self._streams)
        try:
            return _CudaLane(spec=self._spec, bucket=bucket, run=self._pass, stream=stream, device=self._device)
        except RuntimeError as error:  # such as of a network that waits for the GPU in between
            raise EngineUnavailableError(
                f"inference.engine=cuda cannot capture {type(self._network).__name__} as a graph: {why(error)}; "
                "inference.engine=torch runs any network"
            ) from error


class _CudaLane(Lane):
    def __init__(self, *, spec: GameSpec, bucket: int, run: Pass, stream: cuda.Stream, device: torch.device) -> None:
        rows = _pinned((bucket, spec.planes, spec.height, spec.width), torch.uint8)
        answers = (
            _pinned((bucket, spec.actions), torch.float32),
            _pinned((bucket,), torch.float32),
            _pinned((bucket,), torch.float32),
        )
        on_device = torch.zeros(rows.shape, dtype=rows.dtype, device=device)

        def whole() -> None:
            on_device.copy_(rows, non_blocking=True)
            for answer, computed in zip(answers, run(on_device), strict=True):
                answer.copy_(computed, non_blocking=True)

        self.planes = rows.numpy()
        self._answers = Evaluations(*(answer.numpy() for answer in answers))
        self._on_device = on_device  # a graph holds only what was allocated while it was captured
        self._stream, self._done = stream, _event()
        self._replay = _captured(whole, stream=stream)

    def start(self) -> None:
        with cuda.stream(self._stream):
            self._replay()
            self._done.record()

    def wait(self) -> Evaluations:
        self._done.synchronize()
        return self._answers


def _stream(device: torch.device) -> cuda.Stream:
    return cuda.Stream(device)  # type: ignore[no-untyped-call]


def _event() -> cuda.Event:
    return cuda.Event()  # type: ignore[no-untyped-call]


def _pinned(shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    """Memory of the host that a GPU reads and writes by itself."""
    return torch.zeros(shape, dtype=dtype, pin_memory=True)


def _captured(work: Callable[[], None], *, stream: cuda.Stream) -> Callable[[], None]:
    """The same work as one CUDA graph, to be called with the stream as the current one."""
    with torch.no_grad():
        stream.wait_stream(cuda.current_stream())
        with cuda.stream(stream):
            for _ in range(WARM_UPS):
                work()
        stream.synchronize()
        graph = cuda.CUDAGraph()
        with cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
            work()
    return graph.replay
