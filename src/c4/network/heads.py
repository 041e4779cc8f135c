"""From the tower's features to the three answers: policy logits, value, moves left.

All three read slices of one 1x1 convolution. Their last layers start at zero: an untrained network gives every action
the same prior and every position the value 0.
"""

from __future__ import annotations

from typing import TypeVar

import torch
from torch import Tensor, nn

from c4.games import GameSpec
from c4.network.blocks import ConvFactory
from c4.network.output import NetworkOutput
from c4.params.network import NetworkParams, PolicyHead, ValueHead

Layer = TypeVar("Layer", nn.Linear, nn.Conv2d)


class Heads(nn.Module):
    def __init__(self, spec: GameSpec, params: NetworkParams, *, conv: ConvFactory) -> None:
        super().__init__()
        self.channels = (params.policy_channels, params.value_channels, params.moves_left_channels)
        cells = spec.height * spec.width
        values = 1 if params.value_head is ValueHead.SCALAR else 3
        self.conv = conv(params.width, sum(self.channels), kernel=1)
        self.policy = _policy_head(spec, params)
        self.value = _dense(params.value_channels * cells, params.head_hidden, values)
        self.moves_left = _dense(params.moves_left_channels * cells, params.head_hidden, spec.max_plies + 1)

    def forward(self, features: Tensor) -> NetworkOutput:
        policy, value, moves_left = torch.relu(self.conv(features)).split_with_sizes(self.channels, dim=1)
        return NetworkOutput(
            policy_logits=self.policy(policy).flatten(1),
            value_logits=self.value(value.flatten(1)),
            moves_left_logits=self.moves_left(moves_left.flatten(1)),
        )


def _dense(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), _zeroed(nn.Linear(hidden, outputs)))


def _policy_head(spec: GameSpec, params: NetworkParams) -> nn.Module:
    if params.policy_head is PolicyHead.DENSE:
        cells = spec.height * spec.width
        return nn.Sequential(nn.Flatten(1), _zeroed(nn.Linear(params.policy_channels * cells, spec.actions)))
    if spec.actions == spec.height * spec.width:  # an action is a cell
        return _zeroed(nn.Conv2d(params.policy_channels, 1, 1))
    if spec.actions == spec.width:  # an action is a column
        return _zeroed(nn.Conv2d(params.policy_channels, 1, (spec.height, 1)))
    raise ValueError(f"network.policy_head=spatial is not allowed: {spec.name}'s actions are neither cells nor columns")


def _zeroed(layer: Layer) -> Layer:
    nn.init.zeros_(layer.weight)
    assert layer.bias is not None
    nn.init.zeros_(layer.bias)
    return layer
