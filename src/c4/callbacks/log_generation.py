"""What a generation was like: how fast it was played, how its games went, where the time went. docs/METRICS.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.datamodule import datamodule_of
from c4.ledger import Phase
from c4.phases import PhaseCallback

SHARES = {Phase.PLAY: "time/play_share", Phase.TRAIN: "time/train_share", Phase.MEASURE: "time/evaluate_share"}


class LogGeneration(PhaseCallback):
    """Logs a generation's figures, but for the network's and its health's. A logger's step is the generation."""

    phase = Phase.PUBLISH

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        data = datamodule_of(trainer)
        harvest, ledger = data.harvest, data.ledger
        spent = sum(ledger.seconds.values())
        metrics = {
            "step": float(ledger.generation),
            "budget/progress": ledger.progress(),
            "budget/minutes": ledger.elapsed() / 60.0,
            "total/games": float(ledger.games),
            "total/samples": float(ledger.samples),
            "total/steps": float(trainer.global_step),
            "window/samples": float(len(data.window)),
            "window/sampling_ratio": data.sampling_ratio,
            "train/steps_per_second": ledger.steps_per_second(),
        }
        metrics |= {SHARES[phase]: seconds / spent for phase, seconds in ledger.seconds.items()}
        metrics |= rates(harvest.counters, seconds=harvest.seconds, samples=len(harvest.samples))
        metrics |= game_figures(harvest.games)
        metrics |= harvest.figures
        pl_module.log_dict(metrics)


def rates(counters: Mapping[str, int], *, seconds: float, samples: int) -> dict[str, float]:
    """How fast games were played, and how many leaves needed no network."""
    seconds = max(seconds, 1e-9)
    asked = counters["evaluations"] + counters["cache_hits"]
    leaves = asked + counters["proofs"]
    return {
        "selfplay/games_per_second": counters["games"] / seconds,
        "selfplay/samples_per_second": samples / seconds,
        "selfplay/simulations_per_second": counters["simulations"] / seconds,
        "selfplay/evaluations_per_second": counters["evaluations"] / seconds,
        "selfplay/cache_hit_share": counters["cache_hits"] / asked if asked else 0.0,
        "selfplay/proof_share": counters["proofs"] / leaves if leaves else 0.0,
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
