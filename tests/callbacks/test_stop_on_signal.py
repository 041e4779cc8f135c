"""Signals: the first ends a run where it can go on from, the second at once; handlers are put back."""

from __future__ import annotations

import logging
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
def interrupts(caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.INFO)
    hung_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whatever started the tests
    before = [signal.getsignal(number) for number in StopOnSignal.SIGNALS]
    made = StopOnSignal(tell=lambda _: None)
    made.on_train_start(ANYTHING, ANYTHING)
    yield made
    made.remove()
    assert [signal.getsignal(number) for number in StopOnSignal.SIGNALS] == before
    signal.signal(signal.SIGHUP, hung_up)


def test_without_a_signal_nothing_happens(interrupts: StopOnSignal) -> None:
    interrupts.on_train_epoch_start(ANYTHING, ANYTHING)
    assert not interrupts.watch(GLANCE)


@pytest.mark.parametrize("number", StopOnSignal.SIGNALS)
def test_playing_is_broken_off(
    number: signal.Signals, interrupts: StopOnSignal, caplog: pytest.LogCaptureFixture
) -> None:
    os.kill(os.getpid(), number)
    assert interrupts.received is number
    assert caplog.messages == ["stopping"]
    with pytest.raises(InterruptedRun):
        interrupts.watch(GLANCE)


def test_training_is_finished_first(interrupts: StopOnSignal, caplog: pytest.LogCaptureFixture) -> None:
    interrupts.on_train_batch_start(ANYTHING, ANYTHING, None, 0)
    os.kill(os.getpid(), signal.SIGINT)
    assert "this generation's training will be finished and saved first" in caplog.messages[0]
    interrupts.on_train_batch_start(ANYTHING, ANYTHING, None, 1)
    with pytest.raises(InterruptedRun):
        interrupts.on_train_epoch_start(ANYTHING, ANYTHING)


def test_the_second_signal_ends_at_once(interrupts: StopOnSignal) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(InterruptedRun):
        os.kill(os.getpid(), signal.SIGTERM)


def test_a_run_that_no_hang_up_is_to_end_goes_on() -> None:
    """As nohup starts it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    made = StopOnSignal(tell=lambda _: None)
    try:
        made.on_train_start(ANYTHING, ANYTHING)
        os.kill(os.getpid(), signal.SIGHUP)
        assert not made.watch(GLANCE)
    finally:
        made.remove()
        assert signal.signal(signal.SIGHUP, before) is signal.SIG_IGN
