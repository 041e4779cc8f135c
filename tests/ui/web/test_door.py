"""Who is let in, who has to go, and when: against a clock that the test turns."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, cast

import pytest

from c4.ui.web.connections import Seldom
from c4.ui.web.door import Door, Refusal, Seats, owner_of

PATIENCE = 10.0


class Transport:
    def __init__(self, host: str) -> None:
        self.host, self.aborted, self.closing = host, False, False

    def get_extra_info(self, name: str) -> Any:
        return (self.host, 1234) if name == "peername" else None

    def is_closing(self) -> bool:
        return self.closing

    def abort(self) -> None:
        self.aborted = True


class House:
    """A door, its clock, and who came."""

    def __init__(self, *, most: int = 100, each: int = 100) -> None:
        self.now = 0.0
        self.seats = Seats(most=most, each=each)
        self.door = Door(seats=self.seats, patience=PATIENCE, clock=lambda: self.now)

    def comes(self, host: str = "10.0.0.1", *, asks: bool = True) -> asyncio.Transport:
        """Let in, with his first request."""
        one = cast("asyncio.Transport", Transport(host))
        assert self.door.enter(one) is None
        if asks:
            self.door.asks(one, whole=True)
        return one

    def refuses(self, host: str) -> Refusal | None:
        return self.door.enter(cast("asyncio.Transport", Transport(host)))

    def after(self, seconds: float) -> None:
        self.now += seconds
        self.door.sweep()


def aborted(one: asyncio.Transport) -> bool:
    return cast("Transport", one).aborted


def test_a_request_that_does_not_get_whole_ends_its_connection_however_much_of_it_comes() -> None:
    house = House()
    one, done = house.comes(asks=False), house.comes()
    for _ in range(3):
        house.after(PATIENCE / 3)
        house.door.asks(one, whole=False)  # another byte
    assert not aborted(one)
    house.after(0.1)
    assert aborted(one)
    assert not aborted(done)
    house.door.asks(done, whole=False)  # its second request
    house.after(PATIENCE + 0.1)
    assert aborted(done)


def test_who_takes_nothing_is_dropped_and_who_takes_it_in_time_is_not() -> None:
    house = House()
    never, late = house.comes(), house.comes()
    for one in (never, late):
        house.door.takes(one, enough=False)
    house.after(PATIENCE - 0.1)
    house.door.takes(late, enough=True)
    house.after(0.2)
    assert (aborted(never), aborted(late)) == (True, False)


def test_a_connection_that_is_closed_and_stays_is_dropped() -> None:
    house = House()
    one = house.comes()
    cast("Transport", one).closing = True
    house.after(0.1)
    house.after(PATIENCE + 0.1)
    assert aborted(one)


def test_who_has_asked_for_nothing_makes_room_the_first_first() -> None:
    house = House(most=3)
    asked, first, second = house.comes(), house.comes(asks=False), house.comes("10.0.0.2", asks=False)
    third = house.comes("10.0.0.3")
    assert [aborted(one) for one in (asked, first, second, third)] == [False, True, False, False]
    house.comes("10.0.0.4")
    assert aborted(second)
    assert house.refuses("10.0.0.5") is Refusal.FULL  # all that are left have asked
    house.door.leave(first)  # as its end is told late
    assert house.seats.taken == 3


def test_an_address_has_its_share_and_takes_no_room_from_others() -> None:
    house = House(each=2)
    silent, mine, other = house.comes(asks=False), house.comes(), house.comes("10.0.0.2", asks=False)
    house.comes()
    assert (aborted(silent), aborted(mine), aborted(other)) == (True, False, False)
    assert house.refuses("10.0.0.1") is Refusal.ADDRESS
    house.door.leave(mine)
    assert house.refuses("10.0.0.1") is None


@pytest.mark.parametrize(
    ("host", "owner"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("", ""),
        ("somebody", "somebody"),
    ],
)
def test_an_address_stands_for_all_that_its_owner_has(host: str, owner: str) -> None:
    assert owner_of(host) == owner


def test_a_sentence_that_strangers_can_repeat_makes_no_long_log(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("c4.test.seldom")
    log.addFilter(Seldom())
    for number in range(1000):
        log.warning("bad request of %s", number)
    log.warning("another one")
    assert [record.getMessage() for record in caplog.records] == [
        *(f"bad request of {number}" for number in range(4)),
        *(f"bad request of {count - 1} ({count} times)" for count in (8, 16, 32, 64, 128, 256, 512)),
        "another one",
    ]
