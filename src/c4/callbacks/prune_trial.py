"""Ends a run early when whoever it reports to says that it leads nowhere. Knows nothing of searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.ledger import Phase
from c4.phases import PhaseCallback
from c4.tracking.metrics_csv import MetricsCsv


class PrunedRun(Exception):  # noqa: N818 - it is no error
    """The run was ended early."""


class PruneTrial(PhaseCallback):
    """`report` takes each finished generation with its metrics, and says whether the run is to end with it."""

    phase = Phase.SAVE

    def __init__(self, *, table: MetricsCsv, report: Callable[[int, Mapping[str, float]], bool]) -> None:
        self._table, self._report = table, report

    @override
    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Only now are all metrics of the generation before in the table, and is it saved."""
        if self._table.rows and self._report(len(self._table.rows), self._table.rows[-1]):
            raise PrunedRun

    @override
    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """The last generation is whole: there is nothing left to end."""
        if self._table.rows:
            self._report(len(self._table.rows), self._table.rows[-1])
