"""Begins a run once Lightning has loaded what it goes on from: until then it may be refused, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.ledger import Phase
from c4.phases import PhaseCallback


class BeginRun(PhaseCallback):
    phase = Phase.PLAY

    def __init__(self, begin: Callable[[LightningModule], None]) -> None:
        self._begin = begin

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._begin(pl_module)
