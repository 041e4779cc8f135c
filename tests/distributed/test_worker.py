"""What an actor does, without Ray: the same for the same question, however often it is asked."""

from __future__ import annotations

import dataclasses
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.distributed.kit import contract, weights
from tests.selfplay.kit import GAME

from c4.distributed.wire import pack_weights, unpack
from c4.distributed.worker import Contract, Orders, Worker, about_here
from c4.games import game_spec
from c4.network.network import make_network
from c4.params.target import ASKED, Target


def worker() -> Worker:
    return Worker(contract().plain(), threads=1)


def orders(version: int = 0, *, seed: int = 0) -> Orders:
    return Orders(game=GAME, version=version, weights=pack_weights(weights(seed)), openings=[])


def test_a_contract_crosses_as_plain_values() -> None:
    assert Contract.of(contract().plain()) == contract()


def test_a_chunk_is_the_same_whoever_plays_it_and_again() -> None:
    one, other = worker(), worker()
    first = one.chunk(10, 12, orders())
    other.chunk(0, 5, orders(-1, seed=1))  # other weights before
    again = other.chunk(10, 12, orders())
    assert content(again) == content(first)
    assert content(one.chunk(10, 12, orders(1, seed=1))) != content(first)
    assert one.chunk(10, 12, orders()) == b""  # older than what it was given


def test_chunks_that_are_asked_for_at_once_are_the_same_as_one_after_another() -> None:
    one, other = worker(), worker()
    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(one.chunk, 7 * number, 7, orders()) for number in range(6)]
        together = [content(each.result()) for each in asked]
    assert together == [content(other.chunk(7 * number, 7, orders())) for number in range(6)]


def test_weights_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match=f"these weights are of tictactoe, and this actor plays {GAME}"):
        worker().chunk(0, 1, dataclasses.replace(orders(), game="tictactoe"))
    with pytest.raises(ValueError, match="these weights are of tictactoe"):
        worker().flow(0, 1, dataclasses.replace(orders(), game="tictactoe"))


def test_it_says_when_the_games_of_a_chunk_have_begun() -> None:
    one = worker()
    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(one.chunk, 30 * number, 30, orders()) for number in range(3)]
        room = [threads.submit(one.begun, 30 * number, 30, orders()) for number in range(3)]
        assert [one.result() for one in room] == [None] * 3
        assert all(unpack(each.result(), game=GAME).games for each in asked)
        waits = threads.submit(one.begun, 500, 10, orders())  # nobody has asked for these
        assert one.chunk(90, 2, orders(1))
        waits.result()  # newer weights have come: nobody waits for it
        one.begun(0, 30, orders())


def content(frame: bytes) -> tuple[Any, ...]:
    """All but how much of the searching was counted for it, which is shared with what was played beside."""
    played = unpack(frame, game=GAME)
    return played.chunk, played.games, played.samples.tobytes(), played.counters["samples"]


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


def test_an_actor_makes_a_network_that_the_driver_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Target("tests.network.foreign.Mlp")
    monkeypatch.setenv(ASKED, own.path)
    plain = dataclasses.replace(contract(), network=own).plain()
    own_weights = pack_weights(make_network(game_spec(GAME), own).state_dict())
    monkeypatch.setenv(ASKED, "")  # on a machine where nobody has typed anything
    orders = Orders(game=GAME, version=0, weights=own_weights, openings=[])
    assert unpack(Worker(plain, threads=1).chunk(0, 2, orders), game=GAME).games
