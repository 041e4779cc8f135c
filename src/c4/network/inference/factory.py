"""Makes the engine that the knobs ask for. What auto means is decided in auto.py."""

from __future__ import annotations

import torch
from torch import nn

from c4.games import GameSpec
from c4.machine import cores
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.processor import processor_precision
from c4.network.inference.symmetric import SymmetricEngine
from c4.params.inference import EngineName, InferenceParams, Precision


def make_engine(params: InferenceParams, *, spec: GameSpec, network: nn.Module) -> InferenceEngine:
    """An engine without weights. Raises EngineUnavailableError when this machine cannot run it, or not this network."""
    engine = _plain_engine(params, spec=spec, network=network)
    return SymmetricEngine(engine, spec=spec) if params.average_symmetries else engine


def _plain_engine(params: InferenceParams, *, spec: GameSpec, network: nn.Module) -> InferenceEngine:
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

        return OpenvinoEngine(spec=spec, network=network, precision=precision, streams=streams, buckets=params.buckets)
    from c4.network.inference.torch_engine import TorchEngine

    return TorchEngine(
        spec=spec,
        network=network,
        precision=precision,
        streams=streams,
        buckets=params.buckets,
        compiled=params.engine is EngineName.TORCH_COMPILE,
    )
