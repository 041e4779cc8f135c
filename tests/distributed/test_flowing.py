"""Flowing actors as threads of this process: what happens while the learner is the slower one."""

from __future__ import annotations

import pytest
from tests.distributed.kit import source_engine, source_params, weights
from tests.distributed.test_crew import Handle, Threads
from tests.selfplay.kit import GAME

from c4.distributed import actors as actors_room
from c4.distributed import flowing as flowing_room
from c4.distributed.actors import Actors, Done
from c4.distributed.flowing import FlowingSource
from c4.distributed.worker import about_here


class Watched(Actors[int]):
    def wait(self, seconds: float) -> list[Done[int]]:
        assert self.busy, "nobody has anything to say: who asks again and again takes the learner's processor"
        return super().wait(seconds)


def test_a_learner_that_is_slow_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (actors_room, flowing_room):
        monkeypatch.setattr(room, "ray_module", Threads)
    handle = Handle(lives=None)
    params = source_params("selfplay.actors=1", "selfplay.chunk_games=8", "selfplay.chunks_ahead=1")
    actors = Watched(lambda *_: handle, params=params, here=about_here(), disconnect=lambda: None)
    source = FlowingSource(lambda _: actors, game=GAME, params=params, half=None, engine=source_engine())
    source.publish(weights(0))
    glances = iter(range(1000))  # minutes: a source that has fallen asleep is no reason to wait for ever
    for version in range(3):
        wanted = 50 + 200 * version  # more than lay ready when there was nothing left to do
        found = source.collect(wanted=wanted, version=version, watch=lambda _: next(glances, None) is None)
        assert len(found.samples) >= wanted
        with source._lock:  # the learner learns until all lies ready that may
            assert source._lock.wait_for(lambda: source._failed is not None or not actors.busy, timeout=60)
        source.publish(weights(version + 1))
    source.close()
    handle.threads.shutdown(wait=True)
