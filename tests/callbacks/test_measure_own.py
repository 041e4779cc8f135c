"""A person's own metrics: what they see of a generation, under which names they are logged, and what is no figure."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import pytest
from pytorch_lightning import LightningModule, Trainer

from c4.callbacks.measure_own import Generation, MeasureOwn, Metric, named
from c4.params.errors import ConfigError


class Run:
    """As much of a trainer and its module as a callback sees."""

    def __init__(self) -> None:
        self.callback_metrics: dict[str, Any] = {"loss/total": np.float32(2.0)}
        self.datamodule = types.SimpleNamespace(
            harvest=types.SimpleNamespace(games=[{"result": 1}], samples="samples"),
            ledger=types.SimpleNamespace(generation=0),
        )

    def log_dict(self, metrics: Mapping[str, float]) -> None:
        self.callback_metrics |= metrics

    def generation(self, callback: MeasureOwn) -> dict[str, float]:
        self.datamodule.ledger.generation += 1
        callback.on_train_epoch_end(cast(Trainer, self), cast(LightningModule, self))
        return self.callback_metrics


def measured(**metrics: Metric) -> dict[str, float]:
    return Run().generation(MeasureOwn(metrics))


def test_a_metric_sees_its_generation() -> None:
    seen: list[Generation] = []

    def metric(generation: Generation) -> float:
        seen.append(generation)
        return 1.0

    run, callback = Run(), MeasureOwn({"mine": metric})
    run.generation(callback)
    callback.graded(cast(Any, "a report"), 2)
    run.generation(callback)
    run.generation(callback)
    assert [(one.number, one.report) for one in seen] == [(1, None), (2, "a report"), (3, None)]
    assert (seen[0].games, seen[0].samples, seen[0].module) == ([{"result": 1}], "samples", run)
    assert [dict(one.figures) for one in seen] == [{"loss/total": 2.0}] * 3


def test_figures_are_logged_under_the_metrics_name() -> None:
    logged = measured(one=lambda _: np.float32(0.5), two=lambda _: {"low": 1, "high": True})
    assert logged == {"loss/total": 2.0, "one": 0.5, "two/low": 1.0, "two/high": 1.0}
    assert all(type(logged[name]) is float for name in ("one", "two/low", "two/high"))


def test_what_one_generation_has_and_the_next_has_not_chooses_no_checkpoint() -> None:
    run = Run()
    callback = MeasureOwn({"odd": lambda generation: {"a": 1.0} if generation.number % 2 else {}})
    assert "odd/a" in run.generation(callback)
    assert "odd/a" not in run.generation(callback)
    assert "odd/a" in run.generation(callback)


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"callbacks\.metrics: loss/total is logged by the program itself"):
        measured(loss=lambda _: {"total": 1.0})


@pytest.mark.parametrize("found", ["text", None, [1.0], {"a": "b"}, {"a": None}])
def test_what_is_no_number_is_refused(found: object) -> None:
    with pytest.raises(ConfigError, match=r"callbacks\.metrics\.mine must return a number, or numbers by name, not "):
        named(found, name="mine")
