"""Batch norms folded into the convolutions before them: the same function, fewer steps, for weights that stay fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from c4.network.blocks import NORM_EPSILON

State = Mapping[str, Tensor]
Fold = Callable[[State], dict[str, Tensor]]


def fold(state: State) -> dict[str, Tensor]:
    """The state of a folded tower from a trained one's, in float32, on the CPU; it shares no memory.

    norm(conv(x)) = (W x - mean) * scale + bias, with scale = weight / sqrt(variance + epsilon).
    """
    folded = {}
    for name, tensor in state.items():
        prefix, _, part = name.rpartition(".norm.")
        if not prefix:
            folded[name] = tensor.detach().to("cpu", torch.float32, copy=True)
        elif part == "weight":
            mean, variance, bias = (_double(state[f"{prefix}.norm.{key}"]) for key in _STATISTICS)
            scale = _double(tensor) / torch.sqrt(variance + NORM_EPSILON)
            weight = _double(state[f"{prefix}.conv.weight"]) * scale[:, None, None, None]
            folded[f"{prefix}.weight"] = weight.float()
            folded[f"{prefix}.bias"] = (bias - mean * scale).float()
            del folded[f"{prefix}.conv.weight"]
    return folded


_STATISTICS = ("running_mean", "running_var", "bias")


def _double(tensor: Tensor) -> Tensor:
    return tensor.detach().to("cpu", torch.float64)
