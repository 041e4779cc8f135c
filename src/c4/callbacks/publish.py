"""Gives the newest weights to whoever plays with them: before the first generation and after each."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pytorch_lightning import Callback, LightningModule, Trainer
from typing_extensions import override

from c4.datamodule import datamodule_of

if TYPE_CHECKING:
    from c4.lightning_module import C4Module


class Publish(Callback):
    """Which weights play, the newest or their average, is the module's to say."""

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._publish(trainer, pl_module)

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._publish(trainer, pl_module)

    @staticmethod
    def _publish(trainer: Trainer, pl_module: LightningModule) -> None:
        datamodule_of(trainer).source.publish(cast("C4Module", pl_module).play_weights())
