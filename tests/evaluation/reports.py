"""A report of a network that knows nothing, on a small solved board: made once for all tests of a process."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

from tests.evaluation.makers import SEARCH, HashJudge

from c4.evaluation.labels import LabelledSet
from c4.evaluation.report import Subject, full_report
from c4.evaluation.sets import labelled_set, subset
from c4.params.evaluation import BaselineParams, EvaluationParams, GradingParams

PARAMS = EvaluationParams(
    sets=("dev",),
    simulations=(0, 8, 32),
    trees=64,
    threads=1,
    cache_megabytes=0.25,
    ply_band=4,
    calibration_bins=5,
    ablation_simulations=16,
    mlh_slopes=(0.0, 0.05),
    mlh_caps=(0.1, 0.3),
    worst=5,
    failures=None,
    openings=None,
    audit_games=0,
    duel_simulations=16,
    grading=GradingParams(
        every=1, time_share=1.0, positions=50, simulations=(0, 8), games=4, at_end=True, also_at_end=(), tree=0
    ),
    baseline=BaselineParams(every=0, games=2, simulations=8, rollouts_first=10, rollouts_step=10, time_share=1.0),
)
GAME = "connect4_4x4"


def subject(game: str = GAME) -> Subject:
    search = dataclasses.replace(SEARCH, mlh_slope=0.05)
    return Subject(name="<clueless> & co", game=game, judge=HashJudge(game), search=search)


@cache
def some_labels() -> LabelledSet:
    return subset(labelled_set("dev", game=GAME), count=120)


@cache
def some_report() -> dict[str, Any]:
    labels = some_labels()
    halves = [dataclasses.replace(labels.take(range(start, 120, 2)), name=f"half {start}") for start in (0, 1)]
    return full_report(subject(), halves, params=PARAMS, progress=lambda _: None)
