"""What training minimises: a weighted sum of losses, the three that ship and a person's own. value: native/value.h.

A loss is called with what the network says of a batch, and the batch; its mean over samples is by the batch's weights
(losses.weighted_mean), which is what lets workers share a step. Knows no optimizer, and not where batches come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from c4 import learning, losses
from c4.network.output import Evaluation, NetworkOutput, evaluation, value_head_of
from c4.params.errors import ConfigError
from c4.params.model import ModelParams
from c4.params.network import ValueHead
from c4.params.target import functions
from c4.shards import Batch, Measured

Figures = dict[str, Tensor]


class Context(NamedTuple):
    """What a loss may need beside answers and batch."""

    said: Evaluation  # the same answers as a search hears them
    root_share: float  # of the root value in the value target, at this time of the run
    progress: float  # share of the run's budget that is spent


class Loss(Protocol):
    """One part of what is minimised. Its attribute `weight`, 1 where it has none, is its share.

    Logged as loss/NAME under the name that it has in the configuration; `figures` are logged as NAME/FIGURE.
    """

    def __call__(self, output: NetworkOutput, batch: Batch, context: Context, /) -> Tensor | tuple[Tensor, Figures]:
        """The mean over the batch, [], and figures of it that nobody minimises, [] each."""
        ...


def own_losses(params: ModelParams) -> dict[str, Loss]:
    """A person's own, by their names. Raises ConfigError."""
    return functions(params.losses, group="model.losses")


class Objective:
    """The sum. Called by several workers at once."""

    def __init__(self, params: ModelParams, own: Mapping[str, Loss]) -> None:
        """`own` are added to those that ship. Raises ConfigError."""
        self._params = params
        self._parts: dict[str, tuple[float, Loss]] = {
            "policy": (params.policy_weight, _policy),
            "value": (params.value_weight, _value),
            "moves_left": (params.moves_left_weight, _moves_left),
        }
        for name, loss in own.items():
            if name in {*self._parts, "total"}:
                raise ConfigError(f"a loss of your own cannot be called {name}: one that ships has this name")
            bare = loss.func if isinstance(loss, partial) else loss
            self._parts[name] = float(getattr(bare, "weight", 1.0)), loss

    def __call__(self, output: NetworkOutput, batch: Batch, *, progress: float) -> Measured:
        root_share = learning.root_share(self._params, progress=progress)
        context = Context(evaluation(output), root_share, progress)
        total, measured, figures = None, Figures(), Figures()
        for name, (weight, loss) in self._parts.items():
            found = loss(output, batch, context)
            mean, said = found if isinstance(found, tuple) else (found, {})
            if getattr(mean, "shape", None) != ():
                raise ConfigError(f"the loss {name} must return a tensor without dimensions: its mean over the batch")
            total = weight * mean if total is None else total + weight * mean
            measured[f"loss/{name}"] = mean.detach()
            figures |= {f"{name}/{figure}": value.detach() for figure, value in said.items()}
        assert total is not None
        return Measured(total, measured | figures)


def _policy(output: NetworkOutput, batch: Batch, _: Context) -> tuple[Tensor, Figures]:
    # Over the sum of all weights: workers differ in how many rows have a target, and still add up to the mean.
    weight, policy_weight = batch["weight"], batch["policy_weight"]
    mean = losses.policy_loss(output.policy_logits, batch["policy"], weight=policy_weight, over=weight)
    with torch.no_grad():
        entropy = losses.entropy(torch.softmax(output.policy_logits, dim=1))
        wanted = losses.weighted_mean(losses.entropy(batch["policy"]), policy_weight, over=weight)
        return mean, {"entropy": losses.weighted_mean(entropy, weight), "target_entropy": wanted}


def _value(output: NetworkOutput, batch: Batch, context: Context) -> Tensor:
    traced = losses.Traced(batch["result"], batch["drawn"], batch["result_share"], batch["bootstrap"])
    if value_head_of(output.value_logits) is ValueHead.SCALAR:
        target = losses.value_target(traced, batch["root_value"], root_share=context.root_share)
        return losses.scalar_value_loss(context.said.value, target, weight=batch["weight"])
    believed = torch.softmax(output.value_logits, dim=1)[:, 1]
    mixed = losses.wdl_target(traced, batch["root_value"], root_share=context.root_share, believed_draw=believed)
    return losses.wdl_value_loss(output.value_logits, mixed, weight=batch["weight"])


def _moves_left(output: NetworkOutput, batch: Batch, context: Context) -> tuple[Tensor, Figures]:
    mean = losses.moves_left_loss(output.moves_left_logits, batch["plies_left"], weight=batch["weight"])
    with torch.no_grad():
        error = losses.moves_left_error(context.said.plies_left, batch["plies_left"], weight=batch["weight"])
        return mean, {"mae": error}
