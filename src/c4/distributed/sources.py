"""Puts a source of samples together that plays on a cluster."""

from __future__ import annotations

from typing import Any

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


def ray_source(contract: Contract, *, params: SourceParams, engine: InferenceEngine) -> SampleSource:
    """Connects when the first game is to be played. `engine` is this process's own, and gets all weights too."""
    game = game_spec(contract.game)

    def begin(first: int = 0) -> Actors[Any]:
        disconnect = connect(params, processes=(params.actors or 1) + params.grade_beside)
        kind, plain = actor_class(params), contract.plain()
        threads = None if params.actor_gpus else max(1, int(params.actor_cpus))
        graphs = graphs_of(engine)
        return Actors(
            lambda: kind.remote(plain, threads=threads, graphs=graphs),
            params=params,
            here=about_here(),
            disconnect=disconnect,
            first=first,
        )

    if params.mode is SourceMode.EXACT:
        crew = RayCrew(begin, game=game.name, engine=engine)
        most, least = params.chunk_games, params.smallest_chunk
        return ExactSource(crew, game=game, chunk_games=most, least=least, players=params.actors or 1)
    halved = contract.inference.precision in {Precision.BFLOAT16, Precision.INT8}
    return FlowingSource(begin, game=game.name, params=params, halved=halved, engine=engine)
