"""The network that ships: residual tower and three heads. Knows shapes, not rules; how answers are read: output.py."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from c4.games import GameSpec
from c4.network.blocks import ConvFactory, ConvNorm, FoldedConv, make_block
from c4.network.folding import Fold, fold
from c4.network.heads import Heads
from c4.network.output import NetworkOutput
from c4.params.network import Context, NetworkParams


class Tower(nn.Module):
    """Residual tower with policy, value and moves-left heads. Its weights lie channels last: faster everywhere.

    A branch's last norm starts at zero, so that a new tower is the identity and grows into its depth.
    """

    def __init__(self, spec: GameSpec, params: NetworkParams, *, conv: ConvFactory = ConvNorm) -> None:
        super().__init__()
        self.spec, self.params = spec, params
        self.stem = conv(spec.planes, params.width, kernel=3)
        self.blocks = nn.Sequential(
            *(
                make_block(context_of(params, block=i), width=params.width, channels=params.context_channels, conv=conv)
                for i in range(params.depth)
            )
        )
        self.heads = Heads(spec, params, conv=conv)
        for block in self.blocks:
            if isinstance(block.second, ConvNorm):
                nn.init.zeros_(block.second.norm.weight)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, planes: Tensor) -> NetworkOutput:  # [B, C, H, W] of 0 and 1, floating
        planes = planes.contiguous(memory_format=torch.channels_last)
        output: NetworkOutput = self.heads(self.blocks(self.stem(planes).relu()))
        return output

    def folded(self) -> tuple[Tower, Fold]:
        """Without norms, which are fixed while playing."""
        return Tower(self.spec, self.params, conv=FoldedConv), fold

    def matrices(self) -> Iterable[nn.Parameter]:
        """What Muon steps: the convolutions. Linear layers are few here, and most are the last before an answer."""
        return (parameter for parameter in self.parameters() if parameter.dim() == 4)


def context_of(params: NetworkParams, *, block: int) -> Context:
    """Every `context_every`-th block has a context, the last of each such run."""
    return params.context if (block + 1) % params.context_every == 0 else Context.NONE
