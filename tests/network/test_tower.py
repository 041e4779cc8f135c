"""The network's shapes, how it starts, and that each part of it is alive."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tests.network.shapes import CONNECT4, GOMOKU, SHAPES, SMALL, random_planes, trained_like

from c4.games import GameSpec, game_names, game_spec
from c4.network.output import evaluation
from c4.network.tower import Tower, context_of
from c4.params.network import Context, NetworkParams, PolicyHead


@pytest.mark.parametrize("params", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("spec", [CONNECT4, GOMOKU], ids=["connect4", "gomoku"])
def test_output_has_a_column_for_each_action_and_each_count_of_plies(spec: GameSpec, params: NetworkParams) -> None:
    output = Tower(spec, params)(random_planes(spec, 3).float())
    assert output.policy_logits.shape == (3, spec.actions)
    assert output.value_logits.shape == (3, 1 if params is SHAPES["scalar"] else 3)
    assert output.moves_left_logits.shape == (3, spec.max_plies + 1)


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_a_network(name: str) -> None:
    spec = game_spec(name)
    assert Tower(spec, SMALL)(random_planes(spec, 2).float()).policy_logits.shape == (2, spec.actions)


@pytest.mark.parametrize("params", SHAPES.values(), ids=SHAPES)
def test_an_untrained_network_prefers_nothing(params: NetworkParams) -> None:
    said = evaluation(Tower(CONNECT4, params).eval()(random_planes(CONNECT4, 4).float()))
    assert torch.equal(said.policy_logits, torch.zeros(4, 7))
    assert torch.equal(said.value, torch.zeros(4))
    assert torch.allclose(said.plies_left, torch.full((4,), 21.0))


@pytest.mark.parametrize("params", SHAPES.values(), ids=SHAPES)
def test_every_weight_has_a_say(params: NetworkParams) -> None:
    network = trained_like(CONNECT4, params)
    output = network(random_planes(CONNECT4, 64).float())
    parameters = dict(network.named_parameters())
    gradients = torch.autograd.grad(sum(part.square().sum() for part in output[:3]), list(parameters.values()))
    assert [name for name, gradient in zip(parameters, gradients, strict=True) if not gradient.any()] == []


def test_a_new_tower_is_the_identity() -> None:
    deep = Tower(CONNECT4, dataclasses.replace(SMALL, depth=3)).eval()
    features = torch.rand(2, SMALL.width, 6, 7)
    assert torch.equal(deep.blocks(features), features)


@pytest.mark.parametrize("context", [Context.SQUEEZE_EXCITATION, Context.GLOBAL_POOLING])
def test_a_context_carries_news_across_the_board_in_one_block(context: Context) -> None:
    params = dataclasses.replace(SMALL, depth=1, context=context)
    network = trained_like(CONNECT4, params)
    features = torch.rand(1, params.width, 6, 7)
    changed = features.clone()
    changed[..., 0, 0] += 5.0
    plain = trained_like(CONNECT4, SHAPES["plain"]).blocks[0]
    far = (0, slice(None), 5, 6)
    assert torch.equal(plain(features)[far], plain(changed)[far])
    assert not torch.equal(network.blocks(features)[far], network.blocks(changed)[far])


def test_every_nth_block_has_a_context() -> None:
    params = dataclasses.replace(SMALL, context=Context.GLOBAL_POOLING, context_every=3)
    contexts = [context_of(params, block=i) is Context.GLOBAL_POOLING for i in range(7)]
    assert contexts == [False, False, True, False, False, True, False]


@pytest.mark.parametrize("spec", [CONNECT4, GOMOKU], ids=["columns", "cells"])
def test_a_spatial_policy_moves_with_the_board(spec: GameSpec) -> None:
    network = trained_like(spec, SHAPES["spatial"])
    features = torch.zeros(1, SMALL.width, spec.height, spec.width)
    features[0, :, 2, 1] = 1.0
    here = network.heads(features).policy_logits[0]
    there = network.heads(features.roll(2, dims=3)).policy_logits[0]
    assert torch.allclose(here.roll(2), there, atol=1e-6)
    assert not torch.allclose(here, there, atol=1e-3)


def test_a_spatial_policy_wants_actions_that_have_a_place() -> None:
    names = ("name", "planes", "height", "width", "max_plies")
    odd: Any = SimpleNamespace(actions=5, **{name: getattr(CONNECT4, name) for name in names})
    with pytest.raises(ValueError, match="policy_head=spatial is not allowed: connect4's actions"):
        Tower(odd, dataclasses.replace(SMALL, policy_head=PolicyHead.SPATIAL))
