"""A run's folder under any order of generations, kills, damages and resumes: the newest whole state is found, nothing
that was earned is lost, and nothing half-written stays."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import pytest
import torch
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from tests.examples import examples
from tests.network.shapes import CONNECT4, SMALL, trained_like
from tests.replay.made_up import GAME, made_up

from c4.callbacks.run_checkpoint import RunCheckpoint
from c4.network.weights import read_card, save_player
from c4.params.callbacks import CheckpointParams, Direction
from c4.run.begin import begin
from c4.run.folder import RunFolder, StateError
from c4.run.kept import keep_games, read_games
from c4.run.metrics import read_metrics
from c4.run.state import RunState, state_to_go_on_from
from c4.tracking.metrics_csv import MetricsCsv

PARAMS = CheckpointParams(every=3, monitor="grade", direction=Direction.MAX)
SAMPLES, WEIGHTS = made_up(3), trained_like(CONNECT4, SMALL).state_dict()
GAME_RECORD: dict[str, Any] = {"game_id": 1, "actions": [0], "best": [0], "flags": [2], "result": 1}
WINDOW = 2  # generations
CHANGES = ("fsync", "replace", "unlink", "mkdir")


class Killed(BaseException):
    """The process is no more: nothing that it would have done afterwards is done."""


@contextmanager
def killed_before(operation: int | None) -> Iterator[None]:
    """That change of the folder, counted from 0; of what was being written half is on the disk. None: never."""
    left = [operation if operation is not None else 10**9]

    def deadly(name: str, whole: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] >= 0:
                return whole(*arguments, **options)
            if name == "fsync" and left[0] == -1:
                path = Path(f"/proc/self/fd/{arguments[0]}").readlink()
                os.truncate(path, path.stat().st_size // 2)
            raise Killed

        return call

    with ExitStack() as patches:
        for name in CHANGES:
            patches.enter_context(patch.object(os, name, deadly(name, getattr(os, name))))
        yield


class Session:
    """A process that trains, as its folder sees it: the real callback and table, and what stands for Lightning."""

    def __init__(self, folder: RunFolder, state: RunState | None) -> None:
        self.folder, self.state = folder, state
        self.table = MetricsCsv(folder)
        header = {"game": GAME, "network": {}, "run_id": "abc"}
        self.callback = RunCheckpoint(
            params=PARAMS, folder=folder, header=header, card={"run": "mine"}, graded_late=False
        )
        self.callback_metrics: dict[str, Any] = {}
        self.datamodule = self
        self.ledger = types.SimpleNamespace(generation=0)
        self.content = 0

    def begin(self) -> dict[int, dict[str, float]]:
        rows = begin(self.folder, state=self.state, config={"seed": 1}, facts={"run_id": "abc"}, words=["seed=1"])
        if self.state is not None:
            self.table.restore(rows)
            whole = torch.load(self.state.path, weights_only=True)
            self.callback.load_state_dict(whole["callbacks"])
            self.content, self.ledger.generation = whole["content"], self.state.generation
            self.callback.on_train_start(cast(Any, self), cast(Any, self))
            reached = self.state.header["metrics"]
            self.callback.complete(cast(Any, self), generation=self.state.generation, reached=reached)
        return rows

    def generation(self, content: int, grade: float) -> None:
        self.folder.archive.write(self.ledger.generation, SAMPLES)
        self.content = content
        self.ledger.generation += 1
        keep_games(self.folder, [GAME_RECORD | {"game_id": content}], generation=self.ledger.generation, most=50)
        figures = {"content": float(content), "grade": grade, "budget/minutes": content / 4}
        self.callback_metrics = {name: torch.tensor(value) for name, value in figures.items()}
        self.callback.on_train_epoch_end(cast(Any, self), cast(Any, self))
        self.table.log_metrics(figures, step=self.ledger.generation)

    def oldest_needed(self) -> int:
        return max(0, self.ledger.generation - WINDOW)

    def save_player(self, path: Path, *, card: Mapping[str, Any]) -> None:
        save_player(path, spec=CONNECT4, design=SMALL, state=WEIGHTS, card={**card, "content": self.content})

    def save_checkpoint(self, path: Path, *, weights_only: bool) -> None:
        number = self.ledger.generation
        ledger = {"generation": number, "clock": {"elapsed": float(self.content), "seconds": {"PLAY": 1.0}}}
        whole: dict[str, Any] = {
            "content": self.content,
            "callbacks": self.callback.state_dict(),
            "C4DataModule": {"ledger": ledger, "window": [self.oldest_needed(), number]},
        }
        self.callback.on_save_checkpoint(cast(Any, self), cast(Any, None), whole)
        torch.save(whole, path)


deaths = st.none() | st.integers(0, 30)


class Folder(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        logging.disable()  # it is not what is said here that counts
        self.root = Path(tempfile.mkdtemp(prefix="c4folder"))
        self.folder = RunFolder(path=self.root)
        self.folder.overrides.parent.mkdir()
        self.folder.overrides.touch()  # as Hydra leaves it
        self.session: Session | None = None
        self.line: dict[int, int] = {}  # what each generation's content is, of those that count
        self.made = 0
        self.table_is_whole = True

    @precondition(lambda self: self.session is not None)
    @rule(grade=st.integers(0, 9), death=deaths)
    def make(self, grade: int, death: int | None) -> None:
        assert self.session is not None
        self.made += 1
        number, session = self.session.ledger.generation + 1, self.session
        try:
            with killed_before(death):
                session.generation(self.made, grade / 10)
        except Killed:
            self.session = None
            if not (self.folder.state(number).exists() and content(self.folder.state(number)) == self.made):
                return
        self.line[number] = self.made
        newest = [game["game_id"] for game in read_games(self.folder) if game["generation"] >= number]
        assert newest == [self.made], "games of another line are gone by then"
        if self.session is not None:
            assert sorted(self.folder.states()) == sorted(map(self.folder.state, range(max(1, number - 1), number + 1)))
            assert len(self.folder.clocks()) == len(self.folder.states())
            samples = [path for path in self.folder.samples.glob("*") if path < self.folder.archive.path(number)]
            assert len(samples) <= WINDOW + 1, "none that no state needs, but those that are made anew"

    @rule()
    def stop(self) -> None:
        self.session = None

    @precondition(lambda self: self.session is None)
    @rule(death=deaths, older=st.booleans())
    def resume(self, death: int | None, older: bool) -> None:
        """From the newest state, or from the one before it."""
        states = self.folder.states()
        named = states[1] if older and len(states) > 1 else None
        session = self.found(named)
        before = earned(self.root)
        target = session.state.generation if session.state else 0
        try:
            with killed_before(death):
                rows = session.begin()
        except Killed:
            self.line = {number: what for number, what in self.line.items() if number <= max(target, self.newest())}
        else:
            self.line = {number: what for number, what in self.line.items() if number <= target}
            self.session = session
            self.check_begun(rows, target)
        assert not before - earned(self.root), "what a run has earned is there still"

    def found(self, named: Path | None) -> Session:
        resume = str(self.root) if named is None else str(named)
        state = state_to_go_on_from(resume, folder=self.folder)
        wanted = max(self.line, default=0) if named is None else min(max(self.line), number_of(named))
        assert (state.generation if state else 0) == wanted, "the newest that is whole"
        if state is not None:
            assert content(state.path) == self.line[wanted]
            assert state.header["metrics"]["content"] == self.line[wanted]
            assert state.ledger["clock"]["elapsed"] == self.line[wanted]
        return Session(self.folder, state)

    def newest(self) -> int:
        return max(map(number_of, self.folder.states()), default=0)

    def check_begun(self, rows: dict[int, dict[str, float]], target: int) -> None:
        known = {number: row["content"] for number, row in rows.items()}
        assert known.items() <= self.line.items()
        assert known == self.line or not self.table_is_whole
        assert list(read_metrics(self.folder)) == sorted(known)
        assert [path for path in self.root.rglob(".*") if path.name != ".hydra"] == []
        assert all(number_of(path) <= target for path in [*self.folder.states(), *self.folder.clocks()])
        for path in self.folder.players():
            assert read_card(path)["generation"] <= max(target, 1), path  # a run that begins again has these anew
        if target:
            last, best = (read_card(self.folder.player(which)) for which in ("last", "best"))
            assert last["content"] == self.line[target]
            assert best["content"] == self.line[best["generation"]]

    @precondition(lambda self: self.session is None and self.line and len(self.folder.states()) > 1)
    @rule(part=st.sampled_from(["state", "clock", "samples"]), how=st.sampled_from(["cut", "bit", "gone"]),
          where=st.floats(0, 1, exclude_max=True))  # fmt: skip
    def damage_the_newest(self, part: str, how: str, where: float) -> None:
        """Which is passed over then, and made anew. What is older must be whole: two are kept."""
        newest, before = self.folder.states()[:2]
        path = {"state": newest, "clock": self.folder.clock(newest), "samples": self.samples_of(newest)}[part]
        if number_of(before) not in self.line or number_of(newest) not in self.line or not path.exists():
            return
        whole = path.read_bytes()
        if how == "gone":
            path.unlink()
        else:
            changed = bytearray(whole)
            changed[int(where * len(whole))] ^= 4
            path.write_bytes(whole[: int(where * len(whole))] if how == "cut" else bytes(changed))
        found = state_to_go_on_from(str(self.root), folder=self.folder)
        assert found is not None
        if found.path == newest:  # a bit that says nothing
            assert how == "bit"
            assert content(newest) == self.line[number_of(newest)]
            path.write_bytes(whole)
            return
        assert (found.path, len(found.problems)) == (before, int(newest.exists()))
        del self.line[number_of(newest)]

    def samples_of(self, state: Path) -> Path:
        return self.folder.archive.path(number_of(state) - 1)

    @precondition(lambda self: self.session is None and self.folder.metrics.exists())
    @rule(keep=st.floats(0, 1))
    def cut_the_table(self, keep: float) -> None:
        whole = self.folder.metrics.read_bytes()
        self.folder.metrics.write_bytes(whole[: int(keep * len(whole))])
        self.table_is_whole = False

    @precondition(lambda self: self.session is None and len(self.line) > 0)
    @rule(which=st.sampled_from(["best", "last"]))
    def remove_a_player(self, which: str) -> None:
        self.folder.player(which).unlink(missing_ok=True)

    @precondition(lambda self: self.folder.states())
    @rule()
    def begin_another_over_it(self) -> None:
        before = earned(self.root)
        with pytest.raises(StateError, match="holds a run"):
            state_to_go_on_from(None, folder=self.folder)
        assert earned(self.root) == before

    def teardown(self) -> None:
        logging.disable(logging.NOTSET)
        if not hasattr(self, "root"):
            return
        self.session = None
        self.resume(None, older=False)
        self.make(5, None)
        self.stop()
        self.found(None)
        shutil.rmtree(self.root)


def number_of(path: Path) -> int:
    return int(path.stem.removeprefix("state_"))


def content(state: Path) -> int:
    return int(torch.load(state, weights_only=True)["content"])


def earned(root: Path) -> set[str]:
    """Whatever a run has made that can be used: states, players and samples by their bytes, rows by what they say."""
    made = set()
    for path in root.rglob("*"):
        if path.suffix in {".ckpt", ".safetensors"} and not path.name.startswith("."):
            made.add(f"{path.suffix} {hashlib.sha256(path.read_bytes()).hexdigest()}")
    for table in root.rglob("metrics.csv"):
        rows = read_metrics(RunFolder(path=table.parent))
        made |= {f"row {number} {row['content']}" for number, row in rows.items() if "content" in row}
    return made


def test_what_a_run_has_earned_stays_in_whatever_order_it_is_killed_damaged_and_resumed() -> None:
    run_state_machine_as_test(Folder, settings=settings(max_examples=examples(15), stateful_step_count=25))
