"""What every measurement during training has in common: when it is due, what it may cost, who makes it (the learner, or
a task of a cluster beside training), and who hears of it.
"""

from __future__ import annotations

import dataclasses
import logging
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from pytorch_lightning import LightningModule, Trainer
from torch import Tensor
from typing_extensions import override

from c4.datamodule import Plays, datamodule_of
from c4.distributed.tasks import LostError, Task
from c4.evaluation.beside import Graders
from c4.evaluation.schedule import TimeShare
from c4.ledger import Ledger, Phase
from c4.phases import PhaseCallback
from c4.ranks import Ranks
from c4.run.result import agreement_line

log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Late:
    """Figures of a generation that others have followed."""

    generation: int
    figures: Mapping[str, float]
    weights: Mapping[str, Tensor]  # that they judge
    reached: Mapping[str, float]  # what was known of that generation before


@dataclasses.dataclass(frozen=True, kw_only=True)
class Beside:
    """Who makes measurements beside training, and who is told of them besides the loggers."""

    graders: Graders
    take: Callable[[Late], None]


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Given:
    task: Task
    generation: int
    weights: Mapping[str, Tensor]
    reached: Mapping[str, float]


class PeriodicMeasurement(PhaseCallback):
    """Every so many generations, within a share of the time or once a run is twice as far, and after the last one.

    Beside training one is made at a time, whatever the learner's time; the last generation's the learner makes.
    """

    phase = Phase.MEASURE

    def __init__(self, *, every: int, time_share: float, beside: Beside | None) -> None:
        """`every` 0: never. `beside` None: the learner makes all of them."""
        self._every, self._time_share = every, time_share
        self._share = TimeShare(time_share)
        self._measured_at = 0.0  # progress of the run
        self._logged: set[str] = set()
        self._beside = beside
        self._given: _Given | None = None

    def measure(self, trainer: Trainer) -> dict[str, float]:
        """Figures of the newest weights, which play by now, by the names under which they are logged."""
        generation = datamodule_of(trainer).ledger.generation
        found = self.judge(generation)
        return ({} if found is None else self.figures(found, generation=generation)) | self.measure_besides(trainer)

    @abstractmethod
    def judge(self, generation: int) -> Mapping[str, Any] | None:
        """What is found out about the newest weights; None where there is nothing to be found out."""

    @abstractmethod
    def job(self, generation: int) -> Mapping[str, Any] | None:
        """The same as a job for others, which brings what `judge` gives."""

    @abstractmethod
    def figures(self, found: Mapping[str, Any], *, generation: int) -> dict[str, float]:
        """What is logged of it; whatever else hears of it is told."""

    def measure_besides(self, trainer: Trainer) -> dict[str, float]:  # noqa: ARG002
        """What only the learner can measure."""
        return {}

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._share, self._measured_at = TimeShare(self._time_share), 0.0

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        metrics = Ranks.here().from_first(lambda: self._measured(trainer, pl_module))
        self._logged = log_instead(metrics, of=self._logged, trainer=trainer, module=pl_module)

    @override
    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Somebody else's callback may have ended the run."""
        if Ranks.here().is_first:
            self._take(trainer, wait=True)

    def _measured(self, trainer: Trainer, module: LightningModule) -> dict[str, float]:
        """Nothing where none is due."""
        data, is_last = datamodule_of(trainer), trainer.should_stop
        self._take(trainer, wait=is_last)
        if not self._is_due(data.ledger, is_last=is_last):
            return {}
        data.publish()
        self._measured_at = data.ledger.progress()
        generation = data.ledger.generation
        if self._beside is not None and not is_last and (job := self.job(generation)) is not None:
            weights = cast("Plays", module).play_weights()
            reached = {name: float(value) for name, value in trainer.callback_metrics.items() if name != "step"}
            task = self._beside.graders.give(job, weights=weights)
            self._given = _Given(task=task, generation=generation, weights=weights, reached=reached)
            return self.measure_besides(trainer)
        with self._share.paying():
            return self.measure(trainer)

    def _take(self, trainer: Trainer, *, wait: bool) -> None:
        """What was given out, if it is there."""
        given = self._given
        if self._beside is None or given is None:
            return
        try:
            found = self._beside.graders.answer(given.task, wait=wait)
        except LostError as error:
            log.warning("generation %d is not graded, and the learner grades from now on: %s", given.generation, error)
            self._beside = self._given = None
            return
        if found is None:
            return
        self._given = None
        figures = self.figures(found, generation=given.generation)
        figures = {name: float(np.float32(value)) for name, value in figures.items()}  # as Lightning keeps them
        for logger in trainer.loggers:
            logger.log_metrics(figures, step=given.generation)
        log.info("generation %d, graded beside training: %s", given.generation, agreement_line([figures]))
        late = Late(generation=given.generation, figures=figures, weights=given.weights, reached=given.reached)
        self._beside.take(late)

    def _is_due(self, ledger: Ledger, *, is_last: bool) -> bool:
        """The last generation is measured whatever it costs: a run's end says how good its weights have become.

        One costly measurement must not be the only one for most of a run either, so another comes in any case where
        progress has doubled.
        """
        if self._every == 0 or is_last:
            return self._every > 0
        if self._beside is not None:
            due = self._given is None
        else:
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
