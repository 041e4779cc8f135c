"""How raw answers are read: the value's sign and range, and the count of plies."""

from __future__ import annotations

import pytest
import torch
from torch import tensor

from c4.network.output import NetworkOutput, evaluation, plies_left_of, value_of


@pytest.mark.parametrize(
    ("logits", "value"),
    [([50.0, 0.0, 0.0], 1.0), ([0.0, 50.0, 0.0], 0.0), ([0.0, 0.0, 50.0], -1.0), ([0.0, -50.0, 0.0], 0.0)],
)
def test_wdl_value_is_win_minus_loss_of_the_side_to_move(logits: list[float], value: float) -> None:
    assert value_of(tensor([logits])).item() == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("logit", "value"), [(0.0, 0.0), (20.0, 1.0), (-20.0, -1.0), (0.5, 0.46211716)])
def test_scalar_value_is_a_tanh(logit: float, value: float) -> None:
    assert value_of(tensor([[logit]])).item() == pytest.approx(value)


def test_plies_left_is_an_expected_count_and_not_a_share_of_the_board() -> None:
    logits = torch.full((1, 43), -100.0)
    logits[0, 10] = logits[0, 20] = 0.0
    assert plies_left_of(logits).item() == pytest.approx(15.0)


def test_values_never_leave_their_range() -> None:
    logits = torch.randn(1000, 3) * 100
    assert value_of(logits).abs().max() <= 1.0
    assert value_of(logits[:, :1]).abs().max() <= 1.0


def test_evaluation_is_float32_whatever_the_network_computes_in() -> None:
    output = NetworkOutput(*(torch.randn(2, n).bfloat16() for n in (7, 3, 43)))
    assert {part.dtype for part in evaluation(output)} == {torch.float32}
