"""The mean over symmetric images: what it is, that images agree on it, and who is given it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from tests.network.inference.test_engines import PARAMS
from tests.network.shapes import SMALL
from tests.selfplay.kit import LinearEngine

from c4.games import GameSpec, game_names, game_spec
from c4.native import _core
from c4.native._core import Position
from c4.network.inference.factory import make_engine
from c4.network.inference.symmetric import SymmetricEngine, cell_images
from c4.network.tower import Tower
from c4.params.inference import EngineName


def random_packed(spec: GameSpec, *, count: int) -> NDArray[np.uint8]:
    """Positions that end where they may, packed."""
    stream, found = np.random.default_rng(3), []
    while len(found) < count:
        position = Position(spec.name)
        for _ in range(int(stream.integers(1, spec.max_plies))):
            following = position.play(int(stream.choice(position.legal)))
            if following.is_terminal:
                break
            position = following
        found.append(position.packed())
    return np.stack(found)


def seen_under(spec: GameSpec, packed: NDArray[np.uint8], symmetry: int) -> NDArray[np.uint8]:
    planes = np.zeros((len(packed), spec.planes, spec.height, spec.width), np.uint8)
    _core.unpack_planes(spec.name, packed, np.full(len(packed), symmetry, np.uint8), planes)
    return planes


@pytest.mark.parametrize("game", game_names())
def test_cells_are_seen_where_the_rules_show_them(game: str) -> None:
    spec = game_spec(game)
    packed = random_packed(spec, count=20)
    straight = seen_under(spec, packed, 0).reshape(20, spec.planes, -1)
    for symmetry, cells in enumerate(cell_images(spec)):
        image = np.empty_like(straight)
        image[:, :, cells] = straight
        assert np.array_equal(image, seen_under(spec, packed, symmetry).reshape(image.shape)), symmetry


@pytest.mark.parametrize("game", ["connect4", "connect4_4x4", "gomoku6"])
def test_the_answer_is_the_mean_over_the_images(game: str) -> None:
    spec = game_spec(game)
    plain = LinearEngine(game=spec)
    packed, table = random_packed(spec, count=7), _core.symmetry_actions(game)
    found = SymmetricEngine(plain, spec=spec).evaluate(seen_under(spec, packed, 0))
    policies, values, plies = [], [], []
    for symmetry in range(spec.symmetries):
        logits, value, plies_left = plain.submit(seen_under(spec, packed, symmetry)).result()
        policy = torch.softmax(torch.from_numpy(logits).double(), dim=1).numpy()
        policies.append(np.stack([policy[:, table[symmetry, action]] for action in range(spec.actions)], axis=1))
        values.append(value)
        plies.append(plies_left)
    assert np.exp(found.policy_logits) == pytest.approx(np.mean(policies, axis=0), rel=1e-5)
    assert found.value == pytest.approx(np.mean(values, axis=0), abs=1e-6)
    assert found.plies_left == pytest.approx(np.mean(plies, axis=0), rel=1e-6)
    assert {array.dtype for array in found} == {np.dtype(np.float32)}
    assert not np.allclose(values[0], values[1])


def test_images_of_a_position_are_judged_alike() -> None:
    spec = game_spec("gomoku6")
    engine, packed = SymmetricEngine(LinearEngine(game=spec), spec=spec), random_packed(spec, count=5)
    straight = engine.evaluate(seen_under(spec, packed, 0))
    for symmetry, table in enumerate(_core.symmetry_actions("gomoku6")):
        image = engine.evaluate(seen_under(spec, packed, symmetry))
        assert image.value == pytest.approx(straight.value, abs=1e-6)
        assert image.policy_logits[:, table] == pytest.approx(straight.policy_logits, abs=1e-5)


def test_the_knob_decides() -> None:
    spec = game_spec("connect4")
    torch.manual_seed(2)
    network = Tower(spec, SMALL)
    for parameter in network.parameters():  # heads begin at zero, where every image is judged alike
        torch.nn.init.normal_(parameter, std=0.2)
    state = network.state_dict()
    planes = seen_under(spec, random_packed(spec, count=3), 0)
    answers = []
    for averaged in (False, True):
        engine = make_engine(dataclasses.replace(PARAMS, average_symmetries=averaged), spec=spec, network=network)
        engine.load(state)
        assert engine.name is EngineName.TORCH
        answers.append(engine.evaluate(planes).value)
        mirrored = engine.evaluate(planes[..., ::-1].copy()).value
        assert np.allclose(mirrored, answers[-1], atol=1e-6) is averaged
        engine.close()
    assert not np.allclose(answers[0], answers[1])
