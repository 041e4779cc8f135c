"""Games and network shapes that the tests of this folder share, and weights that are far from their start."""

from __future__ import annotations

import dataclasses

import torch
from torch import Tensor, nn

from c4.games import GameSpec, game_spec
from c4.network.resnet import Network
from c4.params.network import Context, NetworkParams, PolicyHead, ValueHead

SMALL = NetworkParams(
    width=8,
    depth=2,
    context=Context.NONE,
    context_every=1,
    context_channels=4,
    policy_head=PolicyHead.DENSE,
    policy_channels=3,
    value_head=ValueHead.WDL,
    value_channels=2,
    moves_left_channels=2,
    head_hidden=5,
)

SHAPES = {
    "plain": SMALL,
    "scalar": dataclasses.replace(SMALL, value_head=ValueHead.SCALAR),
    "spatial": dataclasses.replace(SMALL, policy_head=PolicyHead.SPATIAL),
    "squeeze_excitation": dataclasses.replace(SMALL, context=Context.SQUEEZE_EXCITATION),
    "global_pooling": dataclasses.replace(SMALL, context=Context.GLOBAL_POOLING, context_every=2),
    "no_blocks": dataclasses.replace(SMALL, depth=0),
}

CONNECT4 = game_spec("connect4")
GOMOKU = game_spec("gomoku6")


def trained_like(spec: GameSpec, params: NetworkParams, *, seed: int = 0) -> Network:
    """A network whose every weight and statistic is random: nothing is zero, nothing is the identity."""
    stream = torch.Generator().manual_seed(seed)
    network = Network(spec, params)
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean = torch.randn(module.num_features, generator=stream) * 0.2
            module.running_var = torch.rand(module.num_features, generator=stream) + 0.5
    with torch.no_grad():
        for parameter in network.parameters():
            fan = parameter[0].numel() if parameter.dim() > 1 else 4
            parameter.copy_(torch.randn(parameter.shape, generator=stream) * (1.5 / fan) ** 0.5)
    return network.eval()


def random_planes(spec: GameSpec, rows: int, *, seed: int = 0) -> Tensor:
    """uint8 [rows, C, H, W] of 0 and 1; no real positions, which no network minds."""
    stream = torch.Generator().manual_seed(seed)
    shape = (rows, spec.planes, spec.height, spec.width)
    return (torch.rand(shape, generator=stream) < 0.4).to(torch.uint8)
