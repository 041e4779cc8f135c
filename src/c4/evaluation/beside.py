"""Measurements of a run as tasks of the cluster that plays, beside training: what they are made with, as plain values,
and what makes them there. When they are due, and what becomes of them, is the callbacks' to say.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor

from c4.distributed.tasks import LOOK, Task, Tasks
from c4.distributed.wire import pack_weights, unpack_weights
from c4.distributed.worker import engine_of
from c4.evaluation.baseline import challenger, play_match
from c4.evaluation.gradings import Grading
from c4.games import game_spec
from c4.network.network import design_of
from c4.params.evaluation import EvaluationParams
from c4.params.inference import InferenceParams
from c4.params.plain import as_plain, from_plain
from c4.params.search import SearchParams
from c4.params.source import SourceParams
from c4.params.target import asked, trust
from c4.params.train import TrainConfig

TRUTH, MATCH = "truth", "match"


def contract_of(config: TrainConfig) -> dict[str, Any]:
    """`config.inference` names its engine."""
    groups = ("grading_search", "search", "network", "inference", "evaluation")
    return {"game": config.game.name, "trusted": asked()} | {name: as_plain(getattr(config, name)) for name in groups}


def truth_job() -> dict[str, Any]:
    return {"kind": TRUTH}


def match_job(*, rollouts: int, seed: int) -> dict[str, Any]:
    return {"kind": MATCH, "rollouts": rollouts, "seed": seed}


class Graders:
    """Tasks that judge weights, one at a time where there is no room for more; those that wait come in their turn."""

    def __init__(self, contract: Mapping[str, Any], *, params: SourceParams) -> None:
        self._tasks = Tasks(grader_of, contract, params=params, most=1)
        self._out: list[Task] = []

    def give(self, job: Mapping[str, Any], *, weights: Mapping[str, Tensor]) -> Task:
        task = self._tasks.begin({**job, "weights": pack_weights(weights)})
        self._out.append(task)
        return task

    def answer(self, task: Task, *, wait: bool) -> Any:
        """None where it is not over yet. Raises LostError where it never will be."""
        try:
            while not task.is_over:
                self._tasks.look(self._out, seconds=LOOK if wait else 0.0)
                if not (wait or task.is_over):
                    return None
            found = task.answer()
        except Exception:
            self._tasks.cancel(task)
            self._out.remove(task)
            raise
        self._out.remove(task)
        return found


def grader_of(contract: Mapping[str, Any], threads: int | None) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """What judges weights, in the process that it is made in."""
    trust(contract["trusted"])
    game, params = contract["game"], from_plain(EvaluationParams, contract["evaluation"])
    search, grading_search = (from_plain(SearchParams, contract[name]) for name in ("search", "grading_search"))
    inference = from_plain(InferenceParams, contract["inference"])
    engine = engine_of(game_spec(game), design=design_of(contract["network"]), inference=inference, threads=threads)
    grading = Grading(game=game, search=grading_search, params=params)
    dev, player = grading.dev_set(), challenger(engine, game=game, search=search, params=params)

    def judge(job: Mapping[str, Any]) -> Mapping[str, Any]:
        engine.load(unpack_weights(job["weights"]))
        if job["kind"] == TRUTH:
            assert dev is not None
            return grading.of_generation(dev, judge=engine)
        return dataclasses.asdict(
            play_match(
                player,
                game=game,
                rollouts=job["rollouts"],
                games=params.baseline.games,
                seed=job["seed"],
                threads=params.threads,
            )
        )

    return judge
