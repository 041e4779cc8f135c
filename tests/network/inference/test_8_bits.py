"""Convolutions in 8 bits, and the positions that their ranges are measured on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
import torch
from tests.network.foreign import foreign
from tests.network.inference.test_engines import PARAMS, Make, rows_of, said_by, same_bits
from tests.network.shapes import CONNECT4, SHAPES, UNTRAINED, trained_like
from torch import nn

from c4.games import game_names, game_spec
from c4.network.inference.calibration import random_positions
from c4.network.inference.engine import EngineUnavailableError, InferenceEngine
from c4.network.inference.factory import make_engine
from c4.params.inference import EngineName, Precision

BFLOAT16: Any = {"engine": EngineName.OPENVINO, "precision": Precision.BFLOAT16}  # what is not rounded is in


@pytest.fixture
def make_8_bit() -> Iterator[Make]:
    pytest.importorskip("openvino")
    engines: list[InferenceEngine] = []

    def make_one(network: nn.Module) -> InferenceEngine:
        params = dataclasses.replace(PARAMS, engine=EngineName.OPENVINO, precision=Precision.INT8)
        engines.append(make_engine(params, spec=CONNECT4, network=network))
        return engines[-1]

    yield make_one
    for engine in engines:
        engine.close()


def made(name: str, *, seed: int = 0) -> nn.Module:
    return trained_like(CONNECT4, SHAPES[name], seed=seed) if name in SHAPES else foreign(name, CONNECT4, seed=seed)


@pytest.mark.parametrize("name", [*SHAPES, "convolutions"])
def test_8_bits_are_near_and_the_same_in_whatever_batch(make_8_bit: Make, name: str) -> None:
    network = made(name)
    planes = random_positions(CONNECT4, count=85)
    engine = make_8_bit(network)
    engine.load(made(name, seed=5).state_dict())
    engine.load(network.state_dict())
    once = engine.evaluate(planes.numpy())
    with closing(make_engine(dataclasses.replace(PARAMS, **BFLOAT16), spec=CONNECT4, network=network)) as plain:
        plain.load(network.state_dict())
        assert not same_bits(plain.evaluate(planes.numpy()), once)
    for said, expected in zip(once, said_by(network, planes), strict=True):
        assert np.abs(said - expected).mean() < 0.15 * expected.std()
        assert not np.array_equal(said, expected)
    for rows in (3, 16, 17, 70):
        assert same_bits(engine.evaluate(planes[-rows:].numpy()), rows_of(once, slice(-rows, None)))
    assert same_bits(engine.evaluate(planes.flip(0).numpy()), rows_of(once, slice(None, None, -1)))


def test_8_bits_bear_an_untrained_network(make_8_bit: Make) -> None:
    engine = make_8_bit(UNTRAINED)
    engine.load(UNTRAINED.state_dict())
    said = engine.evaluate(random_positions(CONNECT4, count=4).numpy())
    assert np.array_equal(said.policy_logits, np.zeros((4, 7)))
    assert np.array_equal(said.value, np.zeros(4))
    np.testing.assert_allclose(said.plies_left, np.full(4, 21.0), rtol=1e-5)


@pytest.mark.parametrize("name", ["mlp", "attention"])
def test_8_bits_are_for_convolutions(make_8_bit: Make, name: str) -> None:
    with pytest.raises(EngineUnavailableError, match=r"rounds convolutions behind a ReLU, and \w+ has none: take bf16"):
        make_8_bit(foreign(name, CONNECT4))


@pytest.mark.parametrize("name", game_names())
def test_any_game_can_calibrate(name: str) -> None:
    spec = game_spec(name)
    planes = random_positions(spec, count=40)
    assert planes.shape == (40, spec.planes, spec.height, spec.width)
    assert torch.equal(planes, random_positions(spec, count=40))
    stones = planes[:, :2].sum(dim=(1, 2, 3))
    assert stones.min() < spec.max_plies / 4
    assert stones.max() > spec.max_plies / 4
