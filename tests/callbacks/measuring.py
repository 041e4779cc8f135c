"""What a measurement during training needs around it: knobs, and as much of a run as a callback sees."""

from __future__ import annotations

import dataclasses
import itertools
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from pytorch_lightning import LightningModule, Trainer
from tests.evaluation.makers import SEARCH, HashJudge, Judge

from c4.callbacks import periodic_measurement
from c4.callbacks.measure_truth import MeasureTruth
from c4.callbacks.periodic_measurement import Beside, PeriodicMeasurement
from c4.evaluation.schedule import TimeShare
from c4.params.evaluation import BaselineParams, EvaluationParams, GradingParams
from c4.replay.samples import Samples, empty

GRADING = GradingParams(
    every=1, time_share=1.0, positions=60, simulations=(0, 4), games=6, at_end=True, also_at_end=(6,), tree=0
)
BASELINE = BaselineParams(every=1, games=2, simulations=30, rollouts_first=1, rollouts_step=10, time_share=1.0)
PARAMS = EvaluationParams(
    sets=("dev",),
    simulations=(0, 4),
    trees=64,
    threads=1,
    cache_megabytes=0.0625,
    ply_band=6,
    calibration_bins=10,
    ablation_simulations=0,
    mlh_slopes=(),
    mlh_caps=(),
    worst=0,
    failures=None,
    openings=None,
    audit_games=0,
    duel_simulations=0,
    grading=GRADING,
    baseline=BASELINE,
)
SMALL = "connect4_4x4"


@pytest.fixture(autouse=True)
def own_cache_and_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock finds it a second later, so that nothing depends on this machine's speed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    ticks = itertools.count()
    monkeypatch.setattr(
        periodic_measurement, "TimeShare", lambda share: TimeShare(share, clock=lambda: float(next(ticks)))
    )


class Source:
    """Nothing of it is measured."""


class Logger:
    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[str, float]]] = []

    def log_metrics(self, metrics: dict[str, float], step: int) -> None:
        self.rows.append((step, dict(metrics)))


class Ledger:
    generation, share = 0, 0.0

    def progress(self) -> float:
        return self.share


class Run:
    """As much of a trainer and its module as a callback sees."""

    def __init__(self, *, games: Sequence[dict[str, Any]] = (), samples: Samples | None = None) -> None:
        taken = empty(game=SMALL) if samples is None else samples
        self.ledger, self.published = Ledger(), list[int]()
        self.default_root_dir = "."
        self.should_stop = False
        self.callback_metrics: dict[str, float] = {}
        self.loggers = [Logger()]
        self.datamodule = types.SimpleNamespace(
            source=Source(),
            harvest=types.SimpleNamespace(games=list(games), samples=taken),
            ledger=self.ledger,
            publish=lambda: self.published.append(self.ledger.generation),
        )

    def log_dict(self, metrics: dict[str, float]) -> None:
        self.logged = metrics
        self.callback_metrics |= metrics

    def play_weights(self) -> dict[str, int]:
        return {"generation": self.ledger.generation}

    def start(self, callback: PeriodicMeasurement) -> None:
        callback.on_train_start(cast(Trainer, self), cast(LightningModule, self))

    def generation(self, callback: PeriodicMeasurement) -> dict[str, float]:
        self.logged = {}
        self.ledger.generation += 1
        callback.on_train_epoch_end(cast(Trainer, self), cast(LightningModule, self))
        return self.logged

    def end(self, callback: MeasureTruth) -> None:
        callback.on_train_end(cast(Trainer, self), cast(LightningModule, self))


def truth(
    *, game: str = SMALL, judge: Judge | None = None, beside: Beside | None = None, **changes: Any
) -> MeasureTruth:
    grading = {name: changes.pop(name) for name in list(changes) if hasattr(GRADING, name) and name != "simulations"}
    params = dataclasses.replace(PARAMS, grading=dataclasses.replace(GRADING, **grading), **changes)
    return MeasureTruth(
        game=game,
        judge=judge or HashJudge(game),
        search=SEARCH,
        played_with=SEARCH,
        params=params,
        opening_plies=2,
        report=None,
        beside=beside,
    )
