"""Muon: what orthogonalising does to a matrix, how long a step is, and that the rest steps as torch's AdamW does."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn

from c4.muon import Muon, orthogonalised

BETAS = (0.9, 0.99)


def _muon(matrices: Sequence[Tensor], others: Sequence[Tensor], *, lr: float = 0.1, decay: float = 0.0) -> Muon:
    groups = [
        {"params": list(others), "weight_decay": decay},
        {"params": list(matrices), "weight_decay": decay, "matrices": True},
    ]
    return Muon(groups, lr=lr, betas=BETAS)


@pytest.mark.parametrize("shape", [(4, 9), (9, 4), (6, 6)])
def test_every_direction_gets_the_same_length(shape: tuple[int, int]) -> None:
    torch.manual_seed(0)
    scales = torch.logspace(0, -2, min(shape))
    left, _ = torch.linalg.qr(torch.randn(shape[0], len(scales)))
    right, _ = torch.linalg.qr(torch.randn(shape[1], len(scales)))
    made = orthogonalised(left @ torch.diag(scales) @ right.T)
    lengths = torch.linalg.svdvals(made)
    assert made.shape == shape
    assert lengths.min() > 0.3  # a hundredth of the longest before
    assert lengths.max() < 1.3
    nearest = left @ right.T
    assert (made * nearest).sum() / (made.norm() * nearest.norm()) > 0.95


def test_a_step_goes_down_and_is_as_long_as_one_of_adamw() -> None:
    torch.manual_seed(1)
    weight = nn.Parameter(torch.zeros(8, 4, 3, 3))
    weight.grad = torch.randn_like(weight)
    _muon([weight], [], lr=0.1).step()
    step = weight.detach()
    assert (step * weight.grad).sum() < 0
    assert step.square().mean().sqrt().item() == pytest.approx(0.2 * 0.1, rel=0.2)


def test_the_length_of_a_gradient_does_not_matter() -> None:
    torch.manual_seed(2)
    gradient, ends = torch.randn(5, 7), []
    for scale in (1.0, 1000.0):
        weight = nn.Parameter(torch.zeros(5, 7))
        weight.grad = gradient * scale
        _muon([weight], []).step()
        ends.append(weight.detach().clone())
    torch.testing.assert_close(ends[0], ends[1])


def test_decay_shrinks_what_is_there() -> None:
    weight = nn.Parameter(torch.full((2, 2), 3.0))
    weight.grad = torch.zeros(2, 2)
    _muon([weight], [], lr=0.1, decay=0.5).step()
    torch.testing.assert_close(weight.detach(), torch.full((2, 2), 3.0 * 0.95))


def test_what_is_no_matrix_steps_as_torchs_adamw_does() -> None:
    torch.manual_seed(3)
    ours = nn.Parameter(torch.randn(10))
    theirs = nn.Parameter(ours.detach().clone())
    mine = _muon([], [ours], lr=0.01, decay=0.1)
    reference = torch.optim.AdamW([theirs], lr=0.01, betas=BETAS, weight_decay=0.1)
    for _ in range(5):
        ours.grad = torch.randn(10)
        theirs.grad = ours.grad.clone()
        mine.step()
        reference.step()
    torch.testing.assert_close(ours, theirs)


def test_it_goes_on_from_its_saved_state_as_if_it_had_never_stopped() -> None:
    torch.manual_seed(4)
    weights = [nn.Parameter(torch.randn(3, 2, 3, 3)), nn.Parameter(torch.randn(4))]
    gradients = [[torch.randn_like(weight) for weight in weights] for _ in range(4)]

    def steps(weights: list[nn.Parameter], made: Muon, some: list[list[Tensor]]) -> None:
        for each in some:
            for weight, gradient in zip(weights, each, strict=True):
                weight.grad = gradient
            made.step()

    made = _muon(weights[:1], weights[1:])
    steps(weights, made, gradients[:2])
    others = copy.deepcopy(weights)
    resumed = _muon(others[:1], others[1:])
    resumed.load_state_dict(copy.deepcopy(made.state_dict()))
    steps(weights, made, gradients[2:])
    steps(others, resumed, gradients[2:])
    assert all(torch.equal(a, b) for a, b in zip(weights, others, strict=True))
    assert not math.isnan(weights[0].sum().item())
