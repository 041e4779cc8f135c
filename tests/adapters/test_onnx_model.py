"""The ONNX model against torch, in ONNX's own runtime."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from tests.adapters.kit import player_of
from tests.network.shapes import CONNECT4, GOMOKU, SHAPES, random_planes

from c4.adapters.onnx_model import onnx_model
from c4.games import GameSpec
from c4.network.output import evaluation

onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("onnxscript", reason="onnxscript is not installed")

CASES = [(CONNECT4, name) for name in SHAPES] + [(GOMOKU, "spatial")]


@pytest.mark.parametrize(("spec", "shape"), CASES, ids=lambda value: getattr(value, "name", value))
def test_says_what_torch_says_of_any_number_of_positions(spec: GameSpec, shape: str) -> None:
    player = player_of(spec, SHAPES[shape])
    session = onnxruntime.InferenceSession(onnx_model(player), providers=["CPUExecutionProvider"])
    assert [(one.name, one.shape[1:]) for one in session.get_inputs()] == [("planes", list(_board(spec)))]
    names = [one.name for one in session.get_outputs()]
    assert names == ["policy_logits", "value", "plies_left"]
    for rows in (1, 3, 64):
        planes = random_planes(spec, rows, seed=rows).float()
        with torch.no_grad():
            expected = evaluation(player.network(planes))
        for said, right in zip(session.run(names, {"planes": planes.numpy()}), expected, strict=True):
            np.testing.assert_allclose(said, right.numpy(), rtol=0, atol=1e-4)
    notes = session.get_modelmeta().custom_metadata_map
    assert notes["game"] == spec.name
    assert len(json.loads(notes["planes"])) == spec.planes


def _board(spec: GameSpec) -> tuple[int, int, int]:
    return spec.planes, spec.height, spec.width
