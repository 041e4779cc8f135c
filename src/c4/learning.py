"""How weights are moved: optimizer, schedules over a run, the average of the weights. Knows no losses and no data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from c4.muon import Muon
from c4.params.model import ModelParams, Optimizer, Schedule


def make_optimizer(network: nn.Module, params: ModelParams, *, fused: bool) -> torch.optim.Optimizer:
    """Biases and norms, which have one dimension, are not decayed."""
    parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
    groups: list[dict[str, Any]] = [
        {"params": [p for p in parameters if p.dim() > 1], "weight_decay": params.weight_decay},
        {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
    ]
    betas = (params.momentum, params.second_moment)
    if params.optimizer is Optimizer.MUON:
        stepped = {id(parameter) for parameter in matrices(network)}
        weights = groups[0]["params"]
        groups[0]["params"] = [p for p in weights if id(p) not in stepped]
        matrix = {"params": [p for p in weights if id(p) in stepped], "weight_decay": params.weight_decay}
        return Muon([*groups, matrix | {"matrices": True}], lr=params.learning_rate, betas=betas)
    if params.optimizer is Optimizer.ADAMW:
        return torch.optim.AdamW(groups, lr=params.learning_rate, betas=betas, fused=fused)
    return torch.optim.SGD(
        groups, lr=params.learning_rate, momentum=params.momentum, nesterov=params.momentum > 0.0, fused=fused
    )


def matrices(network: nn.Module) -> Iterable[nn.Parameter]:
    """What Muon takes for matrices: a network's own word, else the weights of all linear layers and convolutions.

    Which of them should be is a matter of the network and not of a run, so no knob says it. Tables such as embeddings
    are no matrices, although they have two dimensions.
    """
    says = getattr(network, "matrices", None)
    if callable(says):
        return says()  # type: ignore[no-any-return]
    layers = (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.MultiheadAttention)
    return (
        parameter
        for module in network.modules()
        if isinstance(module, layers)
        for parameter in module.parameters(recurse=False)
        if parameter.dim() > 1
    )


def learning_rate(params: ModelParams, *, progress: float, step: int) -> float:
    """The rate of a step: the schedule at a share `progress` of the run's budget, times the warm-up.

    The warm-up counts steps and not the budget: it waits for the optimizer's means, which fill with steps.
    """
    warm = min(1.0, (step + 1) / params.warmup_steps) if params.warmup_steps else 1.0
    return params.learning_rate * schedule_share(params, progress=progress) * warm


def schedule_share(params: ModelParams, *, progress: float) -> float:
    match params.schedule:
        case Schedule.CONSTANT:
            return 1.0
        case Schedule.STAGED:
            return params.stage_factor ** sum(progress >= stage for stage in params.stages)
        case Schedule.COSINE:
            falling = (1.0 + math.cos(math.pi * min(1.0, progress))) / 2.0
            return params.final_share + (1.0 - params.final_share) * falling


def root_share(params: ModelParams, *, progress: float) -> float:
    """Of the root value in the value target, at a share `progress` of the run's budget."""
    first, last = params.value_root_share, params.value_root_share_end
    return first if last is None else first + (last - first) * min(1.0, progress)


def adapted(factor: float, *, moved: float, params: ModelParams) -> float:
    """The next factor on the rate, after a generation has moved the policy by KL(old || new) = `moved`."""
    if params.kl_target is None:
        return factor
    if moved > 2.0 * params.kl_target:
        factor /= params.kl_step
    elif moved < params.kl_target / 2.0:
        factor *= params.kl_step
    return min(params.kl_range, max(1.0 / params.kl_range, factor))


@torch.no_grad()
def update_average(average: nn.Module, network: nn.Module, *, decay: float, step: int) -> None:
    """average = decay * average + (1 - decay) * network; early steps decay faster, to forget the random start.

    Torch's AveragedModel has one decay from the first step on, and would average counts of batches too.
    """
    decay = min(decay, (1.0 + step) / (10.0 + step))
    for kept, new in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
        if kept.is_floating_point():
            kept.lerp_(new, 1.0 - decay)
        else:
            kept.copy_(new)
