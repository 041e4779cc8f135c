"""Actors that come and go: as many as are wanted are kept begun, work is given to those that live, losses are told.

What was lost with an actor is the caller's to give again. Knows neither chunks nor samples.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from c4.distributed.cluster import ClusterError, check_code, is_full, ray_module, wants
from c4.params.source import SourceParams

log = logging.getLogger(__name__)

Job = TypeVar("Job")
MOST_DEATHS = 8  # one after another in each seat, with nothing brought between them by anybody
SAID_AFTER = 5.0  # seconds without room for an actor


@dataclasses.dataclass(eq=False)
class Member(Generic[Job]):
    """An actor, from when it is asked for until it is lost."""

    number: int  # of all in this run, none twice
    seat: int  # from 0 to as many as are wanted; whoever follows a lost one has the same
    handle: Any
    hello: Any  # a reference to its first answer; None once it was heard
    about: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # what it said of itself
    jobs: dict[Any, Job] = dataclasses.field(default_factory=dict)  # by what they will bring
    ahead: dict[Any, Any] = dataclasses.field(default_factory=dict)  # by what says so: jobs that are not begun

    @property
    def alive(self) -> bool:
        return self.hello is None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Done(Generic[Job]):
    job: Job
    answer: bytes | None  # None: lost with its actor


@dataclasses.dataclass(frozen=True, kw_only=True)
class Asked:
    """References to what an actor will bring, and to its word that there is room for another; they may be the same."""

    answer: Any
    begun: Any


class Actors(Generic[Job]):
    def __init__(
        self,
        make: Callable[[int], Any],
        *,
        params: SourceParams,
        here: Mapping[str, Any],
        disconnect: Callable[[], None],
        first: int = 0,
    ) -> None:
        """`make` begins the one of a seat. `here` is what each of them must say of itself too: `c4` and `python`.
        `first`: number of the first.
        """
        self._make, self._params, self._here, self._disconnect = make, params, here, disconnect
        self._ray = ray_module()
        self._members: list[Member[Job]] = []
        self.next_number, self.lost = first, 0
        self._deaths = 0
        self._poor_since, self._said = time.monotonic(), False

    @property
    def alive(self) -> Sequence[Member[Job]]:
        return [one for one in self._members if one.alive]

    @property
    def busy(self) -> bool:
        """Whether somebody has yet to say something."""
        return bool(self._asked)

    @property
    def jobs_out(self) -> int:
        return sum(len(one.jobs) for one in self._members)

    def has(self, job: Job) -> bool:
        """Whether somebody is at it."""
        return any(job in one.jobs.values() for one in self._members)

    def keep(self) -> None:
        """Asks for those that are missing. Raises ClusterError when there have been too few for too long."""
        taken = {one.seat for one in self._members}
        for seat in range(self._params.actors or 1):
            if seat not in taken:
                handle = self._make(seat)
                new = Member[Job](number=self.next_number, seat=seat, handle=handle, hello=handle.hello.remote())
                self._members.append(new)
                self.next_number += 1
        waited = time.monotonic() - self._poor_since
        if len(self.alive) >= self._params.least_actors:
            self._poor_since, self._said = time.monotonic(), False
        elif waited > self._params.patience:
            raise ClusterError(self._too_few())
        elif waited > SAID_AFTER and not self._said and is_full(self._params):
            self._said = True
            log.warning(
                "ray: %d of %d actors are there, and there is no room for another: %s; it is waited for, %g seconds "
                "in all", len(self.alive), self._params.actors or 1, wants(self._params), self._params.patience,
            )  # fmt: skip

    def give(self, job: Job, *, ask: Callable[[Member[Job]], Asked], idle: bool = False) -> bool:
        """To the one with the least to do; `idle`: only to one that has nothing to do at all. False when all have as
        much as they may be given ahead.
        """
        free = [one for one in self.alive if len(one.ahead) < self._params.chunks_ahead]
        if idle:
            free = [one for one in free if not one.jobs]
        if not free:
            return False
        member = min(free, key=lambda one: (len(one.ahead), len(one.jobs), one.number))
        asked = ask(member)
        member.jobs[asked.answer] = job
        member.ahead[asked.begun] = asked.answer
        return True

    def wait(self, seconds: float) -> list[Done[Job]]:
        """What has come to an end since, or soon does. At once where nobody is busy."""
        asked = self._asked
        if not asked:
            return []
        ready, _ = self._ray.wait(list(asked), num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self._ray.wait(list(asked), num_returns=len(asked), timeout=0)
        done: list[Done[Job]] = []
        for reference in ready:
            done += self._heard(asked[reference], reference)
        return done

    def forget(self) -> list[Job]:
        """All jobs that are out; what they bring is of no use any more."""
        jobs = [job for one in self._members for job in one.jobs.values()]
        for one in self._members:
            for reference in {*one.jobs, *one.ahead}:
                self._ray.cancel(reference, force=False)
            one.jobs.clear()
            one.ahead.clear()
        return jobs

    def end(self) -> None:
        for one in self._members:
            self._ray.kill(one.handle)
        self._members.clear()
        self._disconnect()

    @property
    def _asked(self) -> dict[Any, Member[Job]]:
        asked = {one.hello: one for one in self._members if one.hello is not None}
        return asked | {reference: one for one in self._members for reference in (*one.jobs, *one.ahead)}

    def _heard(self, member: Member[Job], reference: Any) -> list[Done[Job]]:
        if member not in self._members:
            return []  # found dead in the same round
        errors = self._ray.exceptions
        try:
            answer = self._ray.get(reference)
        except errors.RayTaskError as error:
            raise ClusterError(f"an actor failed: {last_line(error)}") from error
        except errors.RayError as error:  # the actor, its node or what it sent is gone
            return self._bury(member, error)
        if reference == member.hello:  # a client's connection makes references anew
            check_code(answer, here=self._here)
            member.hello, member.about = None, answer
            log.info("ray: actor %d plays on %s", member.number, answer["host"])
            return []
        member.ahead.pop(reference, None)
        if reference not in member.jobs:
            return []
        self._deaths = 0
        member.ahead = {begun: whole for begun, whole in member.ahead.items() if whole != reference}
        return [Done(job=member.jobs.pop(reference), answer=answer)]

    def _bury(self, member: Member[Job], error: Exception) -> list[Done[Job]]:
        self._members.remove(member)
        self.lost += 1
        self._deaths += 1
        log.warning("ray: actor %d is gone, another is begun (%s)", member.number, type(error).__name__)
        if self._deaths > MOST_DEATHS * (self._params.actors or 1):
            raise ClusterError(f"{self._deaths} actors died one after another and brought nothing: {last_line(error)}")
        return [Done(job=job, answer=None) for job in member.jobs.values()]

    def _too_few(self) -> str:
        params = self._params
        return (
            f"{len(self.alive)} of {params.actors} actors are there after {params.patience:g} seconds, at least "
            f"{params.least_actors} must be: {wants(params)}; lower selfplay.actor_cpus or selfplay.least_actors, or "
            "add machines"
        )


def last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
