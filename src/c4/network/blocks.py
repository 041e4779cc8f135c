"""What the tower is built of: convolution with norm, and residual blocks with or without a view of the whole board.

Norms stand right behind convolutions everywhere, so that inference can fold them away (folding.py). A
folded network is the same tree of modules with `FoldedConv` in the place of `ConvNorm`.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor, nn

from c4.params.network import Context


class ConvFactory(Protocol):
    """Makes a convolution that keeps the board's size."""

    def __call__(self, inputs: int, outputs: int, *, kernel: int) -> nn.Module: ...


NORM_EPSILON = 1e-5  # added to variances


class ConvNorm(nn.Module):
    """Convolution without bias, then batch norm."""

    def __init__(self, inputs: int, outputs: int, *, kernel: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs, eps=NORM_EPSILON)
        nn.init.kaiming_normal_(self.conv.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.norm(self.conv(x))
        return y


class FoldedConv(nn.Conv2d):
    """What is left of a ConvNorm once its statistics are fixed: one convolution with a bias."""

    def __init__(self, inputs: int, outputs: int, *, kernel: int) -> None:
        super().__init__(inputs, outputs, kernel, padding=kernel // 2)


class Block(nn.Module):
    """x + conv(relu(conv(x))), then relu."""

    def __init__(self, width: int, *, conv: ConvFactory) -> None:
        super().__init__()
        self.first = conv(width, width, kernel=3)
        self.second = conv(width, width, kernel=3)

    def forward(self, x: Tensor) -> Tensor:  # [B, width, H, W]
        return torch.relu(x + self.second(torch.relu(self.first(x))))


class SqueezeExcitationBlock(Block):
    """The branch is scaled and shifted, channel by channel, by what its means over the board say."""

    def __init__(self, width: int, *, squeezed: int, conv: ConvFactory) -> None:
        super().__init__(width, conv=conv)
        self.squeeze = nn.Linear(width, squeezed)
        self.excite = nn.Linear(squeezed, 2 * width)

    def forward(self, x: Tensor) -> Tensor:
        y = self.second(torch.relu(self.first(x)))
        scale, shift = self.excite(torch.relu(self.squeeze(y.mean((2, 3))))).chunk(2, dim=1)
        return torch.relu(x + torch.sigmoid(scale)[:, :, None, None] * y + shift[:, :, None, None])


class GlobalPoolingBlock(nn.Module):
    """Extra channels of the first convolution are pooled (mean and maximum) and added to the others as biases."""

    def __init__(self, width: int, *, pooled: int, conv: ConvFactory) -> None:
        super().__init__()
        self.width, self.pooled = width, pooled
        self.first = conv(width, width + pooled, kernel=3)
        self.bias = nn.Linear(2 * pooled, width)
        self.second = conv(width, width, kernel=3)

    def forward(self, x: Tensor) -> Tensor:
        local, wide = self.first(x).split_with_sizes((self.width, self.pooled), dim=1)
        wide = torch.relu(wide)
        bias = self.bias(torch.cat((wide.mean((2, 3)), wide.amax((2, 3))), dim=1))
        return torch.relu(x + self.second(torch.relu(local + bias[:, :, None, None])))


def make_block(context: Context, *, width: int, channels: int, conv: ConvFactory) -> nn.Module:
    match context:
        case Context.NONE:
            return Block(width, conv=conv)
        case Context.SQUEEZE_EXCITATION:
            return SqueezeExcitationBlock(width, squeezed=channels, conv=conv)
        case Context.GLOBAL_POOLING:
            return GlobalPoolingBlock(width, pooled=channels, conv=conv)
