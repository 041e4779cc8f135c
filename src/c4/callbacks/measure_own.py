"""Logs a person's own figures of each generation, after ours and before it is saved: a checkpoint may be chosen by one.

A metric is called with a Generation, and returns a number, logged under the metric's name, or numbers by name, logged
as NAME/FIGURE.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.callbacks.periodic_measurement import log_instead
from c4.datamodule import datamodule_of
from c4.evaluation.report import Report
from c4.ledger import Phase
from c4.params.errors import ConfigError
from c4.phases import PhaseCallback
from c4.ranks import Ranks
from c4.replay.samples import Samples


@dataclasses.dataclass(frozen=True, kw_only=True)
class Generation:
    """A generation that is whole but for its saving."""

    number: int  # the first is 1
    games: Sequence[Mapping[str, Any]]  # that ended in it: actions, result for the first player, ...
    samples: Samples  # that came out of it
    module: LightningModule  # as its training has left it
    figures: Mapping[str, float]  # that are logged of it so far, by name
    report: Report | None  # its grading against the truth, where it had one


Metric = Callable[[Generation], float | Mapping[str, float]]


class MeasureOwn(PhaseCallback):
    phase = Phase.OWN

    def __init__(self, metrics: Mapping[str, Metric]) -> None:
        self._metrics = metrics
        self._report: tuple[int, Report] | None = None
        self._logged: set[str] = set()

    def graded(self, report: Report, generation: int) -> None:
        """Takes the grading of a generation that is not measured yet."""
        self._report = generation, report

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        own = Ranks.here().from_first(lambda: self._measured(trainer, pl_module))
        self._logged = log_instead(own, of=self._logged, trainer=trainer, module=pl_module)

    def _measured(self, trainer: Trainer, module: LightningModule) -> dict[str, float]:
        data = datamodule_of(trainer)
        graded, report = self._report or (0, None)
        figures = {name: float(value) for name, value in trainer.callback_metrics.items()}
        generation = Generation(
            number=data.ledger.generation,
            games=data.harvest.games,
            samples=data.harvest.samples,
            module=module,
            figures={name: value for name, value in figures.items() if name not in self._logged},
            report=report if graded == data.ledger.generation else None,
        )
        own: dict[str, float] = {}
        for name, metric in self._metrics.items():
            own |= named(metric(generation), name=name)
        if taken := sorted({*own} & {*generation.figures}):
            raise ConfigError(f"callbacks.metrics: {taken[0]} is logged by the program itself; another name is needed")
        return own


def named(found: object, *, name: str) -> dict[str, float]:
    """What a metric has returned, by the names under which it is logged. Raises ConfigError."""
    figures = {f"{name}/{key}": value for key, value in found.items()} if isinstance(found, Mapping) else {name: found}
    try:
        return {key: float(value) for key, value in figures.items()}  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"callbacks.metrics.{name} must return a number, or numbers by name, not {type(found).__name__}"
        ) from error
