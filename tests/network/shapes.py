"""Games and network shapes that the tests of this folder share, and weights that are far from their start."""

from __future__ import annotations

import dataclasses

import torch
from torch import Tensor, nn

from c4.games import GameSpec, game_spec
from c4.network.tower import Tower
from c4.params.network import Context, NetworkParams, PolicyHead, ValueHead

SMALL = NetworkParams(
    width=8,
    depth=2,
    context=Context.NONE,
    context_every=1,
    context_channels=16,
    policy_head=PolicyHead.DENSE,
    policy_channels=8,
    value_head=ValueHead.WDL,
    value_channels=8,
    moves_left_channels=8,
    head_hidden=16,
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
UNTRAINED = Tower(CONNECT4, SMALL)


def trained_like(spec: GameSpec, params: NetworkParams, *, seed: int = 0) -> Tower:
    """A network with nothing left of its start: random weights everywhere, and statistics of what it has seen."""
    stream = torch.Generator().manual_seed(seed)
    network = Tower(spec, params)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.dim() > 1:
                scale = (2.0 / parameter[0].numel()) ** 0.5
                parameter.copy_(torch.randn(parameter.shape, generator=stream) * scale)
            else:
                parameter.copy_(torch.rand(parameter.shape, generator=stream) * 0.5)
        for norm in (module for module in network.modules() if isinstance(module, nn.BatchNorm2d)):
            norm.weight.add_(0.75)
            norm.momentum = None  # the plain mean of all batches
        network.train()
        network(random_planes(spec, 256, seed=seed + 1).float())
    return network.eval()


def random_planes(spec: GameSpec, rows: int, *, seed: int = 0) -> Tensor:
    """uint8 [rows, C, H, W] of 0 and 1; no real positions, which no network minds."""
    stream = torch.Generator().manual_seed(seed)
    shape = (rows, spec.planes, spec.height, spec.width)
    return (torch.rand(shape, generator=stream) < 0.4).to(torch.uint8)
