"""Actors that never wait: they play under the newest weights that have reached them, while the learner learns.

A thread gives them work and takes what they bring until so much lies ready that the learner is the slower one; then
they are given no more, so that neither memory nor the object store grows.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from c4.distributed.actors import Actors, Asked, Member
from c4.distributed.cluster import ray_module
from c4.distributed.crew import GLANCES
from c4.distributed.traffic import Traffic
from c4.distributed.wire import pack_weights, size_of, unpack
from c4.distributed.worker import Orders
from c4.network.inference.engine import InferenceEngine
from c4.params.source import SourceParams
from c4.replay.samples import empty
from c4.selfplay.chunks import COUNTERS, Played
from c4.selfplay.source import Glance, Harvest, Watch


class FlowingSource:
    def __init__(
        self,
        begin: Callable[[int], Actors[int]],
        *,
        game: str,
        params: SourceParams,
        half: torch.dtype | None,
        engine: InferenceEngine,
    ) -> None:
        """`begin` connects, when there is something to play, and numbers actors from what it is given on.

        `half`: the format of 16 bits in which actors' engines work, or that has more than theirs, so that weights may
        be sent in it. `engine` gets the weights too: it measures here.
        """
        self._begin, self._game, self._params, self._half, self._engine = begin, game, params, half, engine
        self._actors: Actors[int] | None = None
        self._first = 0
        self._version, self._weights = 0, dict[str, Any]()
        self._openings: Sequence[Sequence[int]] = []
        self._orders: Any = None
        self._since = 0.0  # when the last harvest was brought in: actors have played on since then
        self._lock = threading.Condition()
        self._ready: list[Played] = []
        self._counted = Counter(dict.fromkeys(COUNTERS, 0))  # of what lies ready, samples among it
        self._most_ready = 0  # samples that may lie ready before nobody is given more
        self._failed: Exception | None = None
        self._pump: threading.Thread | None = None
        self._closing = False
        self._traffic = Traffic()

    def play_as(self, rank: int) -> bool:  # noqa: ARG002
        return False

    def publish(self, weights: Mapping[str, Any]) -> None:
        self._engine.load(weights)
        self._weights = pack_weights(weights, half=self._half)
        self._traffic.published(size_of(self._weights))
        if self._orders is not None:
            self._version += 1
            self._order()

    def collect(self, *, wanted: int, version: int, watch: Watch) -> Harvest:
        with self._lock:
            self._most_ready = wanted
            self._lock.notify_all()
        if self._pump is None:
            self._since = time.monotonic()
        if self._pump is None or self._version != version:
            self._version = version
            self._go_on()
        lay_ready = self._amount()[0]
        with self._lock:
            while True:
                ready, counters = self._amount()
                if self._failed is not None:
                    raise self._failed
                seconds = time.monotonic() - self._since
                glance = Glance(samples=ready, wanted=wanted, counters=counters, seconds=seconds)
                if ready >= wanted or watch(glance):
                    break
                with self._traffic.waiting():
                    self._lock.wait(GLANCES)
            taken, self._ready = self._ready, []
            self._counted = Counter(dict.fromkeys(COUNTERS, 0))
            self._since = time.monotonic()
            self._lock.notify_all()
        harvest = self._harvest(taken, version=version, counters=counters, seconds=seconds)
        return dataclasses.replace(harvest, figures={**harvest.figures, "actors/ready": float(lay_ready)})

    def set_openings(self, openings: Sequence[Sequence[int]]) -> None:
        self._openings = [list(opening) for opening in openings]
        if self._orders is not None:
            self._order()

    def state(self) -> dict[str, Any]:
        """Games in flight are lost with their actors: nothing of them was counted."""
        members = self._first if self._actors is None else self._actors.next_number
        return {"openings": [list(one) for one in self._openings], "members": members}

    def restore(self, state: Mapping[str, Any]) -> None:
        if "members" not in state:
            raise ValueError("this run was begun without flowing actors: it keeps the selfplay.mode it had")
        self._openings, self._first = state["openings"], int(state["members"])

    def close(self) -> None:
        with self._lock:
            self._closing = True
            self._lock.notify_all()
        if self._pump is not None:
            self._pump.join()
        if self._actors is not None:
            self._first = self._actors.next_number
            self._actors.end()
        self._actors = self._pump = self._orders = self._failed = None
        self._ready, self._counted = [], Counter(dict.fromkeys(COUNTERS, 0))
        self._closing = False

    def _go_on(self) -> None:
        if self._actors is None:
            self._actors = self._begin(self._first)
        self._order()
        if self._pump is None:
            self._pump = threading.Thread(target=self._run, daemon=True, name="c4-actors")
            self._pump.start()

    def _order(self) -> None:
        self._orders = ray_module().put(
            Orders(game=self._game, version=self._version, weights=self._weights, openings=self._openings)
        )

    def _run(self) -> None:
        try:
            while not self._closing:
                self._turn()
        except Exception as error:  # noqa: BLE001  raised where somebody waits for samples
            with self._lock:
                self._failed = error
                self._lock.notify_all()

    def _turn(self) -> None:
        assert self._actors is not None
        actors, games = self._actors, self._params.chunk_games

        def ask(member: Member[int]) -> Asked:
            answer = member.handle.flow.remote(member.number, games, self._orders)
            return Asked(answer=answer, begun=answer)

        actors.keep()
        if self._amount()[0] < self._most_ready:
            while actors.give(games, ask=ask):
                pass
        self._traffic.given_out(actors.jobs_out)
        if not actors.busy:
            self._rest()
            return
        for done in actors.wait(GLANCES):
            if done.answer is None:
                continue
            played = unpack(done.answer, game=self._game)
            self._traffic.arrived(len(done.answer), samples=len(played.samples))
            with self._lock:
                self._ready.append(played)
                self._counted.update(played.counters)
                self._lock.notify_all()

    def _rest(self) -> None:
        """Until the learner has taken what lies ready: to look again and again would take its processor from it."""
        with self._lock:
            while self._counted["samples"] >= self._most_ready and not self._closing:
                self._lock.wait()

    def _amount(self) -> tuple[int, Mapping[str, int]]:
        with self._lock:
            return self._counted["samples"], dict(self._counted)

    def _harvest(
        self, taken: Sequence[Played], *, version: int, counters: Mapping[str, int], seconds: float
    ) -> Harvest:
        assert self._actors is not None
        samples = np.concatenate([empty(game=self._game), *(one.samples for one in taken)])
        ages = version - samples["weights_version"].astype(np.int64)
        most = self._params.most_age
        young = np.ones(len(samples), bool) if most is None else ages <= most
        kept = ages[young]
        figures = {
            **self._traffic.figures(alive=len(self._actors.alive), lost=self._actors.lost),
            "actors/age": float(kept.mean()) if len(kept) else 0.0,
            "actors/age_most": float(kept.max()) if len(kept) else 0.0,
            "actors/too_old": float(len(samples) - len(kept)),
        }
        return Harvest(
            samples=samples[young],
            games=[game for one in taken for game in one.games],
            counters=counters,
            seconds=seconds,
            figures=figures,
        )
