"""How large activations become: what 8-bit inference must know of a network before it can round them.

Measured on positions of random games, the same ones every time, so that the same weights are rounded alike.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from c4.games import GameSpec
from c4.native._core import Position

POSITIONS = 512


class Calibration:
    """`network` is one for fixed weights; it is used up."""

    def __init__(self, spec: GameSpec, network: nn.Module) -> None:
        self._network = network
        self._planes = random_positions(spec, count=POSITIONS).float()

    def ranges(self, folded: Mapping[str, Tensor]) -> dict[str, float]:
        """The largest input of each convolution, by the name of its weights. Larger ones will be cut off."""
        self._network.load_state_dict(folded)
        found: dict[str, float] = {}
        hooks = [
            module.register_forward_pre_hook(_keep_largest(found, f"{name}.weight"))
            for name, module in self._network.named_modules()
            if isinstance(module, nn.Conv2d)
        ]
        with torch.no_grad():
            self._network(self._planes)
        for hook in hooks:
            hook.remove()
        return found


def _keep_largest(found: dict[str, float], name: str) -> Any:
    def keep(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        found[name] = max(inputs[0].max().item(), 1e-3)  # a dead layer has a range too

    return keep


def random_positions(spec: GameSpec, *, count: int) -> Tensor:
    """uint8 [count, C, H, W]: one position of each of `count` random games, at a random ply."""
    stream = random.Random(0)
    planes = []
    for _ in range(count):
        position = Position(spec.name)
        for _ in range(stream.randrange(spec.max_plies)):
            after = position.play(stream.choice(position.legal))
            if after.is_terminal:
                break
            position = after
        planes.append(position.planes())
    return torch.from_numpy(np.stack(planes))
