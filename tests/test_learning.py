"""Schedules, the adapted rate, the optimizer's groups and the average of the weights, on numbers computed by hand."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from tests.network.shapes import CONNECT4, SHAPES
from torch import nn

from c4 import learning
from c4.network.tower import Tower
from c4.params.model import ModelParams, Optimizer, Schedule

PARAMS = ModelParams(
    losses={},
    policy_weight=1.0,
    value_weight=1.0,
    moves_left_weight=0.1,
    value_root_share=0.5,
    value_root_share_end=None,
    optimizer=Optimizer.ADAMW,
    learning_rate=0.1,
    weight_decay=0.01,
    momentum=0.9,
    second_moment=0.99,
    gradient_clip=None,
    schedule=Schedule.CONSTANT,
    warmup_steps=0,
    stages=(0.5, 0.75),
    stage_factor=0.1,
    final_share=0.2,
    ema_decay=None,
    kl_target=0.02,
    kl_step=1.5,
    kl_range=2.0,
)


@pytest.mark.parametrize(
    ("schedule", "shares"),
    [
        (Schedule.CONSTANT, [1.0, 1.0, 1.0, 1.0, 1.0]),
        (Schedule.STAGED, [1.0, 1.0, 0.1, 0.01, 0.01]),
        (Schedule.COSINE, [1.0, 0.8828427, 0.6, 0.3171573, 0.2]),
    ],
)
def test_schedules_follow_the_share_of_the_budget(schedule: Schedule, shares: list[float]) -> None:
    params = dataclasses.replace(PARAMS, schedule=schedule)
    rates = [learning.learning_rate(params, progress=i / 4, step=10) for i in range(5)]
    assert rates == pytest.approx([0.1 * share for share in shares])


def test_warm_up_rises_by_steps_and_is_over_at_its_end() -> None:
    params = dataclasses.replace(PARAMS, warmup_steps=4)
    rates = [learning.learning_rate(params, progress=0.0, step=step) for step in range(6)]
    assert rates == pytest.approx([0.025, 0.05, 0.075, 0.1, 0.1, 0.1])


@pytest.mark.parametrize(
    ("moved", "factor"),
    [(0.05, 1 / 1.5), (0.041, 1 / 1.5), (0.039, 1.0), (0.02, 1.0), (0.011, 1.0), (0.009, 1.5), (0.0, 1.5)],
)
def test_too_far_slows_down_and_too_little_speeds_up(moved: float, factor: float) -> None:
    assert learning.adapted(1.0, moved=moved, params=PARAMS) == pytest.approx(factor)


def test_the_adapted_factor_stays_in_its_range() -> None:
    low = high = 1.0
    for _ in range(10):
        low, high = (learning.adapted(f, moved=kl, params=PARAMS) for f, kl in ((low, 1.0), (high, 0.0)))
    assert (low, high) == (0.5, 2.0)


def test_without_a_target_nothing_is_adapted() -> None:
    assert learning.adapted(0.7, moved=9.0, params=dataclasses.replace(PARAMS, kl_target=None)) == 0.7


@pytest.mark.parametrize("optimizer", Optimizer)
def test_only_weights_decay(optimizer: Optimizer) -> None:
    network = nn.Sequential(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.Linear(3, 2))
    made = learning.make_optimizer(network, dataclasses.replace(PARAMS, optimizer=optimizer), fused=True)
    decay = {id(p): group["weight_decay"] for group in made.param_groups for p in group["params"]}
    found = {name: decay[id(p)] for name, p in network.named_parameters()}
    assert len(found) == 6
    assert {name for name, rate in found.items() if rate == 0.01} == {"0.weight", "2.weight"}
    assert {name for name, rate in found.items() if rate == 0.0} == {"0.bias", "1.weight", "1.bias", "2.bias"}


def muons(network: nn.Module) -> set[str]:
    made = learning.make_optimizer(network, dataclasses.replace(PARAMS, optimizer=Optimizer.MUON), fused=True)
    stepped = [id(p) for group in made.param_groups for p in group["params"]]
    assert sorted(stepped) == sorted(id(p) for p in network.parameters())
    found = {id(p) for group in made.param_groups if group["matrices"] for p in group["params"]}
    return {name for name, parameter in network.named_parameters() if id(parameter) in found}


def test_muons_matrices_are_the_weights_of_linear_layers_and_convolutions() -> None:
    network = nn.ModuleDict({
        "conv": nn.Conv2d(2, 3, 3),
        "norm": nn.BatchNorm2d(3),
        "linear": nn.Linear(3, 2),
        "table": nn.Embedding(5, 3),
        "attention": nn.MultiheadAttention(4, 2),
        "places": nn.ParameterList([torch.zeros(4, 4)]),
    })  # fmt: skip
    weights = {"conv.weight", "linear.weight", "attention.in_proj_weight", "attention.out_proj.weight"}
    assert muons(network) == weights


def test_a_network_may_say_what_muons_matrices_are() -> None:
    tower = Tower(CONNECT4, SHAPES["squeeze_excitation"])
    assert muons(tower) == {name for name in tower.state_dict() if name.endswith("conv.weight")}
    assert "heads.policy.weight" in muons(Tower(CONNECT4, SHAPES["spatial"]))


def test_sgd_has_nesterov_momentum() -> None:
    made = learning.make_optimizer(nn.Linear(1, 1), dataclasses.replace(PARAMS, optimizer=Optimizer.SGD), fused=False)
    assert made.defaults["nesterov"]
    assert made.defaults["momentum"] == 0.9


def test_the_average_keeps_its_decay_and_the_newest_counts() -> None:
    average, network = (nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1)) for _ in range(2))
    with torch.no_grad():
        for module, value in ((average, 1.0), (network, 3.0)):
            for parameter in module.parameters():
                parameter.fill_(value)
            module[1].running_mean.fill_(value)
            module[1].num_batches_tracked.fill_(int(value))
    learning.update_average(average, network, decay=0.75, step=10**6)
    assert average[0].weight.item() == pytest.approx(1.5)
    assert average[1].running_mean.item() == pytest.approx(1.5)
    assert average[1].num_batches_tracked.item() == 3
    assert network[0].weight.item() == 3.0


def test_early_averages_forget_the_start_faster() -> None:
    average, network = nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)
    nn.init.ones_(average.weight)
    nn.init.zeros_(network.weight)
    learning.update_average(average, network, decay=0.999, step=0)
    assert average.weight.item() == pytest.approx(0.1)


@pytest.mark.parametrize(("progress", "expected"), [(0.0, 0.2), (0.5, 0.5), (1.0, 0.8), (1.7, 0.8)])
def test_the_share_of_the_root_value_goes_from_its_start_to_its_end(progress: float, expected: float) -> None:
    changing = dataclasses.replace(PARAMS, value_root_share=0.2, value_root_share_end=0.8)
    assert learning.root_share(changing, progress=progress) == pytest.approx(expected)
    constant = dataclasses.replace(PARAMS, value_root_share=0.2)
    assert learning.root_share(constant, progress=progress) == 0.2
