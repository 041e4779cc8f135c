"""Writes a player as a submission to Kaggle's ConnectX: the source of kaggle_agent.py, the weights, and an agent."""

from __future__ import annotations

import base64
import json
import textwrap
import zlib
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from c4.adapters.kaggle_agent import STEPS
from c4.games import GameSpec
from c4.network.folding import fold
from c4.network.weights import PlayerFile, PlayerFileError
from c4.params.export import OF_THE_AGENT
from c4.params.network import NetworkParams
from c4.params.search import SearchParams

# ConnectX takes what the file names last; names that were there before keep their place.
TAIL = '''

HEADER = json.loads(r"""
{header}
""")
AGENT = Agent(
    HEADER,
    """
{weights}
""",
)


def act(observation, configuration):
    """The column to play."""
    return AGENT.act(observation, configuration)
'''
LINE = 110


def submission(player: PlayerFile, *, search: SearchParams, seconds: float, simulations: int) -> str:
    """The text of the file. Raises PlayerFileError for what it cannot play."""
    spec, network = player.spec, player.design
    if not isinstance(network, NetworkParams):
        raise PlayerFileError(f"Kaggle's agent computes the towers of c4, not {network.path}; format=onnx writes any")
    if spec.actions != spec.width:
        raise PlayerFileError(f"Kaggle's ConnectX drops stones into columns: this player plays {spec.title}")
    names, data = [], b""
    for name, tensor in fold(player.state).items():
        packed = _quantised(tensor.numpy())
        names.append([name, list(tensor.shape)])
        data += packed
    header = {
        "shape": _shape(spec, network),
        "search": {name: getattr(search, name) for name in OF_THE_AGENT},
        "seconds": seconds,
        "simulations": simulations,
        "weights": names,
    }
    source = (resources.files("c4.adapters") / "kaggle_agent.py").read_text(encoding="utf-8")
    text = base64.b64encode(zlib.compress(data, 9)).decode()
    lines = [text[start : start + LINE] for start in range(0, len(text), LINE)]
    head = textwrap.fill(json.dumps(header), LINE, break_on_hyphens=False)
    return source + TAIL.format(header=head, weights="\n".join(lines))


def _shape(spec: GameSpec, network: NetworkParams) -> dict[str, Any]:
    channels = [network.policy_channels, network.value_channels, network.moves_left_channels]
    board = {"height": spec.height, "width": spec.width, "in_a_row": spec.in_a_row}
    return board | {"depth": network.depth, "head_channels": channels}


def _quantised(weight: NDArray[np.float32]) -> bytes:
    """For each row its step, then each entry in steps, as `unpack` reads them."""
    rows = weight.reshape(len(weight), -1)
    step = np.maximum(np.abs(rows).max(axis=1), np.finfo(np.float32).tiny * STEPS) / STEPS
    whole = np.rint(rows / step[:, None].astype(np.float64)).astype("<i4").reshape(-1, 1).view(np.uint8)
    return bytes(step.astype("<f4").tobytes() + whole[:, :3].T.tobytes())
