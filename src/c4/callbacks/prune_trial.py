"""Ends a run early when whoever it reports to says that it leads nowhere. Knows nothing of searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.ledger import Phase
from c4.phases import PhaseCallback
from c4.ranks import Ranks
from c4.tracking.metrics_csv import MetricsCsv


class PrunedRun(Exception):  # noqa: N818 - it is no error
    """The run was ended early."""


class PruneTrial(PhaseCallback):
    """`report` takes each finished generation with its metrics, again and again, and says whether the run is to end."""

    phase = Phase.SAVE

    def __init__(self, *, table: MetricsCsv | None, report: Callable[[int, Mapping[str, float]], bool] | None) -> None:
        """None: this rank is not the first, and hears of it."""
        self._table, self._report = table, report

    @override
    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Only now are all metrics of the generation before in the table, and is it saved; those of older ones may have
        come by now too.
        """
        if Ranks.here().from_first(self._is_weak):
            raise PrunedRun

    @override
    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """The last generation is whole: there is nothing left to end."""
        self._is_weak()

    def _is_weak(self) -> bool:
        if self._table is None or self._report is None:
            return False
        return any(self._report(generation, row) for generation, row in enumerate(self._table.rows, start=1))
