"""Keeps the newest self-play games with the run, for people to look at."""

from __future__ import annotations

from pathlib import Path

from pytorch_lightning import Callback, LightningModule, Trainer
from typing_extensions import override

from c4.datamodule import datamodule_of
from c4.evaluation.selfplay_audit import spread
from c4.params.callbacks import KeepingParams
from c4.run.kept import keep_games


class Keeping(Callback):
    def __init__(self, *, params: KeepingParams, folder: Path) -> None:
        self._params, self._folder = params, folder

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if self._params.games > 0:
            newest = spread(datamodule_of(trainer).harvest.games, count=self._params.games)
            keep_games(self._folder, newest, generation=trainer.current_epoch + 1, most=self._params.games)
