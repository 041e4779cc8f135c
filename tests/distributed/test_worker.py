"""What an actor does, without Ray: the same for the same question, however often it is asked."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.distributed.kit import contract, weights
from tests.selfplay.kit import GAME

from c4.distributed.wire import pack_weights, unpack
from c4.distributed.worker import Contract, Orders, Worker, about_here


def worker() -> Worker:
    return Worker(contract().plain(), threads=1)


def orders(version: int = 0, *, seed: int = 0) -> Orders:
    return Orders(version=version, weights=pack_weights(weights(seed), halved=False), openings=[])


def test_a_contract_crosses_as_plain_values() -> None:
    assert Contract.of(contract().plain()) == contract()


def test_a_chunk_is_the_same_whoever_plays_it_and_again() -> None:
    one, other = worker(), worker()
    first = one.chunk(10, 12, orders())
    other.chunk(0, 5, orders(3, seed=1))  # other weights before
    assert other.chunk(10, 12, orders()) == first
    assert one.chunk(10, 12, orders(1, seed=1)) != first


def test_flowing_games_go_on_from_call_to_call_and_count_once() -> None:
    one = worker()
    brought = [unpack(one.flow(2, 10, orders(version)), game=GAME) for version in (0, 0, 1)]
    numbers = [game["game_id"] for part in brought for game in part.games]
    assert len(numbers) >= 30
    assert not [number for number, times in Counter(numbers).items() if times > 1]
    assert all(number >> 32 == 2 for number in numbers)  # of this member
    assert sum(len(part.games) for part in brought) == sum(part.counters["games"] for part in brought)
    last = brought[-1].samples["weights_version"]
    assert 1 in last
    assert set(brought[0].samples["weights_version"]) == {0}


def test_who_it_is_tells_the_code_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker().hello() == about_here()
    assert {"c4", "python", "host", "pid"} <= about_here().keys()
