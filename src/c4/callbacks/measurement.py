"""What every measurement during training has in common: when it is due, what it may cost, and who hears of it."""

from __future__ import annotations

from abc import abstractmethod

from pytorch_lightning import Callback, LightningModule, Trainer
from typing_extensions import override

from c4.evaluation.schedule import TimeShare


class Measurement(Callback):
    """Every so many generations, within a share of the run's time, and after the last one."""

    def __init__(self, *, every: int, time_share: float) -> None:
        """`every` 0: never."""
        self._every, self._time_share = every, time_share
        self._share = TimeShare(time_share)
        self._logged: set[str] = set()

    @abstractmethod
    def measure(self, trainer: Trainer) -> dict[str, float]:
        """Figures of the newest weights, by the names under which they are logged."""

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._share = TimeShare(self._time_share)

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if not self._is_due(trainer):
            # Lightning keeps what was logged last: a figure of older weights must not choose these as the best.
            for name in self._logged:
                trainer.callback_metrics.pop(name, None)
            return
        with self._share.paying():
            metrics = self.measure(trainer)
        self._logged = set(metrics)
        pl_module.log_dict(metrics)

    def _is_due(self, trainer: Trainer) -> bool:
        """The last generation is measured whatever it costs: a run's end says how good its weights have become."""
        if self._every == 0 or trainer.should_stop:
            return self._every > 0
        return (trainer.current_epoch + 1) % self._every == 0 and self._share.is_paid()
