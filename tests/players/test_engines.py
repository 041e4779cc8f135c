"""Networks as people call them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.network.shapes import SMALL, trained_like

from c4.games import game_spec
from c4.network.inference.engine import InferenceEngine
from c4.network.weights import PlayerFile, save_player
from c4.players.engines import Engines


def unopened(_: PlayerFile) -> InferenceEngine:
    raise AssertionError("a name needs no engine")


@pytest.mark.parametrize(
    ("card", "name"),
    [({"run": "quick", "generation": 41}, "quick, generation 41"), ({}, "2026-11-19_10-00-00/best")],
)
def test_a_network_is_called_by_its_run_and_generation_where_it_knows_them(
    tmp_path: Path, card: dict[str, Any], name: str
) -> None:
    file = tmp_path / "2026-11-19_10-00-00/checkpoints/best.safetensors"
    file.parent.mkdir(parents=True)
    spec = game_spec("tictactoe")
    save_player(file, spec=spec, design=SMALL, state=trained_like(spec, SMALL).state_dict(), card=card)
    assert Engines(unopened).read(str(file), game="connect4").name == name
