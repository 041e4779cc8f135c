"""Puts a source of samples together that plays on a cluster."""

from __future__ import annotations

from typing import Any

import torch

from c4.distributed.actors import Actors
from c4.distributed.cluster import actor_class, connect
from c4.distributed.crew import RayCrew
from c4.distributed.flowing import FlowingSource
from c4.distributed.worker import Contract, about_here
from c4.games import game_spec
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.factory import graphs_of
from c4.params.inference import Precision
from c4.params.source import SourceMode, SourceParams
from c4.selfplay.chunks import ExactSource
from c4.selfplay.source import SampleSource

HALF = {
    Precision.BFLOAT16: torch.bfloat16,
    Precision.INT8: torch.bfloat16,
    Precision.FLOAT16: torch.float16,
}
"""What weights are sent in, by the format that engines work in."""


def ray_source(contract: Contract, *, params: SourceParams, engine: InferenceEngine) -> SampleSource:
    """Connects when the first game is to be played. `engine` is this process's own, and gets all weights too."""
    game = game_spec(contract.game)

    def begin(first: int = 0) -> Actors[Any]:
        disconnect = connect(params, processes=(params.actors or 1) + params.grade_beside)
        plain, graphs = contract.plain(), graphs_of(engine)

        def make(seat: int) -> Any:
            on_gpu = params.on_gpu(seat)
            gpus = 0.0 if on_gpu is False else params.actor_gpus
            threads = None if gpus else max(1, int(params.actor_cpus))
            return actor_class(params, gpus=gpus).remote(plain, threads=threads, graphs=graphs, on_gpu=on_gpu)

        return Actors(
            make,
            params=params,
            here=about_here(),
            disconnect=disconnect,
            first=first,
        )

    if params.mode is SourceMode.EXACT:
        crew = RayCrew(begin, game=game.name, engine=engine)
        most, least = params.chunk_games, params.smallest_chunk
        return ExactSource(crew, game=game, chunk_games=most, least=least, players=params.actors or 1)
    half = HALF.get(contract.inference.precision)
    return FlowingSource(begin, game=game.name, params=params, half=half, engine=engine)
