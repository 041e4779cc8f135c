"""Whether the metrics that a configuration names are logged by it: what chooses the best player, what a callback waits
for, what a search seeks. A name that can never come is said before anything starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from c4.params.errors import ConfigError
from c4.params.evaluate import EvaluateConfig
from c4.params.metrics import Logged, comes_late, is_metric, own_names
from c4.params.source import SourceMode
from c4.params.target import Target
from c4.params.train import TrainConfig

LIGHTNINGS = ("pytorch_lightning.", "lightning.")
"""Whose callbacks log nothing that can be monitored."""

ALWAYS = ("epoch", "step")
"""What Lightning knows besides."""

MONITOR = "callbacks.checkpoint.monitor"
OBJECTIVES, WATCHED = "hydra.sweeper.objectives", "hydra.sweeper.watched"


def check_monitors(config: Any, *, typed: Iterable[str]) -> dict[str, str]:
    """A sentence for each key whose metric is not measured here, though nobody has asked for it by typing.

    Raises ConfigError for a name that no metric has, and for what was typed.
    """
    if not isinstance(config, TrainConfig):
        return {}
    said = {}
    for key, name in _monitored(config):
        if key != MONITOR and config.selfplay.grades_beside and comes_late(name):
            raise ConfigError(
                f"{key}={name}: no callback sees it while gradings are made beside training, for it comes when other "
                "generations have followed; selfplay.grade_beside=false grades in time"
            )
        sentence = logged_by(config).sentence(key, name)
        if sentence is None or name in ALWAYS or (config.resume is not None and is_metric(name)):
            continue  # a run that is resumed may measure what this line does not say
        if key in typed or not is_metric(name) or config.evaluation.grading.every:
            raise ConfigError(sentence)
        said[key] = f"{sentence.partition(';')[0]}; the newest player is taken for the best"
    return said


def check_sought(config: Any, *, sweeper: Mapping[str, Any]) -> None:
    """Of a search: raises ConfigError unless its objectives and what its trials are watched by are logged."""
    if "objectives" not in sweeper:
        return
    logged = logged_by(config)
    sought = {str(name): OBJECTIVES for name in sweeper["objectives"]}
    if not sought and isinstance(config, TrainConfig) and config.callbacks.checkpoint.monitor is not None:
        sought = {config.callbacks.checkpoint.monitor: MONITOR}
    for name, key in sought.items():
        if sentence := logged.sentence(key, name, at_end=True):
            raise ConfigError(sentence)
    watched = sweeper.get("watched")
    if watched is not None and (sentence := logged.sentence(WATCHED, str(watched))):
        raise ConfigError(sentence)


def logged_by(config: TrainConfig | EvaluateConfig) -> Logged:
    if isinstance(config, EvaluateConfig):
        return Logged(evaluation=config.evaluation, budgets=config.evaluation.simulations, while_training=False)
    others = [one.path for one in config.callbacks.others.values() if one is not None]
    return Logged(
        evaluation=config.evaluation,
        budgets=config.evaluation.grading.simulations,
        while_training=True,
        actors=config.selfplay.actors is not None,
        flowing=config.selfplay.mode is SourceMode.FLOWING,
        own=own_names(config.model.losses, config.callbacks.metrics),
        anything=not all(path.startswith(LIGHTNINGS) for path in others),
    )


def _monitored(config: TrainConfig) -> Iterable[tuple[str, str]]:
    if config.callbacks.checkpoint.monitor is not None:
        yield MONITOR, config.callbacks.checkpoint.monitor
    for name, one in config.callbacks.others.items():
        if isinstance(one, Target) and isinstance(monitor := one.arguments.get("monitor"), str):
            yield f"callbacks.{name}.monitor", monitor
