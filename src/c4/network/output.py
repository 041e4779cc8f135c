"""What the network says, raw and as an evaluation. value: native/value.h."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import torch
from torch import Tensor

from c4.params.network import ValueHead


class NetworkOutput(NamedTuple):
    """Raw answers. `value_logits` has 1 column (its tanh is the value) or 3 (win, draw, loss of the side to move)."""

    policy_logits: Tensor  # [B, actions]
    value_logits: Tensor  # [B, 1 or 3]
    moves_left_logits: Tensor  # [B, max_plies + 1]: class k says that k plies are left
    extra: Mapping[str, Tensor] = MappingProxyType({})  # heads of a person's own, for losses of their own

    def float(self) -> NetworkOutput:
        return NetworkOutput(
            self.policy_logits.float(),
            self.value_logits.float(),
            self.moves_left_logits.float(),
            {name: logits.float() for name, logits in self.extra.items()},
        )


class Evaluation(NamedTuple):
    """What a search asks for, float32."""

    policy_logits: Tensor  # [B, actions], illegal actions included
    value: Tensor  # [B], in [-1, 1], for the side to move
    plies_left: Tensor  # [B], expected count, in [0, max_plies]


def evaluation(output: NetworkOutput) -> Evaluation:
    policy, value, moves_left, _ = output.float()
    return Evaluation(policy_logits=policy, value=value_of(value), plies_left=plies_left_of(moves_left))


def value_head_of(value_logits: Tensor) -> ValueHead:
    return ValueHead.SCALAR if value_logits.shape[1] == 1 else ValueHead.WDL


def value_of(value_logits: Tensor) -> Tensor:
    """tanh of the one column, or P(win) - P(loss) of the three."""
    if value_head_of(value_logits) is ValueHead.SCALAR:
        return torch.tanh(value_logits[:, 0])
    win, _, loss = torch.softmax(value_logits, dim=1).unbind(dim=1)
    return win - loss


def plies_left_of(moves_left_logits: Tensor) -> Tensor:
    plies = torch.arange(moves_left_logits.shape[1], dtype=moves_left_logits.dtype, device=moves_left_logits.device)
    return (torch.softmax(moves_left_logits, dim=1) * plies).sum(dim=1)
