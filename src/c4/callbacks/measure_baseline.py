"""Measures a run by matches against pure Monte Carlo, which gets stronger each time it is beaten in every game.

The main measure of games that nobody has solved: baseline/strength chooses their checkpoints.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from c4.callbacks.periodic_measurement import Beside, PeriodicMeasurement
from c4.evaluation.baseline import Curriculum, MatchResult, challenger, play_match
from c4.evaluation.beside import match_job
from c4.network.inference.engine import Judge
from c4.params.evaluation import EvaluationParams
from c4.params.search import SearchParams


class MeasureBaseline(PeriodicMeasurement):
    """`judge` is the engine that plays."""

    def __init__(
        self,
        *,
        game: str,
        judge: Judge,
        search: SearchParams,
        params: EvaluationParams,
        seed: int,
        beside: Beside | None,
    ) -> None:
        super().__init__(every=params.baseline.every, time_share=params.baseline.time_share, beside=beside)
        self._game, self._params, self._seed = game, params, seed
        self._player = challenger(judge, game=game, search=search, params=params)
        self._curriculum = Curriculum(params=params.baseline, rollouts=params.baseline.rollouts_first)

    @override
    def judge(self, generation: int) -> Mapping[str, Any]:
        result = play_match(
            self._player,
            game=self._game,
            rollouts=self._curriculum.rollouts,
            games=self._params.baseline.games,
            seed=self._seed_of(generation),
            threads=self._params.threads,
        )
        return dataclasses.asdict(result)

    @override
    def job(self, generation: int) -> Mapping[str, Any]:
        return match_job(rollouts=self._curriculum.rollouts, seed=self._seed_of(generation))

    @override
    def figures(self, found: Mapping[str, Any], *, generation: int) -> dict[str, float]:
        result = MatchResult(**found)
        self._curriculum.heard(result)
        return {
            "baseline/strength": self._curriculum.strength(result),
            "baseline/score": result.score,
            "baseline/score_first": result.score_first,
            "baseline/score_second": result.score_second,
            "baseline/rollouts": float(result.rollouts),
        }

    def _seed_of(self, generation: int) -> int:
        return self._seed + generation * 1_000_000  # new games every time

    @override
    def state_dict(self) -> dict[str, Any]:
        return {"rollouts": self._curriculum.rollouts}

    @override
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._curriculum.rollouts = int(state_dict["rollouts"])
