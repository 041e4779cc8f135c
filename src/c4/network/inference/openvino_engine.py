"""OpenVINO on the processor: the fastest engine there. One thread to a stream; requests wait in its queue.

New weights are compiled for a bucket when that is first needed. Requests are made and first run by the
thread that submits: made by several threads at once, OpenVINO has been seen to hang.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from torch import Tensor, nn

from c4.games import GameSpec
from c4.invocation import install
from c4.network.inference.calibration import Calibration
from c4.network.inference.engine import EngineUnavailableError, Evaluations
from c4.network.inference.passes import Lane, PassEngine
from c4.network.network import fixed
from c4.params.inference import EngineName, Precision

_GRAPHS: WeakKeyDictionary[nn.Module, dict[int, Any]] = WeakKeyDictionary()
"""Of each network by rows: whoever times engines first makes another of the one that won."""


class OpenvinoEngine(PassEngine):
    def __init__(
        self,
        *,
        spec: GameSpec,
        network: nn.Module,
        precision: Precision,
        streams: int,
        buckets: Sequence[int],
        graphs: Mapping[int, bytes],
    ) -> None:
        """`graphs`: of this network by rows, those that another engine has derived."""
        try:
            import openvino
        except ImportError as error:
            raise EngineUnavailableError(
                f"inference.engine=openvino needs OpenVINO: {install('openvino')}; or take inference.engine=torch"
            ) from error
        if precision is Precision.FLOAT16:
            raise EngineUnavailableError("inference.precision=f16 is not for OpenVINO: take int8, bf16, f32 or auto")
        module, fold = fixed(network)
        super().__init__(name=EngineName.OPENVINO, spec=spec, fold=fold, streams=streams, buckets=buckets)
        calibrated = precision is Precision.INT8
        self._network, self._graphs, self._frames = module, _GRAPHS.setdefault(network, {}), graphs
        graph = self._graph(self._buckets[0])  # now: what has none is refused before anything starts
        if calibrated and not graph.rounds():
            raise EngineUnavailableError(
                f"inference.precision=int8 rounds convolutions behind a ReLU, and {type(network).__name__} has none: "
                "take bf16, f32 or auto"
            )
        self._calibration = Calibration(spec, module) if calibrated else None
        self._ranges: dict[str, float] | None = None
        self._core = openvino.Core()
        self._settings = {
            "INFERENCE_PRECISION_HINT": "bf16" if calibrated else precision.value,
            "NUM_STREAMS": streams,
            "INFERENCE_NUM_THREADS": streams,
            "ENABLE_CPU_PINNING": False,
        }
        self._folded: Mapping[str, Tensor] = {}
        self._compiled: dict[int, Any] = {}

    def graphs(self) -> dict[int, bytes]:
        """For engines of the same network in other processes."""
        return {bucket: self._graph(bucket).frame() for bucket in self._buckets}

    def _publish(self, folded: Mapping[str, Tensor]) -> None:
        self._folded = folded
        if self._calibration is not None:
            self._ranges = self._calibration.ranges(folded)
        self._compiled.clear()
        self._free.clear()  # lanes of the old weights

    def _new_lane(self, bucket: int) -> Lane:
        if bucket not in self._compiled:
            graph = self._graph(bucket).filled(self._folded, ranges=self._ranges)
            self._compiled[bucket] = self._core.compile_model(graph, "CPU", self._settings)
        return _OpenvinoLane(self._compiled[bucket].create_infer_request())

    def _graph(self, bucket: int) -> Any:
        from c4.network.inference.openvino_graph import Graph

        if bucket not in self._graphs:
            frame = self._frames.get(bucket)
            self._graphs[bucket] = (
                Graph.read(frame) if frame else Graph.traced(self._network, spec=self._spec, rows=bucket)
            )
        return self._graphs[bucket]

    def _release(self) -> None:
        self._compiled.clear()


class _OpenvinoLane(Lane):
    def __init__(self, request: Any) -> None:
        self._request = request
        self.planes = request.get_input_tensor().data
        self._outputs = Evaluations(*(request.get_output_tensor(i).data for i in range(3)))

    def start(self) -> None:
        self._request.start_async()

    def wait(self) -> Evaluations:
        self._request.wait()
        return self._outputs
