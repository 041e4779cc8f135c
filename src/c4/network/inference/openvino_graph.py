"""A network as an OpenVINO graph, derived from its module: traced once for a number of rows, then filled with each
generation's weights. Tracing a tower takes some 50 ms, filling it one. Needs the package openvino.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from openvino import Core, Model, opset13, serialize
from openvino.frontend import FrontEndManager
from openvino.frontend.pytorch.fx_decoder import TorchFXPythonDecoder
from openvino.frontend.pytorch.torchdynamo.export_decompositions import get_export_decomposition_list
from torch import Tensor, fx, nn
from torch._decomp import get_decompositions
from torch.func import functional_call, functionalize
from torch.fx.experimental.proxy_tensor import make_fx

from c4.games import GameSpec
from c4.network.inference.engine import EngineUnavailableError
from c4.network.network import why
from c4.network.output import NetworkOutput, evaluation

Node = Any  # OpenVINO's nodes have no types


class Graph:
    """Planes uint8 [rows, C, H, W] in; policy logits [rows, actions], values [rows] and plies left [rows] out."""

    def __init__(self, model: Model) -> None:
        """Its inputs are planes, and weights that have the names of the network's."""
        self._model = model
        self._names = [parameter.get_friendly_name() for parameter in model.get_parameters()[1:]]

    @classmethod
    def traced(cls, network: nn.Module, *, spec: GameSpec, rows: int) -> Graph:
        """`network` is one for fixed weights. Raises EngineUnavailableError for what cannot be traced or translated."""
        state = network.state_dict()
        planes = torch.zeros((rows, spec.planes, spec.height, spec.width), dtype=torch.uint8)
        frontend = FrontEndManager().load_by_framework("pytorch")
        try:
            decoder = TorchFXPythonDecoder(_traced(network, planes, state))  # is read later, and must live until then
            model = frontend.convert(frontend.load(decoder))
        except Exception as error:  # whatever torch and OpenVINO may raise at what others have written
            missing = [line.strip("- ") for line in str(error).splitlines() if line.startswith("-- ")]
            raise EngineUnavailableError(
                f"inference.engine=openvino has no graph of {type(network).__name__}: "
                f"{missing[-1] if missing else why(error)}; inference.engine=torch runs any network"
            ) from error
        for name, parameter in zip(["planes", *state], model.get_parameters(), strict=True):
            parameter.set_friendly_name(name)
        return cls(model)

    @classmethod
    def read(cls, frame: bytes) -> Graph:
        """Of another process: what the first trace imports takes longer than all else at its start."""
        data = zlib.decompress(frame)
        (length,) = struct.unpack_from("<I", data)
        return cls(Core().read_model(data[4 : 4 + length], data[4 + length :]))

    def frame(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "graph.xml"
            serialize(self._model, str(path))
            text, constants = path.read_bytes(), path.with_suffix(".bin").read_bytes()
        return zlib.compress(struct.pack("<I", len(text)) + text + constants)

    def rounds(self) -> bool:
        """Whether any of its convolutions can work in 8 bits."""
        return any(True for _ in _convolutions(self._model))

    def filled(self, state: Mapping[str, Tensor], *, ranges: Mapping[str, float] | None) -> Model:
        """With these weights. With ranges (calibration.py), convolutions work in 8 bits."""
        model = self._model.clone()
        _, *weights = model.get_parameters()
        if ranges is not None:
            for convolution, name in [*_convolutions(model)]:
                _round(convolution, state[name], most=ranges[name])
        for name, parameter in zip(self._names, weights, strict=True):
            parameter.output(0).replace(opset13.constant(state[name].numpy()).output(0))
            model.remove_parameter(parameter)
        return model


def _traced(network: nn.Module, planes: Tensor, state: Mapping[str, Tensor]) -> fx.GraphModule:
    """The network as one graph of torch's basic operations, with its weights as inputs."""

    def whole(planes: Tensor, *weights: Tensor) -> tuple[Tensor, ...]:
        said = functional_call(network, dict(zip(state, weights, strict=True)), (planes.float(),))
        return tuple(evaluation(NetworkOutput(*said)))

    inputs = (planes, *state.values())
    with torch.no_grad():
        table: Any = get_decompositions(get_export_decomposition_list())
        traced = make_fx(whole, table, tracing_mode="fake", _allow_non_fake_inputs=True)(*inputs)
        if any(_changes_its_input(node) for node in traced.graph.nodes):  # OpenVINO knows no such operations
            traced = make_fx(functionalize(traced, remove="mutations"))(*inputs)
    return traced


def _changes_its_input(node: fx.Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload) and node.target._schema.is_mutable


def _convolutions(model: Model) -> Iterator[tuple[Node, str]]:
    """Those whose input a ReLU makes, so that it is never negative, and the names of their weights."""
    for node in model.get_ordered_ops():
        if node.get_type_name() == "Convolution":
            data, weights = (node.input_value(i).get_node() for i in range(2))
            if data.get_type_name() == "Relu" and weights.get_type_name() == "Parameter":
                yield node, weights.get_friendly_name()


def _round(convolution: Node, weights: Tensor, *, most: float) -> None:
    """Its input is rounded for whoever reads it: what is added back too then lies in memory as bytes."""
    end = weights.abs().amax((1, 2, 3), keepdim=True).clamp_min(1e-9).numpy()
    _rounded(convolution.input_value(1), [convolution.input(1)], low=-end, high=end, levels=255)
    data = convolution.input_value(0)
    _rounded(data, data.get_target_inputs(), low=np.float32(0.0), high=np.float32(most), levels=256)


def _rounded(source: Node, readers: Iterable[Node], *, low: Any, high: Any, levels: int) -> None:
    """To the nearest of so many levels. OpenVINO computes in 8 bits between two of these."""
    readers = list(readers)
    ends = [opset13.constant(np.asarray(end, np.float32)) for end in (low, high, low, high)]
    rounded = opset13.fake_quantize(source, *ends, levels)
    for reader in readers:
        reader.replace_source_output(rounded.output(0))
