"""Players with random weights for the tests of this folder, and files executed as Kaggle executes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hydra import compose, initialize_config_module
from tests.network.shapes import trained_like

from c4.games import GameSpec
from c4.network.weights import PlayerFile
from c4.params.export import ExportConfig
from c4.params.network import NetworkParams
from c4.params.walk import build

CONNECT_X = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2, "timeout": 2, "agentTimeout": 60}


def player_of(spec: GameSpec, params: NetworkParams) -> PlayerFile:
    return PlayerFile(spec=spec, design=params, network=trained_like(spec, params), version="0", card={})


def export_config(*overrides: str) -> ExportConfig:
    with initialize_config_module("c4.conf", version_base="1.3"):
        return build(ExportConfig, compose("export", overrides=list(overrides)))


def executed(text: str) -> tuple[Callable[[Any, Any], int], dict[str, Any]]:
    """The file's last callable and all its names: compiled, run once among no names at all, as Kaggle does it."""
    names: dict[str, Any] = {}
    exec(compile(text, "<string>", "exec"), names)
    return [value for value in names.values() if callable(value)][-1], names
