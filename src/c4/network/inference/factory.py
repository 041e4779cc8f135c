"""Makes the engine that the knobs ask for. What auto means is decided in auto.py."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import nn

from c4.games import GameSpec
from c4.machine import cores
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.processor import processor_precision
from c4.network.inference.symmetric import SymmetricEngine
from c4.params.inference import EngineName, InferenceParams, Precision


def make_engine(
    params: InferenceParams, *, spec: GameSpec, network: nn.Module, graphs: Mapping[int, bytes] | None = None
) -> InferenceEngine:
    """An engine without weights. Raises EngineUnavailableError when this machine cannot run it, or not this network.
    `graphs`: what another engine of the same network gave for it (graphs_of).
    """
    engine = _plain_engine(params, spec=spec, network=network, graphs=graphs or {})
    return SymmetricEngine(engine, spec=spec) if params.average_symmetries else engine


def graphs_of(engine: InferenceEngine) -> dict[int, bytes]:
    """What another process need not derive of its network, by rows of a pass; nothing where nothing is derived."""
    if engine.name is not EngineName.OPENVINO:
        return {}
    from c4.network.inference.openvino_engine import OpenvinoEngine

    return engine.graphs() if isinstance(engine, OpenvinoEngine) else {}


def _plain_engine(
    params: InferenceParams, *, spec: GameSpec, network: nn.Module, graphs: Mapping[int, bytes]
) -> InferenceEngine:
    if params.engine is EngineName.AUTO or params.precision is Precision.FASTEST:
        named = f"inference.engine={params.engine.value} inference.precision={params.precision.value}"
        raise ValueError(f"{named} leaves something to be timed: `choose` first")
    if params.engine is EngineName.CUDA:
        from c4.network.inference.cuda_engine import CudaEngine

        return CudaEngine(
            spec=spec,
            network=network,
            precision=params.precision,
            streams=params.streams or 2,
            buckets=params.buckets,
            device=torch.device("cuda"),
        )
    precision, streams = processor_precision(params.precision), params.streams or cores()
    if params.engine is EngineName.OPENVINO:
        from c4.network.inference.openvino_engine import OpenvinoEngine

        return OpenvinoEngine(
            spec=spec, network=network, precision=precision, streams=streams, buckets=params.buckets, graphs=graphs
        )
    from c4.network.inference.torch_engine import TorchEngine

    return TorchEngine(
        spec=spec,
        network=network,
        precision=precision,
        streams=streams,
        buckets=params.buckets,
        compiled=params.engine is EngineName.TORCH_COMPILE,
    )
