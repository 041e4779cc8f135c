"""Measures a run by matches against pure Monte Carlo, which gets stronger each time it is beaten in every game.

The main measure of games that nobody has solved: baseline/strength chooses their checkpoints.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from pytorch_lightning import Trainer
from typing_extensions import override

from c4.callbacks.periodic_measurement import PeriodicMeasurement
from c4.datamodule import datamodule_of
from c4.evaluation.baseline import Curriculum
from c4.network.inference.engine import Judge
from c4.params.evaluation import EvaluationParams
from c4.params.search import SearchParams
from c4.players.network import NetworkPlayer

LEAVES = 8
"""Of one game that wait for the network at once: a match has so few games that its batches would be all but empty."""


class MeasureBaseline(PeriodicMeasurement):
    """`judge` is the engine that plays."""

    def __init__(self, *, game: str, judge: Judge, search: SearchParams, params: EvaluationParams, seed: int) -> None:
        super().__init__(every=params.baseline.every, time_share=params.baseline.time_share)
        self._game, self._params, self._seed = game, params, seed
        self._player = NetworkPlayer(
            name="network",
            game=game,
            judge=judge,
            params=dataclasses.replace(search, leaves_per_batch=LEAVES),
            simulations=params.baseline.simulations,
            threads=params.threads,
            cache_megabytes=params.cache_megabytes,
        )
        self._curriculum = Curriculum(params=params.baseline, rollouts=params.baseline.rollouts_first)

    @override
    def measure(self, trainer: Trainer) -> dict[str, float]:
        seed = self._seed + datamodule_of(trainer).ledger.generation * 1_000_000  # new games every time
        result = self._curriculum.match(self._player, game=self._game, seed=seed, threads=self._params.threads)
        return {
            "baseline/strength": self._curriculum.strength(result),
            "baseline/score": result.score,
            "baseline/score_first": result.score_first,
            "baseline/score_second": result.score_second,
            "baseline/rollouts": float(result.rollouts),
        }

    @override
    def state_dict(self) -> dict[str, Any]:
        return {"rollouts": self._curriculum.rollouts}

    @override
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._curriculum.rollouts = int(state_dict["rollouts"])
