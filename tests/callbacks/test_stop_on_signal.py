"""Signals: the first ends a run where it can go on from, the second at once; handlers are put back."""

from __future__ import annotations

import os
import signal
import types
from typing import Any, cast

import pytest

from c4.callbacks.stop_on_signal import InterruptedRun, StopOnSignal
from c4.selfplay.source import Glance

GLANCE = Glance(samples=1, wanted=2, counters={}, seconds=1.0)
ANYTHING = cast(Any, types.SimpleNamespace())


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def interrupts(said: list[str]) -> Any:
    before = [signal.getsignal(number) for number in StopOnSignal.SIGNALS]
    made = StopOnSignal(say=said.append)
    made.on_train_start(ANYTHING, ANYTHING)
    yield made
    made.remove()
    assert [signal.getsignal(number) for number in StopOnSignal.SIGNALS] == before


def test_without_a_signal_nothing_happens(interrupts: StopOnSignal) -> None:
    interrupts.on_train_epoch_start(ANYTHING, ANYTHING)
    assert not interrupts.watch(GLANCE)


@pytest.mark.parametrize("number", StopOnSignal.SIGNALS)
def test_playing_is_broken_off(number: signal.Signals, interrupts: StopOnSignal, said: list[str]) -> None:
    os.kill(os.getpid(), number)
    assert interrupts.received is number
    assert said == ["stopping"]
    with pytest.raises(InterruptedRun):
        interrupts.watch(GLANCE)


def test_training_is_finished_first(interrupts: StopOnSignal, said: list[str]) -> None:
    interrupts.on_train_batch_start(ANYTHING, ANYTHING, None, 0)
    os.kill(os.getpid(), signal.SIGINT)
    assert "this generation's training is finished and saved first" in said[0]
    interrupts.on_train_batch_start(ANYTHING, ANYTHING, None, 1)
    with pytest.raises(InterruptedRun):
        interrupts.on_train_epoch_start(ANYTHING, ANYTHING)


def test_the_second_signal_ends_at_once(interrupts: StopOnSignal) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(InterruptedRun):
        os.kill(os.getpid(), signal.SIGTERM)


def test_a_run_under_nohup_outlives_its_terminal() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        made = StopOnSignal(say=print)
        made.on_train_start(ANYTHING, ANYTHING)
        os.kill(os.getpid(), signal.SIGHUP)
        assert made.received is None
        made.remove()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_terminal_that_is_gone_does_not_end_the_run_otherwise() -> None:
    def gone(_: str) -> None:
        raise OSError(5, "Input/output error")

    made = StopOnSignal(say=gone)
    made.on_train_start(ANYTHING, ANYTHING)
    try:
        os.kill(os.getpid(), signal.SIGHUP)
        assert made.received is signal.SIGHUP
    finally:
        made.remove()
