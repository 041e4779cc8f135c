"""A folded network as an OpenVINO graph, built node by node. Building and compiling takes some 40 ms, converting a
traced network a second, and weights change with every generation.

Mirrors blocks.py, heads.py and output.py, which say what is computed. Needs the package openvino.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from openvino import Model, opset13
from torch import Tensor

from c4.games import GameSpec
from c4.network.tower import context_of
from c4.params.network import Context, NetworkParams, PolicyHead, ValueHead

Node = Any  # OpenVINO's nodes have no types


def build_graph(
    spec: GameSpec,
    params: NetworkParams,
    folded: Mapping[str, Tensor],
    *,
    rows: int,
    ranges: Mapping[str, float] | None,
) -> Model:
    """Planes uint8 [rows, C, H, W] in; policy logits [rows, actions], values [rows] and plies left [rows] out.

    With ranges (calibration.py), convolutions that have one work in 8 bits.
    """
    return _Builder(spec, params, folded, ranges=ranges or {}).model(rows)


class _Builder:
    def __init__(
        self,
        spec: GameSpec,
        params: NetworkParams,
        folded: Mapping[str, Tensor],
        *,
        ranges: Mapping[str, float],
    ) -> None:
        self._spec, self._params, self._folded, self._ranges = spec, params, folded, ranges

    def model(self, rows: int) -> Model:
        spec, params = self._spec, self._params
        planes = opset13.parameter([rows, spec.planes, spec.height, spec.width], np.uint8, name="planes")
        x = opset13.relu(self._conv(opset13.convert(planes, "f32"), "stem", pad=1))
        for block in range(params.depth):
            x = self._block(x, f"blocks.{block}", context=context_of(params, block=block))
        results = [opset13.result(answer) for answer in self._heads(x)]
        return Model(results, [planes], "c4")

    def _block(self, x: Node, name: str, *, context: Context) -> Node:
        x = self._rounded(x, f"{name}.first")  # what is added back too: it then lies in memory as bytes
        y = self._conv(x, f"{name}.first", pad=1)
        if context is Context.GLOBAL_POOLING:
            local, wide = _split(y, (self._params.width, self._params.context_channels))
            wide = opset13.relu(wide)
            pooled = opset13.concat([_over_board(opset13.reduce_mean, wide), _over_board(opset13.reduce_max, wide)], 1)
            y = opset13.add(local, _as_channels(self._linear(pooled, f"{name}.bias")))
        y = self._conv(self._rounded(opset13.relu(y), f"{name}.second"), f"{name}.second", pad=1)
        if context is Context.SQUEEZE_EXCITATION:
            squeezed = opset13.relu(self._linear(_over_board(opset13.reduce_mean, y), f"{name}.squeeze"))
            width = self._params.width
            scale, shift = _split(self._linear(squeezed, f"{name}.excite"), (width, width))
            y = opset13.add(opset13.multiply(y, _as_channels(opset13.sigmoid(scale))), _as_channels(shift))
        return opset13.relu(opset13.add(x, y))

    def _heads(self, x: Node) -> tuple[Node, Node, Node]:
        params = self._params
        channels = (params.policy_channels, params.value_channels, params.moves_left_channels)
        y = self._conv(self._rounded(x, "heads.conv"), "heads.conv", pad=0)
        policy, value, moves_left = _split(opset13.relu(y), channels)
        return self._policy(policy), self._value(value), self._plies_left(moves_left)

    def _policy(self, x: Node) -> Node:
        if self._params.policy_head is PolicyHead.SPATIAL:
            return _flat(self._conv(x, "heads.policy", pad=0))
        return self._linear(_flat(x), "heads.policy.1")

    def _value(self, x: Node) -> Node:
        logits = self._dense(x, "heads.value")
        if self._params.value_head is ValueHead.SCALAR:
            return opset13.squeeze(opset13.tanh(logits), _constant([1]))
        return _expected(logits, (1.0, 0.0, -1.0))

    def _plies_left(self, x: Node) -> Node:
        return _expected(self._dense(x, "heads.moves_left"), range(self._spec.max_plies + 1))

    def _dense(self, x: Node, name: str) -> Node:
        return self._linear(opset13.relu(self._linear(_flat(x), f"{name}.0")), f"{name}.2")

    def _conv(self, x: Node, name: str, *, pad: int) -> Node:
        weights = self._weights(f"{name}.weight")
        if name in self._ranges:
            most = self._folded[f"{name}.weight"].abs().amax((1, 2, 3), keepdim=True).clamp_min(1e-9).numpy()
            weights = _rounded(weights, low=-most, high=most, levels=255)
        y = opset13.convolution(x, weights, [1, 1], [pad, pad], [pad, pad], [1, 1])
        return opset13.add(y, self._weights(f"{name}.bias", shape=(1, -1, 1, 1)))

    def _rounded(self, x: Node, name: str) -> Node:
        """The input of a convolution, which is never negative."""
        if name not in self._ranges:
            return x
        return _rounded(x, low=np.float32(0.0), high=np.float32(self._ranges[name]), levels=256)

    def _linear(self, x: Node, name: str) -> Node:
        y = opset13.matmul(x, self._weights(f"{name}.weight"), transpose_a=False, transpose_b=True)
        return opset13.add(y, self._weights(f"{name}.bias", shape=(1, -1)))

    def _weights(self, name: str, *, shape: tuple[int, ...] | None = None) -> Node:
        values = self._folded[name].numpy()
        return opset13.constant(values if shape is None else values.reshape(shape))


def _rounded(x: Node, *, low: Any, high: Any, levels: int) -> Node:
    """To the nearest of so many levels. OpenVINO computes in 8 bits between two of these."""
    ends = [opset13.constant(np.asarray(end, np.float32)) for end in (low, high, low, high)]
    return opset13.fake_quantize(x, *ends, levels)


def _expected(logits: Node, numbers: Any) -> Node:
    """Mean of numbers under softmax. A sum of products, not a matrix product: OpenVINO leaves it in float32."""
    weights = opset13.constant(np.array([*numbers], np.float32)[None])
    return opset13.reduce_sum(opset13.multiply(opset13.softmax(logits, 1), weights), _constant([1]), keep_dims=False)


def _split(x: Node, sizes: tuple[int, ...]) -> list[Node]:
    parts: list[Node] = opset13.variadic_split(x, _constant(1), _constant([*sizes])).outputs()
    return parts


def _flat(x: Node) -> Node:
    return opset13.reshape(x, _constant([0, -1]), special_zero=True)


def _over_board(reduce: Any, x: Node) -> Node:
    return reduce(x, _constant([2, 3]), keep_dims=False)


def _as_channels(x: Node) -> Node:
    return opset13.unsqueeze(x, _constant([2, 3]))


def _constant(value: Any) -> Node:
    return opset13.constant(np.array(value, np.int64))
