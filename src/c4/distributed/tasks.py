"""Independent jobs as tasks of Ray: what one brings is decided by what it is given, so it may be done anywhere, again.

Ray begins a lost task anew by itself, RETRIES times. Knows neither games nor gradings: what is done is a function of
whoever asks, and jobs and what they bring are plain values.
"""

from __future__ import annotations

import dataclasses
import json
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import torch

from c4.distributed.actors import last_line
from c4.distributed.cluster import ClusterError, check_code, connect, ray_module, wants
from c4.distributed.worker import about_here
from c4.params.cluster import ClusterParams

RETRIES = 3
LOOK = 0.2  # seconds between two looks at how far it is

Do = Callable[[Any], Any]
"""Does a job: takes plain values, and gives what JSON can hold."""

Make = Callable[[Any, int | None], Do]
"""Makes what does the jobs, once in a process: of a contract, and how many passes at once its engines may have (None:
as they like). A function of a module, which Ray sends by its name."""


class LostError(ClusterError):
    """A job that nobody will do: those who did it died, or there is no room for it."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Errand:
    """What all jobs have in common; through the object store, once."""

    key: str  # tells one from another
    here: Mapping[str, Any]  # what this process says of itself
    make: Make
    contract: Any
    threads: int | None


class Task:
    """A job that was given out: it says that it has begun, and what it brings."""

    def __init__(self, said: Any) -> None:
        """`said`: references to the one and the other, each when it is there."""
        self.since = time.monotonic()
        self.has_begun = self.is_over = False
        self._said = said
        self._answer = b""
        self._error: ClusterError | None = None

    @property
    def said(self) -> Any:
        """To be waited for, and cancelled."""
        return self._said

    def hear(self) -> None:
        """What is there by now."""
        errors = ray_module().exceptions
        try:
            self._answer = ray_module().get(next(self._said))
            self.is_over, self.has_begun = self.has_begun, True
        except errors.RayTaskError as error:
            cause = error.cause
            self._fail(cause if isinstance(cause, ClusterError) else ClusterError(f"a task failed: {last_line(error)}"))
        except errors.RayError as error:
            self._fail(LostError(f"a task of Ray's died {RETRIES + 1} times: {last_line(error)}"))

    def answer(self) -> Any:
        """Once it is over. Raises ClusterError where it failed, LostError where it was lost."""
        if self._error is not None:
            raise self._error
        return json.loads(self._answer)

    def _fail(self, error: ClusterError) -> None:
        self.is_over, self._error = True, error


class Tasks:
    """Connects when the first job is given. `most` at once."""

    def __init__(self, make: Make, contract: Any, *, params: ClusterParams, most: int) -> None:
        self._make, self._contract, self._params, self._most = make, contract, params, most
        self._disconnect: Callable[[], None] | None = None
        self._errand: Any = None
        self._heard = 0.0  # when anything was heard last

    def begin(self, job: Any) -> Task:
        if self._disconnect is None:
            self._connect()
        params = self._params
        about = {"num_cpus": params.actor_cpus, "num_gpus": params.actor_gpus, "max_retries": RETRIES}
        remote = ray_module().remote(num_returns="streaming", **about)(perform)
        return Task(remote.remote(self._errand, job))

    def each(self, jobs: Sequence[Any], *, on_look: Callable[[int, int], None]) -> Iterator[Any]:
        """What they bring, in their order. `on_look` is told how many are over and how many are out, now and then.

        Whoever stops asking wants no more: what is out is cancelled.
        """
        todo, out, taken = deque(jobs), deque[Task](), 0
        try:
            while todo or out:
                while todo and sum(not one.is_over for one in out) < self._most:
                    out.append(self.begin(todo.popleft()))
                if out[0].is_over:
                    yield out.popleft().answer()
                    taken += 1
                    continue
                self.look(out, seconds=LOOK)
                over = sum(one.is_over for one in out)
                on_look(taken + over, len(out) - over)
        finally:
            for one in out:
                self.cancel(one)

    def look(self, tasks: Iterable[Task], *, seconds: float) -> None:
        """Hears what is there, after that time at most. Raises LostError where nobody does any of them for too long."""
        ray, out = ray_module(), {one.said: one for one in tasks if not one.is_over}
        ready, _ = ray.wait(list(out), num_returns=1, timeout=seconds)
        if not ready:
            self._check_room([*out.values()])
        while ready:
            self._heard = time.monotonic()
            for said in ready:
                out[said].hear()
            left = [said for said, one in out.items() if not one.is_over]
            ready = ray.wait(left, num_returns=len(left), timeout=0)[0] if left else []

    def cancel(self, task: Task) -> None:
        if not task.is_over:
            ray_module().cancel(task.said, force=False)

    def close(self) -> None:
        if self._disconnect is not None:
            self._disconnect()
        self._disconnect = None

    def _connect(self) -> None:
        params = self._params
        self._disconnect = connect(params, processes=self._most)
        errand = Errand(
            key=uuid.uuid4().hex,
            here=about_here(),
            make=self._make,
            contract=self._contract,
            threads=None if params.actor_gpus else max(1, int(params.actor_cpus)),
        )
        self._errand = ray_module().put(errand)

    def _check_room(self, out: Sequence[Task]) -> None:
        params, since = self._params, max(self._heard, *(one.since for one in out))
        if time.monotonic() - since <= params.patience:
            return
        nodes = [node["Resources"] for node in ray_module().nodes() if node["Alive"]]
        needed = {"CPU": params.actor_cpus, "GPU": params.actor_gpus}
        has_room = any(all(node.get(name, 0) >= amount for name, amount in needed.items()) for node in nodes)
        if not has_room or not any(one.has_begun for one in out):  # Ray itself would wait for ever
            raise LostError(
                f"nobody does what was given out {params.patience:g} seconds ago: {wants(params)}; take fewer actors, "
                f"or a lower {params.group}.actor_cpus, or add machines"
            )


_MADE: dict[str, Do] = {}


def perform(errand: Errand, job: Any) -> Iterator[bytes]:
    """What a process of the cluster does. What does the jobs stays for the next."""
    check_code(_about_here(), here=errand.here)
    yield b""  # it has begun
    if errand.key not in _MADE:
        torch.set_num_threads(1)  # an engine's streams are its threads
        _MADE.clear()
        _MADE[errand.key] = errand.make(errand.contract, errand.threads)
    yield json.dumps(_MADE[errand.key](job)).encode()


@cache
def _about_here() -> Mapping[str, Any]:
    return about_here()
