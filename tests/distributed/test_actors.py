"""Who is given what, and when more, with actors that only say what they are told to."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Collection, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from tests.distributed.kit import source_params

from c4.distributed import actors as actors_room
from c4.distributed.actors import MOST_DEATHS, Actors, Asked, Done, Member
from c4.distributed.cluster import ClusterError

pytest.importorskip("ray")
HERE = {"c4": "1", "python": "3"}


class Word:
    """A reference to what somebody will say."""

    answer: Any = None
    is_said = False

    def say(self, answer: Any = None) -> None:
        self.answer, self.is_said = answer, True


class GoneError(Exception):
    """A word that will never be said."""


class Wire:
    """The part of Ray that is asked."""

    exceptions = SimpleNamespace(RayTaskError=KeyError, RayError=GoneError)

    def __init__(self) -> None:
        self.cancelled: list[Any] = []

    def wait(self, words: Sequence[Word], *, num_returns: int, timeout: float) -> tuple[list[Word], list[Word]]:
        assert len(set(words)) == len(words) >= num_returns
        return [word for word in words if word.is_said], []

    def get(self, word: Word) -> Any:
        if isinstance(word.answer, Exception):
            raise word.answer
        return word.answer

    def cancel(self, word: Word, *, force: bool) -> None:
        assert not force
        self.cancelled.append(word)


def some(count: int, *, ahead: int) -> tuple[Actors[str], Wire, list[Word]]:
    """And their first words, which they have said."""
    hellos: list[Word] = []

    def make(_: int) -> Any:
        hellos.append(Word())
        word = hellos[-1]
        return SimpleNamespace(hello=SimpleNamespace(remote=lambda: word))

    params = source_params(f"selfplay.actors={count}", f"selfplay.chunks_ahead={ahead}")
    actors: Actors[str] = Actors(make, params=params, here=HERE, disconnect=lambda: None)
    actors._ray = wire = Wire()
    actors.keep()
    for hello in hellos:
        hello.say({**HERE, "host": "here"})
    assert actors.wait(0.0) == []
    return actors, wire, hellos


class Asking:
    def __init__(self) -> None:
        self.asked: dict[str, tuple[int, Word, Word]] = {}

    def give(self, actors: Actors[str], jobs: Collection[str], *, idle: bool = False) -> list[str]:
        """Those that found somebody."""
        return [job for job in jobs if actors.give(job, ask=lambda member, job=job: self._ask(member, job), idle=idle)]

    def _ask(self, member: Member[str], job: str) -> Asked:
        answer, begun = Word(), Word()
        self.asked[job] = member.number, answer, begun
        return Asked(answer=answer, begun=begun)


def test_who_has_begun_what_he_has_is_given_more() -> None:
    actors, _, _ = some(2, ahead=1)
    asking = Asking()
    assert asking.give(actors, "abc") == ["a", "b"]
    assert asking.asked["a"][0] != asking.asked["b"][0]
    assert actors.wait(0.0) == []
    asking.asked["b"][2].say()
    assert actors.wait(0.0) == []
    assert asking.give(actors, "cd") == ["c"]
    assert asking.asked["c"][0] == asking.asked["b"][0]
    asking.asked["a"][1].say(b"brought")  # without a word that it had begun
    assert actors.wait(0.0) == [Done(job="a", answer=b"brought")]
    assert asking.give(actors, "de") == ["d"]
    assert asking.asked["d"][0] == asking.asked["a"][0]
    asking.asked["a"][2].say()
    assert actors.wait(0.0) == []
    assert asking.give(actors, "e") == []


def test_what_an_actor_had_is_given_to_others_when_it_is_gone() -> None:
    actors, wire, _ = some(1, ahead=2)
    asking = Asking()
    assert asking.give(actors, "abc") == ["a", "b"]
    asking.asked["a"][2].say()
    assert actors.wait(0.0) == []
    assert asking.give(actors, "c") == ["c"]
    for word in (asking.asked["a"][1], asking.asked["b"][2]):
        word.say(GoneError())
    assert [(one.job, one.answer) for one in actors.wait(0.0)] == [("a", None), ("b", None), ("c", None)]
    assert (actors.lost, actors.alive) == (1, [])
    assert asking.give(actors, "a") == []
    assert not wire.cancelled


def test_a_second_time_only_those_are_asked_that_have_nothing_to_do() -> None:
    actors, _, _ = some(2, ahead=2)
    asking = Asking()
    assert asking.give(actors, "ab") == ["a", "b"]
    assert asking.give(actors, "a", idle=True) == []
    asking.asked["b"][1].say(b"brought")
    assert actors.wait(0.0) == [Done(job="b", answer=b"brought")]
    assert asking.give(actors, "a", idle=True) == ["a"]
    assert asking.asked["a"][0] == asking.asked["b"][0]


def test_what_was_brought_is_held_by_nobody_here() -> None:
    """Or the object store would hold it, too."""
    actors, _, _ = some(1, ahead=1)
    asking = Asking()
    asking.give(actors, "a")
    _, answer, begun = asking.asked.pop("a")
    begun.say()
    answer.say(b"brought")
    held = [weakref.ref(answer), weakref.ref(begun)]
    del answer, begun
    assert actors.wait(0.0) == [Done(job="a", answer=b"brought")]
    gc.collect()
    assert [word() for word in held] == [None, None]
    assert actors.jobs_out == 0


def test_who_follows_a_lost_one_has_its_seat() -> None:
    """So that as many have a GPU as before."""
    actors, _, hellos = some(3, ahead=1)
    lost = actors.alive[1]
    asking = Asking()
    asking.give(actors, "abc")
    next(word for number, word, _ in asking.asked.values() if number == lost.number).say(GoneError())
    actors.wait(0.0)
    actors.keep()
    hellos[-1].say({**HERE, "host": "here"})
    actors.wait(0.0)
    assert [(one.number, one.seat) for one in actors.alive] == [(0, 0), (2, 2), (3, 1)]


def test_no_room_is_said_long_before_it_is_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock, full = [0.0], [False]
    monkeypatch.setattr(actors_room, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(actors_room, "is_full", lambda _: full[0])
    monkeypatch.setattr(actors_room, "wants", lambda _: "each wants 1 CPU")
    word = Word()
    never = SimpleNamespace(hello=SimpleNamespace(remote=lambda: word))
    params = source_params("selfplay.actors=2", "selfplay.patience=60")
    actors: Actors[str] = Actors(lambda _: never, params=params, here=HERE, disconnect=lambda: None)
    for clock[0], full[0] in ((4.0, True), (6.0, False), (7.0, True), (8.0, True), (59.0, True)):
        actors.keep()
    (said,) = caplog.messages
    assert said.startswith("ray: 0 of 2 actors are there, and there is no room for another: each wants 1 CPU; it is ")
    clock[0] = 61.0
    with pytest.raises(ClusterError, match="0 of 2 actors are there after 60 seconds"):
        actors.keep()


def test_what_nobody_wants_any_more_is_cancelled() -> None:
    actors, wire, _ = some(1, ahead=2)
    asking = Asking()
    asking.give(actors, "ab")
    assert sorted(actors.forget()) == ["a", "b"]
    assert set(wire.cancelled) == {word for _, *words in asking.asked.values() for word in words}
    assert asking.give(actors, "cde") == ["c", "d"]


def test_actors_that_die_again_and_again_are_an_error_and_a_node_that_takes_many_with_it_is_none() -> None:
    actors, _, hellos = some(3, ahead=1)

    def all_die() -> None:
        asking = Asking()
        assert asking.give(actors, "abc") == ["a", "b", "c"]
        for _, answer, _ in asking.asked.values():
            answer.say(GoneError("no such instruction"))
        assert [one.answer for one in actors.wait(0.0)] == [None] * 3
        actors.keep()
        for hello in hellos[-3:]:
            hello.say({**HERE, "host": "here"})
        assert actors.wait(0.0) == []

    for _ in range(2):
        for _ in range(MOST_DEATHS):
            all_die()
        asking = Asking()
        asking.give(actors, "a")
        asking.asked["a"][1].say(b"brought")
        assert actors.wait(0.0) == [Done(job="a", answer=b"brought")]
    for _ in range(MOST_DEATHS):
        all_die()
    with pytest.raises(
        ClusterError, match=r"25 actors died one after another and brought nothing: no such instruction"
    ):
        all_die()
