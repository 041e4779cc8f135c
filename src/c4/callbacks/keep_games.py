"""Keeps the newest self-play games with the run, for people to look at."""

from __future__ import annotations

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.datamodule import datamodule_of
from c4.evaluation.selfplay_audit import spread
from c4.ledger import Phase
from c4.params.callbacks import KeepingParams
from c4.phases import PhaseCallback
from c4.run.folder import RunFolder
from c4.run.kept import keep_games


class KeepGames(PhaseCallback):
    phase = Phase.PUBLISH

    def __init__(self, *, params: KeepingParams, folder: RunFolder) -> None:
        self._params, self._folder = params, folder

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if self._params.games > 0:
            data = datamodule_of(trainer)
            newest = spread(data.harvest.games, count=self._params.games)
            keep_games(self._folder, newest, generation=data.ledger.generation, most=self._params.games)
