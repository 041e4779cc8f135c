"""Processes that share a run speak to each other, and end together: with the first one's error, or another's."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from datetime import timedelta

import pytest
import torch
import torch.distributed as dist

from c4.others import PLACES, LostRankError, Others, check_launch
from c4.params.errors import ConfigError
from c4.ranks import Ranks

pytestmark = pytest.mark.slow

PATIENCE = timedelta(seconds=60)
"""Gloo waits half an hour by itself for somebody who does not come."""


class OddError(Exception):
    """Says more than it is given."""

    def __init__(self, what: str) -> None:
        super().__init__(f"odd: {what}")


def joined() -> Ranks:
    rank, count = int(os.environ["LOCAL_RANK"]), int(os.environ["WORLD_SIZE"])
    dist.init_process_group("gloo", rank=rank, world_size=count, timeout=PATIENCE)
    return Ranks.here()


def failing_in_the_second() -> None:
    if Ranks.here().rank == 1:
        raise OddError("two")


def speaking(_: object) -> list[object]:
    """What a rank hears of the others."""
    ranks = joined()
    own = torch.tensor([1.0, 2.0]) * (1 + ranks.rank), torch.tensor(10.0 * ranks.rank)
    ranks.average(own)
    heard: list[object] = [
        ranks.agreed(0.1 + ranks.rank), ranks.any(ranks.rank == 1), ranks.any(False), [part.tolist() for part in own],
        ranks.together(lambda: ranks.rank), ranks.from_first(lambda: {"rank": ranks.rank}),
        [ranks.part(5), ranks.part(1)],
    ]  # fmt: skip
    try:
        ranks.together(failing_in_the_second)
    except OddError as error:
        heard.append(str(error))
    return ranks.gathered(heard)


def raising(_: object) -> None:
    joined()
    raise OddError("in the second")


def dying(number: int) -> None:
    joined()
    os.kill(os.getpid(), number)


def waiting(_: object) -> None:
    joined().gathered(0)


def test_with_one_nothing_is_said() -> None:
    alone = Ranks.here()
    assert alone.is_alone
    assert alone.is_first
    assert alone.agreed(0.5) == 0.5
    assert alone.gathered("a") == ["a"]
    assert alone.together(lambda: 3) == [3]
    assert range(7)[alone.part(7)] == range(7)
    with Others(0).at_work(raising, None):
        assert "LOCAL_RANK" not in os.environ


def test_what_each_has_is_heard_by_all_and_the_first_decides() -> None:
    with Others(1).at_work(speaking, None):
        first, second = speaking(None)
    assert first == [
        0.1, True, False, [[1.5, 3.0], 5.0], [0, 1], {"rank": 0}, [slice(0, 2), slice(0, 0)], "odd: two",
    ]  # fmt: skip
    assert second == [*first[:6], [slice(2, 5), slice(0, 1)], first[7]]  # type: ignore[index]
    assert not dist.is_initialized()
    assert {*PLACES} & {*os.environ} == set()


@pytest.mark.parametrize(
    ("duty", "order", "error", "sentence"),
    [
        (raising, None, OddError, "^odd: in the second"),
        (dying, int(signal.SIGKILL), LostRankError, "process 2 of the 2 of this run ended by signal 9"),
    ],
)
def test_who_waits_for_another_hears_how_that_one_ended(
    duty: Callable[[object], None], order: object, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence), Others(1).at_work(duty, order):
        waiting(None)


def test_what_was_started_several_times_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    check_launch()
    monkeypatch.setenv("LOCAL_RANK", "0")
    with pytest.raises(ConfigError, match=r"starts the processes that share it itself, by trainer\.devices=2"):
        check_launch()


def test_where_they_meet_is_held_from_the_beginning_and_for_this_machine_alone() -> None:
    with Others(1).at_work(waiting, None):
        port = int(os.environ["MASTER_PORT"])
        socket.create_connection(("127.0.0.1", port)).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port))
        waiting(None)


def test_none_is_left_when_the_first_fails() -> None:
    others = Others(1)
    with pytest.raises(OddError), others.at_work(waiting, None):  # noqa: PT012
        (process, _) = others._members[0]
        number = process.pid
        raise OddError("in the first")
    assert number is not None
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
