"""The weighted sum that training minimises: which losses are in it, under which names they are logged."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import pytest
import torch
from tests.test_learning import PARAMS
from torch import Tensor

from c4 import losses
from c4.network.output import NetworkOutput
from c4.objective import Context, Figures, Loss, Objective
from c4.params.errors import ConfigError
from c4.shards import Batch

ROWS = 6
MODEL = dataclasses.replace(PARAMS, policy_weight=1.5, value_weight=0.5, moves_left_weight=0.25, value_root_share=0.3)


def batch() -> dict[str, Tensor]:
    stream = torch.Generator().manual_seed(1)
    weight = torch.rand(ROWS, generator=stream) + 0.5
    result = torch.tensor([1.0, -1.0, 0.0, 1.0, 1.0, -1.0])
    return {
        "policy": torch.softmax(torch.randn((ROWS, 4), generator=stream), dim=1),
        "result": result,
        "drawn": (result == 0).float(),
        "result_share": torch.ones(ROWS),
        "bootstrap": torch.zeros(ROWS),
        "root_value": 0.5 * result,
        "plies_left": torch.tensor([3, 2, 1, 0, 4, 4]),
        "weight": weight,
        "policy_weight": weight.flip(0),
    }


def output(*, values: int = 3) -> NetworkOutput:
    stream = torch.Generator().manual_seed(2)
    shapes = ((ROWS, 4), (ROWS, values), (ROWS, 5))
    answers = [torch.randn(shape, generator=stream) for shape in shapes]
    return NetworkOutput(*answers, extra={"more": torch.arange(ROWS).float()})  # type: ignore[misc]


@dataclasses.dataclass
class More:
    """How far an extra head is from the plies left."""

    weight: float = 2.0

    def __call__(self, said: NetworkOutput, rows: Batch, context: Context) -> tuple[Tensor, Figures]:
        error = losses.weighted_mean((said.extra["more"] - rows["plies_left"]).abs(), rows["weight"])
        return error, {"progress": torch.tensor(context.progress)}


def bare(said: NetworkOutput, rows: Batch, context: Context) -> Tensor:
    return said.extra["more"].mean()


@pytest.mark.parametrize("values", [1, 3])
def test_three_losses_ship(values: int) -> None:
    rows, said = batch(), output(values=values)
    measured = Objective(MODEL, {})(said, rows, progress=0.0)
    figures = measured.figures
    assert list(figures) == [
        "loss/policy",
        "loss/value",
        "loss/moves_left",
        "policy/entropy",
        "policy/target_entropy",
        "moves_left/mae",
    ]
    expected = losses.policy_loss(said.policy_logits, rows["policy"], weight=rows["policy_weight"], over=rows["weight"])
    assert torch.equal(figures["loss/policy"], expected)
    expected = losses.moves_left_loss(said.moves_left_logits, rows["plies_left"], weight=rows["weight"])
    assert torch.equal(figures["loss/moves_left"], expected)
    whole = 1.5 * figures["loss/policy"] + 0.5 * figures["loss/value"] + 0.25 * figures["loss/moves_left"]
    assert torch.equal(measured.loss, whole)


def test_the_root_value_has_its_share_of_the_time() -> None:
    changing = dataclasses.replace(MODEL, value_root_share=0.0, value_root_share_end=1.0)
    begins, ends = (Objective(changing, {})(output(), batch(), progress=at).figures["loss/value"] for at in (0.0, 1.0))
    for share, expected in ((0.0, begins), (1.0, ends)):
        constant = dataclasses.replace(MODEL, value_root_share=share)
        assert torch.equal(Objective(constant, {})(output(), batch(), progress=0.5).figures["loss/value"], expected)
    assert begins != ends


def test_losses_of_ones_own_are_added_by_their_weights() -> None:
    rows, said = batch(), output()
    alone = Objective(MODEL, {})(said, rows, progress=0.25)
    both = Objective(MODEL, {"more": functools.partial(More()), "bare": bare})(said, rows, progress=0.25)
    expected = losses.weighted_mean((torch.arange(ROWS) - rows["plies_left"]).abs().float(), rows["weight"])
    assert torch.equal(both.figures["loss/more"], expected)
    assert both.figures["more/progress"].item() == 0.25
    assert both.figures["loss/bare"].item() == pytest.approx(2.5)
    assert both.loss.item() == pytest.approx(alone.loss.item() + 2.0 * expected.item() + 2.5)
    assert both.figures.keys() - alone.figures.keys() == {"loss/more", "loss/bare", "more/progress"}


def test_figures_carry_no_gradient_and_the_sum_does() -> None:
    said = output()
    said.policy_logits.requires_grad_()
    measured = Objective(MODEL, {"more": More()})(said, batch(), progress=0.0)
    assert measured.loss.requires_grad
    assert not any(figure.requires_grad for figure in measured.figures.values())


@pytest.mark.parametrize("name", ["policy", "value", "moves_left", "total"])
def test_names_that_ship_are_taken(name: str) -> None:
    with pytest.raises(ConfigError, match=f"cannot be called {name}"):
        Objective(MODEL, {name: bare})


@pytest.mark.parametrize("found", [torch.zeros(ROWS), torch.zeros(1), 0.5, None])
def test_a_loss_is_one_number(found: Any) -> None:
    loss: Loss = lambda *_: found  # noqa: E731
    with pytest.raises(ConfigError, match="the loss odd must return a tensor without dimensions"):
        Objective(MODEL, {"odd": loss})(output(), batch(), progress=0.0)
