"""A folded network says what the trained one says."""

from __future__ import annotations

import pytest
import torch
from tests.network.shapes import CONNECT4, SHAPES, random_planes, trained_like

from c4.network.folding import fold
from c4.network.network import fixed
from c4.params.network import NetworkParams


@pytest.mark.parametrize("params", SHAPES.values(), ids=SHAPES)
def test_folding_changes_nothing(params: NetworkParams) -> None:
    network = trained_like(CONNECT4, params)
    folded, fold = fixed(network)
    folded.load_state_dict(fold(network.state_dict()))
    planes = random_planes(CONNECT4, 16).float()
    with torch.no_grad():
        for before, after in zip(network(planes)[:3], folded(planes)[:3], strict=True):
            assert torch.allclose(before, after, rtol=1e-4, atol=1e-5)
            assert before.std() > 0.01


def test_folding_leaves_the_trained_state_alone() -> None:
    network = trained_like(CONNECT4, SHAPES["plain"])
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    fold(network.state_dict())
    assert all(torch.equal(before[name], tensor) for name, tensor in network.state_dict().items())
