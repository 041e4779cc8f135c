"""A run reports each finished generation once it is saved, and ends where it is told to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from unittest.mock import Mock

import pytest
from pytorch_lightning import LightningModule, Trainer

from c4.callbacks.prune_trial import PrunedRun, PruneTrial
from c4.run.folder import RunFolder
from c4.tracking.metrics_csv import MetricsCsv


def test_a_run_ends_with_the_generation_that_was_too_weak(tmp_path: Path) -> None:
    heard: list[tuple[int, float]] = []

    def report(generation: int, metrics: Mapping[str, float]) -> bool:
        heard.append((generation, metrics.get("truth", 1.0)))
        return metrics.get("truth", 1.0) < 0.5

    table = MetricsCsv(RunFolder(path=tmp_path))
    pruning, trainer, module = PruneTrial(table=table, report=report), Mock(spec=Trainer), Mock(spec=LightningModule)
    pruning.on_train_epoch_start(trainer, module)  # nothing is over yet
    table.log_metrics({"truth": 0.6}, step=1)
    pruning.on_train_epoch_start(trainer, module)
    table.log_metrics({"truth": 0.4}, step=2)
    with pytest.raises(PrunedRun):
        pruning.on_train_epoch_start(trainer, module)
    assert heard == [(1, 0.6), (1, 0.6), (2, 0.4)]


def test_a_figure_that_comes_late_ends_a_run_too(tmp_path: Path) -> None:
    table = MetricsCsv(RunFolder(path=tmp_path))
    pruning = PruneTrial(table=table, report=lambda _, metrics: metrics.get("truth", 1.0) < 0.5)
    trainer, module = Mock(spec=Trainer), Mock(spec=LightningModule)
    table.log_metrics({"loss": 2.0}, step=1)
    table.log_metrics({"loss": 1.0}, step=2)
    pruning.on_train_epoch_start(trainer, module)
    table.log_metrics({"truth": 0.4}, step=1)
    with pytest.raises(PrunedRun):
        pruning.on_train_epoch_start(trainer, module)


def test_the_last_generation_is_reported_and_ends_nothing(tmp_path: Path) -> None:
    heard: list[int] = []
    table = MetricsCsv(RunFolder(path=tmp_path))
    table.log_metrics({"truth": 0.4}, step=1)
    pruning = PruneTrial(table=table, report=lambda generation, _: heard.append(generation) is None)
    pruning.on_train_end(Mock(spec=Trainer), Mock(spec=LightningModule))
    assert heard == [1]
