"""A generator at work: its knobs are turned between two batches, and Python goes on while it walks its trees."""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections.abc import Iterator
from queue import SimpleQueue

import numpy as np
import pytest
from tests.native.test_generator import SEARCH, new_generator, play, samples_by_game

TURNED = dataclasses.replace(SEARCH, num_simulations=40, cpuct=1.0, mlh_slope=0.1, leaves_per_batch=2)


class TestTurningKnobs:
    def test_makes_it_a_generator_with_these_knobs(self) -> None:
        generator = new_generator()
        generator.set_params(TURNED)
        assert generator.rows == new_generator(search=TURNED).rows
        found = samples_by_game(play(generator, games=20)[0])
        expected = samples_by_game(play(new_generator(search=TURNED), games=20)[0])
        shared = expected.keys() & found.keys()
        assert len(shared) > 10
        assert all(found[number] == expected[number] for number in shared)

    def test_leaves_the_trees_as_they_are(self) -> None:
        found = {}
        for turning in (False, True):
            generator = new_generator()
            before = play(generator, games=5)[0]
            if turning:
                generator.set_params(SEARCH)
            found[turning] = samples_by_game(before) | samples_by_game(play(generator, games=15)[0])
        assert found[True] == found[False]


@pytest.fixture
def nobody_takes_the_gil() -> Iterator[None]:
    """A thread runs only when another one gives the GIL away."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(3600)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("nobody_takes_the_gil")
def test_python_runs_on_in_each_verb() -> None:
    generator = new_generator(games_per_group=64)
    planes = np.zeros((generator.rows, 3, 4, 5), np.uint8)
    answer = np.zeros((generator.rows, 5), np.float32), *np.zeros((2, generator.rows), np.float32)
    during, seen = "", set()
    turns: SimpleQueue[bool] = SimpleQueue()  # to put something there gives no GIL away

    def watch() -> None:
        while turns.get():
            seen.add(during)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(20_000):
        during = "gather"
        turns.put(True)
        rows = generator.gather(planes)
        during = "apply"
        turns.put(True)
        generator.apply(*(part[:rows] for part in answer))
        during = "take_samples"
        turns.put(True)
        generator.take_samples()
        during = "between"
        if {"gather", "apply", "take_samples"} <= seen:
            break
    turns.put(False)
    watcher.join()
    assert {"gather", "apply", "take_samples"} <= seen
