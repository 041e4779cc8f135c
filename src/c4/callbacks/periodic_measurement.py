"""What every measurement during training has in common: when it is due, what it may cost, and who hears of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.datamodule import datamodule_of
from c4.evaluation.schedule import TimeShare
from c4.ledger import Ledger, Phase
from c4.phases import PhaseCallback
from c4.ranks import Ranks


class PeriodicMeasurement(PhaseCallback):
    """Every so many generations, within a share of the time or once a run is twice as far, and after the last one."""

    phase = Phase.MEASURE

    def __init__(self, *, every: int, time_share: float) -> None:
        """`every` 0: never."""
        self._every, self._time_share = every, time_share
        self._share = TimeShare(time_share)
        self._measured_at = 0.0  # progress of the run
        self._logged: set[str] = set()

    @abstractmethod
    def measure(self, trainer: Trainer) -> dict[str, float]:
        """Figures of the newest weights, which play by now, by the names under which they are logged."""

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._share, self._measured_at = TimeShare(self._time_share), 0.0

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        metrics = Ranks.here().from_first(lambda: self._measured(trainer))
        self._logged = log_instead(metrics, of=self._logged, trainer=trainer, module=pl_module)

    def _measured(self, trainer: Trainer) -> dict[str, float]:
        """Nothing where none is due."""
        data = datamodule_of(trainer)
        if not self._is_due(data.ledger, is_last=trainer.should_stop):
            return {}
        data.publish()
        self._measured_at = data.ledger.progress()
        with self._share.paying():
            return self.measure(trainer)

    def _is_due(self, ledger: Ledger, *, is_last: bool) -> bool:
        """The last generation is measured whatever it costs: a run's end says how good its weights have become.

        One costly measurement must not be the only one for most of a run either, so another comes in any case where
        progress has doubled.
        """
        if self._every == 0 or is_last:
            return self._every > 0
        due = self._share.is_paid() or ledger.progress() >= 2.0 * self._measured_at > 0.0
        return ledger.generation % self._every == 0 and due


def log_instead(metrics: Mapping[str, float], *, of: set[str], trainer: Trainer, module: LightningModule) -> set[str]:
    """Logs a generation's figures, and takes those back that an earlier one had and this has not; returns their names.

    Lightning keeps what was logged last: a figure of older weights must not choose these as the best.
    """
    for name in of - set(metrics):
        trainer.callback_metrics.pop(name, None)
    if metrics:
        module.log_dict(metrics)
    return set(metrics)
