"""The window of samples and what a run keeps of it, under any order of generations, saves, prunings and resumes: always
what a plain list says."""

from __future__ import annotations

import dataclasses
import hashlib
import math
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.examples import examples
from tests.replay.made_up import GAME, made_up
from tests.selfplay.kit import DATA
from tests.test_ledger import Clock, ledger

from c4.datamodule import Batch, C4DataModule
from c4.native import _core
from c4.params.data import DataParams, Repeats
from c4.replay.samples import Samples, columns
from c4.replay.window import Window
from c4.run.archive import Archive, ArchiveError
from c4.selfplay.source import Harvest, Watch

KNOBS = st.builds(
    lambda first, growth, most, repeats, surprise: dataclasses.replace(
        DATA, batch_size=4, window_first=first, window_growth=growth, window_max=first + most,
        repeats=repeats, surprise_share=surprise, symmetries=False,
    ),
    first=st.integers(1, 30), growth=st.sampled_from([0.0, 1.0]), most=st.integers(0, 300),
    repeats=st.sampled_from(Repeats), surprise=st.sampled_from([0.0, 0.5]),
)  # fmt: skip
ALL = made_up(400)  # told apart by their game_id
ALL["surprise"] = np.random.default_rng(1).random(len(ALL))


class Script:
    """A source that brings the next samples of a list, as many as it is told."""

    def __init__(self) -> None:
        self.at, self.next = 0, 0

    def play_as(self, rank: int) -> bool:
        return True

    def publish(self, weights: Mapping[str, Any]) -> None: ...

    def collect(self, *, wanted: int, version: int, watch: Watch) -> Harvest:
        samples = ALL[self.at : self.at + self.next]
        self.at += len(samples)
        return Harvest(samples=samples, games=[], counters={"games": len(samples)}, seconds=0.0)

    def set_openings(self, openings: Sequence[Sequence[int]]) -> None: ...

    def state(self) -> dict[str, Any]:
        return {"at": self.at}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.at = state["at"]

    def close(self) -> None: ...


@dataclasses.dataclass(frozen=True)
class Save:
    state: dict[str, Any]
    first: int  # of the window
    generation: int


class Generations(RuleBasedStateMachine):
    @initialize(params=KNOBS)
    def begin(self, params: DataParams) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="c4window"))
        self.params = params
        self.first, self.made = 0, [0]  # of the window; after each generation, samples ever made
        self.sizes: dict[int, int] = {}  # of generations, which a run that goes on makes anew
        self.batches: dict[int, str] = {}  # what was drawn then
        self.saves: list[Save] = []
        self.data = self.new()

    def new(self) -> C4DataModule:
        return C4DataModule(
            params=self.params,
            source=Script(),
            window=Window(game=GAME, params=self.params),
            archive=Archive(folder=self.folder),
            ledger=ledger(Clock(), generations=10**6),
            seed=3,
        )

    def size(self, made: int) -> int:
        """As the knobs say: it does not grow, or never forgets."""
        grown = made if self.params.window_growth else self.params.window_first
        return min(max(grown, self.params.window_first), max(self.params.window_max, self.params.window_first))

    def window(self) -> Samples:
        return ALL[self.first : self.made[-1]]

    @precondition(lambda self: self.made[-1] < 360)
    @rule(samples=st.integers(0, 40))
    def make(self, samples: int) -> None:
        number = len(self.made) - 1
        samples = self.sizes.setdefault(number, max(samples, 1 if number == 0 else 0))
        source = self.data.source
        assert isinstance(source, Script)
        source.next = samples
        batches = list(self.data.batches())
        self.data.ledger.close()
        self.made.append(self.made[-1] + samples)
        self.first = max(self.first, self.made[-1] - self.size(self.made[-1]))
        told = digest(batches)
        assert self.batches.setdefault(number, told) == told, "a generation that is made again is the same one"
        due = math.floor((self.params.sampling_ratio * self.made[-1] - self.drawn_before(len(batches))) / 4)
        assert len(batches) == self.data.steps <= max(1, due)
        for batch in batches:
            assert all(len(column) == 4 for column in batch.values())

    def drawn_before(self, batches: int) -> int:
        return self.data.ledger.drawn - 4 * batches

    @precondition(lambda self: len(self.made) > 1)
    @rule(count=st.integers(1, 90), seed=st.integers(0, 9))
    def sample(self, count: int, seed: int) -> None:
        """Of samples or of positions: each as often as any other, and as it is in the list."""
        window, stream = self.data.window, np.random.default_rng(seed)
        chosen = window.choose(count, stream=stream)
        assert len(chosen) == count
        averaged = self.params.repeats is Repeats.AVERAGED
        rows = len(positions(self.window())) if averaged else len(self.window())
        times = Counter(chosen.tolist())
        assert set(times) <= set(range(rows))
        if not self.params.surprise_share:
            assert set(times.values()) <= {count // rows, -(-count // rows)}
        shown = window.rows(chosen, stream=stream)
        if not averaged:
            assert np.array_equal(shown["root_value"], self.window()["root_value"][chosen])
        assert {key(planes) for planes in shown["planes"]} <= positions(self.window()).keys()

    @precondition(lambda self: len(self.made) > 1)
    @rule()
    def save(self) -> None:
        """As a run does: of two states, what the older one needs is kept."""
        save = Save(state=self.data.state_dict(), first=self.first, generation=len(self.made) - 1)
        self.saves = [*self.saves, save][-2:]
        Archive(folder=self.folder).drop_before(min(each.state["window"][0] for each in self.saves))

    @precondition(lambda self: self.saves)
    @rule(which=st.integers(0, 1))
    def resume(self, which: int) -> None:
        save = self.saves[min(which, len(self.saves) - 1)]
        self.data = self.new()
        self.data.load_state_dict(save.state)
        self.first, self.made = save.first, self.made_until(save.generation)
        self.saves = [each for each in self.saves if each.generation <= save.generation]

    def made_until(self, generation: int) -> list[int]:
        return [sum(self.sizes[number] for number in range(until)) for until in range(generation + 1)]

    @precondition(lambda self: self.saves and self.saves[-1].state["window"][0] < self.saves[-1].state["window"][1])
    @rule()
    def resume_without_a_file(self) -> None:
        save, whole = self.saves[-1], self.data
        path = Archive(folder=self.folder).path(save.state["window"][0])
        kept = path.read_bytes()
        path.unlink()
        with pytest.raises(ArchiveError, match="is missing"):
            self.new().load_state_dict(save.state)
        path.write_bytes(kept)
        self.data = whole

    @invariant()
    def is_what_the_list_says(self) -> None:
        if not hasattr(self, "data"):
            return
        window, expected = self.data.window, self.window()
        found = columns(window.samples)
        assert all(np.array_equal(found[name], column) for name, column in columns(expected).items())
        assert (len(window), window.made) == (len(expected), self.made[-1])
        if len(expected):
            assert window.repeated_share() == pytest.approx(1 - len(positions(expected)) / len(expected))
        assert self.data.ledger.generation == len(self.made) - 1
        if len(self.made) > 1:
            oldest = self.data.oldest_needed()
            assert self.made[oldest] <= self.first
            assert len(expected) == 0 or self.first < self.made[oldest + 1]

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)


def key(planes: np.ndarray) -> int:
    """That a position shares with its mirror image."""
    return min(hash(planes.tobytes()), hash(planes[:, :, ::-1].tobytes()))


def positions(samples: Samples) -> Counter[int]:
    packed = np.ascontiguousarray(samples["packed"])
    planes = np.empty((len(packed), 3, 4, 4), np.uint8)
    _core.unpack_planes(GAME, packed, np.zeros(len(packed), np.uint8), planes)
    return Counter(key(each) for each in planes)


def digest(batches: Sequence[Batch]) -> str:
    sums = hashlib.sha256()
    for batch in batches:
        for name in sorted(batch):
            sums.update(name.encode() + batch[name].numpy().tobytes())
    return sums.hexdigest()


def test_the_window_is_what_a_plain_list_says_in_whatever_order_it_is_filled_saved_and_resumed() -> None:
    run_state_machine_as_test(Generations, settings=settings(max_examples=examples(25), stateful_step_count=25))
