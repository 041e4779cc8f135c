"""Perfect play in a process of its own: called off, late, lost. A stopped process is one that thinks for ever."""

from __future__ import annotations

import contextlib
import math
import os
import signal
from collections.abc import Iterator

import pytest

from c4.players.oracle import NoOracleError, oracle
from c4.ui.truth import NobodyWaitsError, Truth, TruthOf

GAME = "connect4_4x4"
FIRST, SECOND = [0, 0, 0, 0], [1, 1, 1, 1]


@pytest.fixture
def truth() -> Iterator[Truth]:
    """Its process has answered before."""
    with contextlib.closing(Truth(seconds=math.inf)) as one:
        assert one.scores(GAME, [1, 1, 1]) == oracle(GAME).scores([1, 1, 1])
        yield one


def pid(truth: Truth) -> int:
    assert truth._process is not None
    assert truth._process.pid is not None
    return truth._process.pid


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_question_can_be_called_off_and_the_next_gets_its_own_answer(truth: Truth, goes_on: bool) -> None:
    before = pid(truth)
    os.kill(before, signal.SIGSTOP)
    with pytest.raises(NobodyWaitsError), truth.until(lambda: True):
        truth.scores(GAME, FIRST)
    if goes_on:
        os.kill(before, signal.SIGCONT)  # the answer to the first question is on its way
    assert truth.scores(GAME, SECOND) == oracle(GAME).scores(SECOND) != oracle(GAME).scores(FIRST)
    assert goes_on or pid(truth) != before


def test_a_process_that_ended_is_told_and_replaced(truth: Truth) -> None:
    os.kill(pid(truth), signal.SIGSTOP)

    def killed() -> bool:
        os.kill(pid(truth), signal.SIGKILL)
        return False

    with pytest.raises(NoOracleError, match="the solver has ended"), truth.until(killed):
        truth.scores(GAME, FIRST)
    assert truth.scores(GAME, FIRST) == oracle(GAME).scores(FIRST)


def test_what_takes_too_long_is_told(truth: Truth) -> None:
    os.kill(pid(truth), signal.SIGSTOP)
    truth._seconds = 0.1
    with pytest.raises(NoOracleError, match="not known within 0.1 s"):
        truth.scores(GAME, FIRST)


def test_what_would_take_long_is_not_asked_where_it_has_to_be_quick(truth: Truth) -> None:
    quick = TruthOf(truth, game="connect4_5x5", quick=True)
    with pytest.raises(NoOracleError, match="25 cells are empty: perfect play is known from 16 on"):
        quick.scores([])
    assert quick.value([0, 0, 1, 1, 2, 2, 3]) == -1
