"""What a generation was like: how fast it was played, how its games went, where the time went. docs/METRICS.md."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from pytorch_lightning import Callback, LightningModule, Trainer
from typing_extensions import override

from c4.callbacks.budget import Budget
from c4.datamodule import datamodule_of
from c4.selfplay.source import Harvest


class Measures(Callback):
    """Logs a generation's figures, but for the network's and its health's. A logger's step is the generation."""

    def __init__(self, *, budget: Budget) -> None:
        self._budget = budget
        self._seconds = {"play": 0.0, "train": 0.0, "evaluate": 0.0}
        self._totals = {"games": 0, "samples": 0}
        self._trained_at: float | None = None
        self._training_since = 0.0

    @override
    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if self._trained_at is not None:  # grading and saving lie between two generations
            self._seconds["evaluate"] += time.monotonic() - self._trained_at

    @override
    def on_train_batch_start(self, trainer: Trainer, pl_module: LightningModule, batch: Any, batch_idx: int) -> None:
        if batch_idx == 0:
            self._training_since = time.monotonic()

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        data = datamodule_of(trainer)
        harvest: Harvest = data.harvest
        self._trained_at = time.monotonic()
        trained = self._trained_at - self._training_since
        self._seconds["play"] += harvest.seconds
        self._seconds["train"] += trained
        self._totals["games"] += harvest.counters["games"]
        self._totals["samples"] += len(harvest.samples)
        spent = sum(self._seconds.values())
        metrics = {
            "step": float(trainer.current_epoch + 1),
            "budget/progress": self._budget.progress(),
            "budget/minutes": self._budget.elapsed() / 60.0,
            "total/games": float(self._totals["games"]),
            "total/samples": float(self._totals["samples"]),
            "total/steps": float(trainer.global_step),
            "window/samples": float(len(data.window)),
            "window/sampling_ratio": data.sampling_ratio,
            "train/steps_per_second": data.steps / max(trained, 1e-9),
        }
        metrics |= {f"time/{name}_share": seconds / spent for name, seconds in self._seconds.items()}
        metrics |= rates(harvest.counters, seconds=harvest.seconds, samples=len(harvest.samples))
        metrics |= game_figures(harvest.games)
        pl_module.log_dict(metrics)

    @override
    def state_dict(self) -> dict[str, Any]:
        return {"seconds": dict(self._seconds), "totals": dict(self._totals)}

    @override
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._seconds, self._totals = dict(state_dict["seconds"]), dict(state_dict["totals"])


def rates(counters: Mapping[str, int], *, seconds: float, samples: int) -> dict[str, float]:
    """How fast games were played, and how many leaves needed no network."""
    seconds = max(seconds, 1e-9)
    asked = counters["evaluations"] + counters["cache_hits"]
    return {
        "selfplay/games_per_second": counters["games"] / seconds,
        "selfplay/samples_per_second": samples / seconds,
        "selfplay/simulations_per_second": counters["simulations"] / seconds,
        "selfplay/evaluations_per_second": counters["evaluations"] / seconds,
        "selfplay/cache_hit_share": counters["cache_hits"] / asked if asked else 0.0,
    }


def game_figures(games: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """How games went; nothing when none has ended."""
    if not games:
        return {}
    results = [game["result"] for game in games]
    return {
        "selfplay/game_length": sum(len(game["actions"]) for game in games) / len(games),
        "selfplay/first_win_share": results.count(1) / len(games),
        "selfplay/draw_share": results.count(0) / len(games),
    }
