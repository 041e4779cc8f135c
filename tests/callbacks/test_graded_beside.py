"""Gradings that a task makes beside training: whose row their figures stand in, who waits, and for what."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import pytest
from tests.callbacks.measuring import GRADING, PARAMS, Run, own_cache_and_clock, truth

from c4.callbacks.periodic_measurement import Beside, Late
from c4.distributed.tasks import LostError

__all__ = ["own_cache_and_clock"]  # for all tests here


class Cluster:
    """Grades as the learner would, but when a test says so."""

    def __init__(self) -> None:
        self.is_there, self.has_room, self.late = False, True, list[Late]()
        self.beside = Beside(graders=cast(Any, self), take=self.late.append)
        self.callback = truth(beside=self.beside, games=0)
        self.out = 0

    def give(self, job: dict[str, Any], *, weights: dict[str, int]) -> int:
        assert job == {"kind": "truth"}
        self.out += 1
        return weights["generation"]

    def answer(self, task: int, *, wait: bool) -> Any:
        if not self.has_room:
            raise LostError("there is no room")
        if not (wait or self.is_there):
            return None
        self.out -= 1
        return self.callback.judge(task)


def test_what_is_graded_beside_training_is_logged_with_the_generation_that_it_is_of() -> None:
    run, cluster = Run(), Cluster()
    run.start(cluster.callback)
    run.callback_metrics["loss"] = 0.25
    assert run.generation(cluster.callback) == run.generation(cluster.callback) == {}
    assert run.loggers[0].rows == []
    assert cluster.out == 1  # one at a time
    cluster.is_there = True
    run.callback_metrics["loss"] = 0.125
    assert run.generation(cluster.callback) == {}
    ((step, metrics),) = run.loggers[0].rows
    assert step == 1
    assert set(metrics) >= {"truth/value_preserving", "truth/value_preserving_4"}
    assert run.callback_metrics == {"loss": 0.125}  # it must not choose the third as the best
    assert cluster.late == [
        Late(generation=1, figures=metrics, weights={"generation": 1}, reached={"loss": 0.25})  # type: ignore[dict-item]
    ]
    assert cluster.out == 1  # the third's


def test_the_last_generation_waits_for_what_is_out_and_is_graded_by_the_learner() -> None:
    run, cluster = Run(), Cluster()
    run.start(cluster.callback)
    run.generation(cluster.callback)
    run.should_stop = True
    assert "truth/value_preserving" in run.generation(cluster.callback)
    assert [step for step, _ in run.loggers[0].rows] == [1]
    assert cluster.out == 0


def test_a_run_that_somebody_else_ends_waits_for_what_is_out() -> None:
    run, cluster = Run(), Cluster()
    run.start(cluster.callback)
    run.generation(cluster.callback)
    cluster.callback._params = dataclasses.replace(PARAMS, grading=dataclasses.replace(GRADING, at_end=False))
    run.end(cluster.callback)
    assert [step for step, _ in run.loggers[0].rows] == [1]


def test_where_nobody_grades_beside_training_the_learner_does(caplog: pytest.LogCaptureFixture) -> None:
    run, cluster = Run(), Cluster()
    run.start(cluster.callback)
    run.generation(cluster.callback)
    cluster.has_room = False
    for _ in range(2):
        assert "truth/value_preserving" in run.generation(cluster.callback)
    assert caplog.messages == ["generation 1 is not graded, and the learner grades from now on: there is no room"]
