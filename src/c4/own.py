"""What a person brings to a run himself: made of its `_target_`s and looked at, before anything starts.

His network is the network's room to make (network/network.py), his opponents the players'.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from pytorch_lightning import Callback, Trainer
from pytorch_lightning.callbacks import BatchSizeFinder, LearningRateFinder, StochasticWeightAveraging, WeightAveraging
from pytorch_lightning.loggers.logger import Logger

from c4.callbacks.measure_own import Metric
from c4.flags import AVERAGING
from c4.objective import Loss, own_losses
from c4.params.errors import ConfigError, did_you_mean
from c4.params.target import Target, Wanted, all_made, functions
from c4.params.train import TrainConfig

FINDING = "a run is what its config.yaml says; a script of your own finds it, and {knob} takes it"

NOT_IN_A_RUN: dict[type[Callback], str] = {
    StochasticWeightAveraging: AVERAGING,
    WeightAveraging: AVERAGING,
    LearningRateFinder: FINDING.format(knob="model.learning_rate"),
    BatchSizeFinder: FINDING.format(knob="data.batch_size"),
}
"""Lightning's callbacks that change what a run is, or come after what they would change."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Own:
    callbacks: Sequence[Callback]
    loggers: Sequence[Logger]
    losses: Mapping[str, Loss]
    metrics: Mapping[str, Metric]
    trainer: Mapping[str, Any]  # arguments of Lightning's


def own_parts(config: TrainConfig) -> Own:
    """Raises ConfigError."""
    callbacks = _instances(config.callbacks.others, Callback, group="callbacks")
    for name, callback in callbacks.items():
        for kind, reason in NOT_IN_A_RUN.items():
            if isinstance(callback, kind):
                raise ConfigError(f"callbacks.{name}: {type(callback).__name__} is not allowed: {reason}")
    return Own(
        callbacks=list(callbacks.values()),
        loggers=list(_instances(config.logger.others, Logger, group="logger").values()),
        losses=own_losses(config.model),
        metrics=functions(config.callbacks.metrics, group="callbacks.metrics"),
        trainer=_arguments(config),
    )


def _instances(wanted: Wanted, kind: type[Any], *, group: str) -> dict[str, Any]:
    made = all_made(wanted, Target.make, group=group)
    for name, one in made.items():
        if not isinstance(one, kind):
            package = kind.__module__.partition(".")[0]
            raise ConfigError(f"{group}.{name} must be a {kind.__name__} of {package}, not {type(one).__name__}")
    return made


def _arguments(config: TrainConfig) -> dict[str, Any]:
    """Of Lightning's Trainer: what is no knob of ours and stands beside them."""
    knobs = [field.name for field in dataclasses.fields(config.trainer)]
    taken = [*inspect.signature(Trainer.__init__).parameters]
    for name in config.trainer.others:
        if name not in taken:
            near = did_you_mean(f"trainer.{name}", [f"trainer.{one}" for one in (*knobs, *taken)])
            raise ConfigError(f"trainer.{name}: Lightning's Trainer has no such argument, nor is it a knob{near}")
    plain = {name: value for name, value in config.trainer.others.items() if not isinstance(value, Target)}
    targets = {name: value for name, value in config.trainer.others.items() if isinstance(value, Target)}
    return plain | all_made(targets, Target.make, group="trainer")
