"""Gathers what a person may see of a run while it goes on. Knows no terminal."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Mapping
from typing import Any

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.datamodule import datamodule_of
from c4.ledger import Ledger, Phase
from c4.params.callbacks import ProgressParams
from c4.phases import PhaseCallback
from c4.run.train_log import SHOWN
from c4.selfplay.source import Glance
from c4.tracking.metrics_csv import MetricsCsv
from c4.tracking.view import Status, View

log = logging.getLogger(__name__)


class ShowProgress(PhaseCallback):
    """Tells a view how far the run is."""

    phase = Phase.PUBLISH

    def __init__(self, *, view: View, ledger: Ledger, table: MetricsCsv, params: ProgressParams) -> None:
        self._view, self._ledger, self._table = view, ledger, table
        self._refresh = params.refresh_seconds
        self._shown_at = 0.0
        self._finished = False  # whether a generation is over that the view has not been told of
        self._over = False  # a budget of minutes ends before its last second: what is left is no generation's worth
        self._status = Status(
            phase=None, generation=1, glance=None, step=0, steps=0, loss=None,
            share=0.0, elapsed=0.0, left=None, history=(),
        )  # fmt: skip

    def watch(self, glance: Glance) -> bool:
        """Sees the playing; never ends it."""
        self._look(phase=Phase.PLAY, glance=glance)
        return False

    @override
    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._tell_finished()
        generation = self._ledger.generation + 1
        self._look(phase=Phase.PLAY, generation=generation, glance=None, step=0, steps=0, now=True)

    @override
    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        if self._is_due():
            loss = float(outputs["loss"] if isinstance(outputs, Mapping) else outputs)
            steps = datamodule_of(trainer).steps
            self._look(phase=Phase.TRAIN, step=batch_idx + 1, steps=steps, loss=loss)

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._look(phase=Phase.MEASURE, now=True)
        self._finished = True

    @override
    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._over = self._ledger.is_spent()
        self._look(now=True, phase=None)
        self._tell_finished()

    def _tell_finished(self) -> None:
        """Late on purpose: only now are all metrics of the generation in the table."""
        self._look(now=True, history=self._table.rows)
        if self._finished and self._status.history:  # trainer.fast_dev_run logs nothing
            log.info("%s", self._view.finished(self._status), extra=SHOWN)
        self._finished = False

    def _is_due(self) -> bool:
        return time.monotonic() - self._shown_at >= self._refresh

    def _look(self, *, now: bool = False, **changes: Any) -> None:
        if not (now or self._is_due()):
            return
        self._shown_at = time.monotonic()
        self._status = dataclasses.replace(
            self._status,
            share=1.0 if self._over else self._ledger.progress(),
            elapsed=self._ledger.elapsed(),
            left=self._ledger.seconds_left(),
            **changes,
        )
        self._view.show(self._status)
