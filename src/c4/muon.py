"""Muon: steps of equal length in every direction of a matrix, by orthogonalising its momentum; AdamW for all else.

After Keller Jordan's description (2024), with the step's length matched to AdamW's as in Moonlight (Liu et al., 2025),
so that both go by one learning rate. Knows optimizers, no networks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, overload

import torch
from torch import Tensor
from typing_extensions import override

COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # of the polynomial that takes singular values to about 1 in a few rounds
ROUNDS = 5
MATCH = 0.2  # root mean square of an AdamW step, as a share of its learning rate
EPSILON = 1e-8


class Muon(torch.optim.Optimizer):
    """Groups with `matrices` take Muon's steps, a parameter of n outputs as n rows; the others AdamW's."""

    def __init__(
        self, groups: list[dict[str, Any]], *, lr: float, betas: tuple[float, float], momentum: float = 0.95
    ) -> None:
        super().__init__(
            groups, {"lr": lr, "betas": betas, "momentum": momentum, "weight_decay": 0.0, "matrices": False}
        )

    @overload
    def step(self, closure: None = None) -> None: ...
    @overload
    def step(self, closure: Callable[[], float]) -> float: ...
    @override
    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            step = _matrix_step if group["matrices"] else _adamw_step
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter.mul_(1.0 - group["lr"] * group["weight_decay"])
                    step(parameter, self.state[parameter], group)
        return loss


def orthogonalised(matrix: Tensor) -> Tensor:  # [rows, columns]
    """The nearest matrix with all singular values alike, roughly: they end between 0.7 and 1.2."""
    a, b, c = COEFFICIENTS
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    x: Tensor = wide / (wide.norm() + EPSILON)
    for _ in range(ROUNDS):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x if wide is matrix else x.T


def _matrix_step(parameter: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
    gradient = parameter.grad
    assert gradient is not None
    if not state:
        state["mean"] = torch.zeros_like(parameter)
    mean: Tensor = state["mean"].lerp_(gradient, 1.0 - group["momentum"])
    ahead = gradient.lerp(mean, group["momentum"])  # Nesterov
    rows = ahead.reshape(ahead.shape[0], -1)
    length = MATCH * math.sqrt(max(rows.shape))
    parameter.add_(orthogonalised(rows).reshape(parameter.shape), alpha=-group["lr"] * length)


def _adamw_step(parameter: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
    gradient = parameter.grad
    assert gradient is not None
    if not state:
        state["step"] = torch.zeros(())
        state["mean"], state["square"] = torch.zeros_like(parameter), torch.zeros_like(parameter)
    state["step"] += 1
    taken, (first, second) = state["step"].item(), group["betas"]
    mean: Tensor = state["mean"].lerp_(gradient, 1.0 - first)
    square: Tensor = state["square"].lerp_(gradient.square(), 1.0 - second)
    spread = (square / (1.0 - second**taken)).sqrt_().add_(EPSILON)
    parameter.addcdiv_(mean, spread, value=-group["lr"] / (1.0 - first**taken))
