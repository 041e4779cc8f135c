"""Who plays the games of a run, as its configuration says: this process, or actors on a cluster."""

from __future__ import annotations

import dataclasses

from c4.games import game_spec
from c4.network.inference.engine import InferenceEngine
from c4.params.source import SourceMode
from c4.params.train import TrainConfig
from c4.selfplay.chunks import ExactSource, LocalCrew, Playing
from c4.selfplay.local import LocalSource
from c4.selfplay.source import SampleSource


def source_of(config: TrainConfig, *, engine: InferenceEngine) -> SampleSource:
    """`engine` is this process's own, and gets all weights. Actors have theirs, as `config.inference` names it."""
    game, selfplay = game_spec(config.game.name), config.selfplay
    if selfplay.actors is not None:
        from c4.distributed.sources import ray_source
        from c4.distributed.worker import Contract

        contract = Contract(
            game=game.name,
            seed=config.seed,
            search=config.search,
            selfplay=selfplay.of_an_actor(),
            network=config.network,
            inference=dataclasses.replace(config.inference, average_symmetries=False),  # that is for grading and play
        )
        return ray_source(contract, params=selfplay, engine=engine)
    if selfplay.mode is SourceMode.EXACT:
        playing = Playing(
            game=game, search=config.search, selfplay=selfplay.of_an_actor(), seed=config.seed, engine=engine
        )
        return ExactSource(LocalCrew(playing), game=game, chunk_games=selfplay.chunk_games)
    return LocalSource(game=game, search=config.search, selfplay=selfplay, engine=engine, seed=config.seed)
