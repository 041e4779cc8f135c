"""Engines run networks that other people have written, or say in a sentence why not."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch
from tests.network.foreign import FOREIGN, foreign
from tests.network.inference.test_engines import PARAMS, Make, make, rows_of, said_by, same_bits
from tests.network.shapes import CONNECT4, GOMOKU, random_planes
from torch import nn

from c4.games import GameSpec
from c4.network.inference.engine import EngineUnavailableError
from c4.network.inference.factory import make_engine
from c4.params.inference import EngineName

__all__ = ["make"]  # a fixture


@pytest.mark.parametrize("spec", [CONNECT4, GOMOKU], ids=["connect4", "gomoku"])
@pytest.mark.parametrize("name", FOREIGN)
def test_an_engine_runs_what_others_have_written(make: Make, spec: GameSpec, name: str) -> None:
    network, other = foreign(name, spec), foreign(name, spec, seed=1)
    planes = random_planes(spec, 21)
    engine = make(spec, network)
    for loaded in (other, network):
        engine.load(loaded.state_dict())
        for said, expected in zip(engine.evaluate(planes.numpy()), said_by(loaded, planes), strict=True):
            assert expected.std() > 0.01
            np.testing.assert_allclose(said, expected, rtol=2e-4, atol=2e-5)
    once = engine.evaluate(planes.numpy())
    for rows in (3, 16, 17):
        assert same_bits(engine.evaluate(planes[:rows].numpy()), rows_of(once, slice(rows)))


class Doubting(nn.Module):
    """What it computes depends on what it sees: no graph can hold that."""

    def __init__(self, *, fourier: bool) -> None:
        super().__init__()
        self.network, self.fourier = foreign("mlp", CONNECT4), fourier

    def forward(self, planes: torch.Tensor) -> Any:
        planes = torch.fft.fft(planes).real if self.fourier else planes
        return self.network(planes if self.fourier or planes.sum() > 3 else 1 - planes)


@pytest.mark.parametrize(
    ("fourier", "why"), [(True, "aten.view_as_real.default"), (False, "data-dependent expression")]
)
def test_what_has_no_graph_is_refused_by_openvino_and_run_by_torch(fourier: bool, why: str) -> None:
    pytest.importorskip("openvino")
    network = Doubting(fourier=fourier).eval()
    with pytest.raises(
        EngineUnavailableError, match=rf"openvino has no graph of Doubting: .*{why}.*; inference.engine"
    ):
        make_engine(dataclasses.replace(PARAMS, engine=EngineName.OPENVINO), spec=CONNECT4, network=network)
    engine = make_engine(PARAMS, spec=CONNECT4, network=network)
    engine.load(network.state_dict())
    planes = random_planes(CONNECT4, 16)
    np.testing.assert_allclose(engine.evaluate(planes.numpy()).value, said_by(network, planes).value, atol=1e-5)
    engine.close()
