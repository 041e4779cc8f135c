"""Each loss and measure on a case whose answer is computed by hand."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, tensor

from c4 import losses


def test_policy_loss_is_the_cross_entropy_of_soft_targets() -> None:
    logits = tensor([[math.log(0.5), math.log(0.25), math.log(0.25)]])
    target = tensor([[0.5, 0.5, 0.0]])
    assert losses.policy_loss(logits, target).item() == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(4))


def test_policy_loss_pushes_illegal_actions_down() -> None:
    logits = torch.zeros(1, 3, requires_grad=True)
    (gradient,) = torch.autograd.grad(losses.policy_loss(logits, tensor([[1.0, 0.0, 0.0]])), logits)
    assert torch.allclose(gradient, tensor([[-2 / 3, 1 / 3, 1 / 3]]))


def test_weights_make_a_weighted_mean() -> None:
    value, target = tensor([0.0, 0.0]), tensor([1.0, 0.5])
    assert losses.scalar_value_loss(value, target, weight=tensor([1.0, 3.0])).item() == pytest.approx(1.75 / 4)


def test_a_sample_of_weight_three_counts_like_three_samples() -> None:
    once = {"logits": torch.randn(2, 4), "target": torch.softmax(torch.randn(2, 4), dim=1)}
    thrice = {name: rows[[0, 0, 0, 1]] for name, rows in once.items()}
    expected = losses.policy_loss(thrice["logits"], thrice["target"])
    weighted = losses.policy_loss(once["logits"], once["target"], weight=tensor([3.0, 1.0]))
    assert torch.allclose(weighted, expected)


def played(result: list[float]) -> losses.Traced:
    """Results of games, each by itself and without traces."""
    values = tensor(result)
    return losses.Traced(values, (values == 0).float(), torch.ones_like(values), torch.zeros_like(values))


def test_parts_of_a_batch_add_up_to_the_mean_over_the_rows_that_have_a_target() -> None:
    logits, target = torch.randn(4, 3), torch.softmax(torch.randn(4, 3), dim=1)
    target[:2] = 0.0
    weight, policy_weight = torch.ones(4), tensor([0.0, 0.0, 2.0, 2.0])
    whole = losses.policy_loss(logits, target, weight=policy_weight, over=weight)
    assert torch.allclose(whole, losses.policy_loss(logits[2:], target[2:]))
    parts = [
        losses.policy_loss(logits[part], target[part], weight=policy_weight[part], over=weight[part])
        for part in (slice(0, 1), slice(1, 4))
    ]
    assert torch.allclose(0.25 * parts[0] + 0.75 * parts[1], whole)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1.0), (1.0, -0.2), (0.5, 0.4)])
def test_value_target_mixes_result_and_root_value(share: float, expected: float) -> None:
    mixed = losses.value_target(played([1.0]), tensor([-0.2]), root_share=share)
    assert mixed.item() == pytest.approx(expected)


RESULTS = played([1.0, 0.0, -1.0, 1.0, -1.0])
TRACES = losses.Traced(  # of which the last two know nothing but root values, and nothing but the result
    result=tensor([0.5, 0.0, -0.25, 0.0, -1.0]),
    drawn=tensor([0.0, 0.25, 0.0, 0.0, 0.0]),
    result_share=tensor([0.5, 0.25, 0.25, 0.0, 1.0]),
    bootstrap=tensor([-0.5, 0.1, 0.3, 0.9, 0.0]),
)
ROOT_VALUES = tensor([0.3, -0.9, 0.0, -1.0, 1.0])
BELIEVED = tensor([0.5, 0.9, 0.2, 0.4, 1.0])


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("traced", [RESULTS, TRACES], ids=["results", "traces"])
def test_wdl_targets_are_distributions_whose_value_is_the_mixed_one(share: float, traced: losses.Traced) -> None:
    target = losses.wdl_target(traced, ROOT_VALUES, root_share=share, believed_draw=BELIEVED)
    assert (target >= -1e-6).all()
    assert torch.allclose(target.sum(dim=1), torch.ones(5))
    win_minus_loss = target[:, 0] - target[:, 2]
    assert torch.allclose(win_minus_loss, losses.value_target(traced, ROOT_VALUES, root_share=share), atol=1e-6)


def test_a_trace_takes_its_draws_from_the_result_and_from_what_is_believed_of_the_rest() -> None:
    drawn = losses.Traced(tensor([0.0]), tensor([0.4]), tensor([0.4]), tensor([0.3]))
    target = losses.wdl_target(drawn, tensor([0.0]), root_share=0.0, believed_draw=tensor([0.2]))
    assert torch.allclose(target, tensor([[(0.48 + 0.3) / 2, 0.4 + 0.12, (0.48 - 0.3) / 2]]))


def test_without_traces_the_target_is_bit_for_bit_the_result_mixed_with_the_root_value() -> None:
    def wdl(value: Tensor, draw: Tensor) -> Tensor:
        return torch.stack(((1.0 - draw + value) / 2, draw, (1.0 - draw - value) / 2), dim=1)

    results = torch.linspace(-1, 1, 41)
    stream = torch.Generator().manual_seed(3)
    root, believed = 2 * torch.rand(41, generator=stream) - 1, torch.rand(41, generator=stream)
    drawn = (1 - results.abs()) / 3
    traced = losses.Traced(results, drawn, torch.ones(41), torch.zeros(41))
    expected = torch.lerp(wdl(results, drawn), wdl(root, torch.minimum(believed, 1.0 - root.abs())), 0.3)
    assert torch.equal(losses.wdl_target(traced, root, root_share=0.3, believed_draw=believed), expected)
    assert torch.equal(losses.value_target(traced, root, root_share=0.3), torch.lerp(results, root, 0.3))


def test_wdl_target_keeps_the_draws_that_a_root_value_leaves_room_for() -> None:
    def target(root_value: float) -> Tensor:
        return losses.wdl_target(played([0.0]), tensor([root_value]), root_share=1.0, believed_draw=tensor([0.3]))

    assert torch.allclose(target(0.5), tensor([[0.6, 0.3, 0.1]]))
    squeezed = target(0.8)
    assert torch.allclose(squeezed, tensor([[0.8, 0.2, 0.0]]), atol=1e-6)


def test_wdl_target_sends_no_gradient_through_the_draws() -> None:
    believed = tensor([0.3], requires_grad=True)
    assert not losses.wdl_target(TRACES, ROOT_VALUES, root_share=0.5, believed_draw=believed).requires_grad


@pytest.mark.parametrize(("result", "column"), [(1.0, 0), (0.0, 1), (-1.0, 2)])
def test_win_draw_loss_stand_in_this_order(result: float, column: int) -> None:
    target = losses.wdl_target(played([result]), tensor([0.0]), root_share=0.0, believed_draw=tensor([0.0]))
    assert target.argmax(dim=1).item() == column
    assert target.max().item() == 1.0


def test_a_mean_of_results_keeps_wins_draws_and_losses_apart() -> None:
    """Of four games from one position two were won, one drawn, one lost: mean 1/4, drawn 1/4."""
    four = losses.Traced(tensor([0.25]), tensor([0.25]), tensor([1.0]), tensor([0.0]))
    target = losses.wdl_target(four, tensor([0.0]), root_share=0.0, believed_draw=tensor([0.0]))
    assert torch.allclose(target, tensor([[0.5, 0.25, 0.25]]))


def test_wdl_value_loss_is_a_cross_entropy() -> None:
    logits = tensor([[math.log(0.6), math.log(0.3), math.log(0.1)]])
    assert losses.wdl_value_loss(logits, tensor([[0.0, 1.0, 0.0]])).item() == pytest.approx(-math.log(0.3))


def test_moves_left_loss_takes_the_class_of_the_plies_that_were_left() -> None:
    logits = tensor([[0.1, 0.2, 0.7]]).log()
    for plies, probability in enumerate((0.1, 0.2, 0.7)):
        expected = pytest.approx(-math.log(probability), rel=1e-5)
        assert losses.moves_left_loss(logits, tensor([plies], dtype=torch.int16)).item() == expected


def test_entropy_of_a_coin_and_of_certainty() -> None:
    policies = tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    assert torch.allclose(losses.entropy(policies), tensor([math.log(2), 0.0]))


def test_kl_divergence_is_the_old_policys() -> None:
    old, new = tensor([[0.5, 0.5]]).log(), tensor([[0.9, 0.1]]).log()
    expected = 0.5 * math.log(0.5 / 0.9) + 0.5 * math.log(0.5 / 0.1)
    assert losses.kl_divergence(old, new).item() == pytest.approx(expected, rel=1e-5)
    assert losses.kl_divergence(old, old + 3.0).item() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (tensor([1.0, -1.0, 1.0, -1.0]), 1.0),
        (tensor([0.0, 0.0, 0.0, 0.0]), 0.0),
        (tensor([-1.0, 1.0, -1.0, 1.0]), -3.0),
        (tensor([0.5, -0.5, 0.5, -0.5]), 0.75),
    ],
)
def test_explained_variance(value: Tensor, expected: float) -> None:
    target = tensor([1.0, -1.0, 1.0, -1.0])
    assert losses.explained_variance(value, target).item() == pytest.approx(expected)


def test_explained_variance_of_targets_that_are_all_alike_is_zero() -> None:
    assert losses.explained_variance(tensor([0.1, 0.2]), tensor([1.0, 1.0])).item() == 0.0


def test_moves_left_error_is_in_plies() -> None:
    error = losses.moves_left_error(tensor([10.0, 3.0]), tensor([7.0, 4.0]))
    assert error.item() == pytest.approx(2.0)
