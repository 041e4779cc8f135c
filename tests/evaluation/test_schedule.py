"""A share of the time, by a clock of its own."""

from __future__ import annotations

from c4.evaluation.schedule import TimeShare


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_was_spent_never_exceeds_the_share_by_more_than_one_turn() -> None:
    clock, spent, turns = Clock(), 0.0, 0
    share = TimeShare(0.1, clock=clock)
    for _ in range(1000):
        clock.now += 1.0
        if share.is_paid():
            with share.paying():
                clock.now += 3.0
            spent, turns = spent + 3.0, turns + 1
            if turns > 1:
                assert spent <= 0.1 * clock.now + 0.3
    assert turns > 30  # and what is allowed is used


def test_the_first_is_free_and_none_follows_without_time() -> None:
    clock = Clock()
    share = TimeShare(0.0, clock=clock)
    assert share.is_paid()
    with share.paying():
        clock.now += 1.0
    clock.now += 1000.0
    assert not share.is_paid()


def test_a_failure_is_paid_for_too() -> None:
    clock = Clock()
    share = TimeShare(0.5, clock=clock)
    try:
        with share.paying():
            clock.now += 4.0
            raise ValueError
    except ValueError:
        pass
    assert not share.is_paid()
    clock.now += 12.0
    assert share.is_paid()
