"""Writes a network as an ONNX model: planes in, what a search asks for out. Needs onnxscript."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from c4.network.network import answer, fixed
from c4.network.output import evaluation
from c4.network.weights import PlayerFile

INPUT, OUTPUTS = "planes", ("policy_logits", "value", "plies_left")
# float32 [batch, 3, H, W] of 0 and 1; row 0 on top.
PLANES = ("stones of the player to move", "stones of the opponent", "ones if the first player is to move")


class _Judging(nn.Module):
    """Network and evaluation in one."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        output = evaluation(answer(self.network, planes))
        return output.policy_logits, output.value, output.plies_left


def onnx_model(player: PlayerFile) -> bytes:
    """The model's file; any number of positions at once. Raises ImportError when onnxscript is not installed."""
    spec = player.spec
    network, fold = fixed(player.network)
    network.load_state_dict(fold(player.state))
    example = torch.zeros((2, spec.planes, spec.height, spec.width))
    with _quiet():
        program = torch.onnx.export(
            _Judging(network).eval(),
            (example,),
            input_names=[INPUT],
            output_names=OUTPUTS,
            dynamic_shapes={INPUT: {0: torch.export.Dim("batch")}},
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    program.model.metadata_props.update(
        {"game": spec.name, "planes": json.dumps(PLANES), "value": "in [-1, 1], for the player to move"}
    )
    return bytes(program.model_proto.SerializeToString())


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what the exporter says of operators of vision that nobody has asked for."""
    log = logging.getLogger("torch.onnx")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r".*treespec, LeafSpec.*", category=FutureWarning)
            yield
    finally:
        log.setLevel(level)
