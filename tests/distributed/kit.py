"""A contract for actors that cost little: a tiny network on a small board."""

from __future__ import annotations

import dataclasses

import torch
from tests.selfplay.kit import GAME, SEARCH, SELFPLAY
from torch import Tensor

from c4 import load_config
from c4.configuration import composed
from c4.distributed.worker import Contract
from c4.games import game_spec
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.network import make_network
from c4.params.arena import ArenaParams
from c4.params.evaluate import EvaluateConfig
from c4.params.source import SourceParams
from c4.params.train import TrainConfig


def config(*words: str) -> TrainConfig:
    small = ("inference=torch", "network.width=8", "network.depth=1")
    return load_config("experiment=tiny", "selfplay=ray", "selfplay.patience=900", *small, *words)


def contract() -> Contract:
    composed = config()
    return Contract(
        game=GAME,
        seed=1,
        search=SEARCH,
        selfplay=SELFPLAY,
        network=composed.network,
        inference=dataclasses.replace(composed.inference, streams=1),
    )


def source_engine() -> InferenceEngine:
    """This process's own."""
    made, spec = contract(), game_spec(GAME)
    return make_engine(made.inference, spec=spec, network=make_network(spec, made.network))


def source_params(*words: str) -> SourceParams:
    return config(*words).selfplay


def weights(seed: int = 0) -> dict[str, Tensor]:
    torch.manual_seed(seed)
    return make_network(game_spec(GAME), config().network).state_dict()


def arena_params(*words: str) -> ArenaParams:
    return composed("evaluate", schema=EvaluateConfig, words=("arena=ray", "arena.patience=900", *words)).arena
