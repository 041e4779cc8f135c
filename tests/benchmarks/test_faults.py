"""The harness of faults, for a moment: what is damaged or made to harm, read in a process of its own, and judged."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.network.shapes import SMALL, trained_like
from tests.replay.made_up import made_up

from c4.games import game_spec
from c4.network.weights import CHECKPOINT_KEY, TRAINED, player_header, save_player
from c4.run.about import write_about, write_overrides
from c4.run.clock import write_clock
from c4.run.folder import RunFolder
from c4.run.kept import keep_games, keep_mistakes
from c4.run.metrics import write_metrics
from c4.run.outcome import Ending, write_outcome
from c4.run.state import FORMAT

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
GAME = "connect4_4x4"
NOT_CHECKED = {"metrics", "outcome", "facts", "games", "mistakes", "book of openings"}


@pytest.fixture(scope="module", autouse=True)
def _beside_each_other() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield


@pytest.fixture(scope="module")
def reader() -> Iterator[Any]:
    reading = importlib.import_module("fault_files").Reader()
    yield reading
    reading.close()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Everything that a run of two generations leaves."""
    folder, spec = RunFolder(path=tmp_path_factory.mktemp("faults") / "run"), game_spec(GAME)
    folder.checkpoints.mkdir(parents=True)
    network = trained_like(spec, SMALL)
    for name in ("last", "best"):
        save_player(folder.player(name), spec=spec, design=SMALL, state=network.state_dict(), card={"seed": 1})
    for generation in (1, 2):
        folder.archive.write(generation - 1, made_up(50))
        said = {"format": FORMAT, "game": GAME, "network": {}, "metrics": {}}
        whole = {
            "c4": said,
            "C4DataModule": {"ledger": {"generation": generation}, "window": [0, generation]},
            CHECKPOINT_KEY: player_header(spec, SMALL, card={}),
            "state_dict": {f"{TRAINED}{name}": tensor for name, tensor in network.state_dict().items()},
        }
        torch.save(whole, folder.state(generation))
        spent = {"elapsed": 2.5, "seconds": {"PLAY": 1.5}}
        write_clock(folder.clock(folder.state(generation)), {"run_id": "abc", "ledger": spent, "metrics": {"a": 0.5}})
    write_about(folder, config={"name": "made", "seed": 1}, facts={"commit": "abc"})
    write_overrides(folder, ["seed=1"])
    write_metrics(folder, {1: {"loss/total": 2.5}, 2: {"loss/total": 1.5}})
    write_outcome(folder, ending=Ending.FINISHED, reason="", metrics={"loss/total": 1.5})
    game = {"game_id": 1, "actions": [0, 1], "best": [0, 1], "flags": [2, 2], "result": 0}
    keep_games(folder, [game], generation=2, most=10)
    mistake = {"moves": "12", "simulations": 8, "played": 1, "scores": [0, 1], "board": [[0]]}
    keep_mistakes(folder, [mistake], generation=2)
    importlib.import_module("fault_files").complete(folder)
    return folder


def test_nothing_damaged_is_taken_for_what_was_written(run: RunFolder, reader: Any) -> None:
    faults, kinds = importlib.import_module("faults"), importlib.import_module("fault_files").KINDS
    rows, well = faults.damages(run, flips=12 * len(kinds), truncations=3 * len(kinds), seed=1, reader=reader)
    assert well, rows
    assert {row["file"] for row in rows if row["checksum"] == "no"} == NOT_CHECKED
    assert sum(row["other content"] for row in rows) > 0  # it would be seen
    assert sum(row["refused"] for row in rows if row["checksum"] == "yes") > 50


def test_what_is_made_to_harm_is_refused_soon_and_in_little_memory(run: RunFolder, reader: Any, tmp_path: Path) -> None:
    faults = importlib.import_module("faults")
    rows, well = faults.hostilities(run, folder=tmp_path, reader=reader)
    assert well, [row for row in rows if row[""]]
    assert len(rows) > 56


def test_parts_add_up() -> None:
    added = importlib.import_module("faults").added
    first = [
        {"what": "killed in a write", "times": 3},
        {"file": "player", "damage": "cut", "checksum": "yes", "files": 5, "refused": 5, "slowest s": 0.5},
    ]
    second = [
        {"what": "killed in start-up", "times": 1},
        {"what": "killed in a write", "times": 2},
        {"file": "player", "damage": "a bit", "checksum": "yes", "files": 7, "refused": 6, "slowest s": 0.1},
        {"file": "player", "damage": "cut", "checksum": "yes", "files": 2, "refused": 1, "slowest s": 0.25},
        {"case": "a pipe", "made": "refused", "seconds": 0.1, "": ""},
    ]
    assert added(first, second) == [
        {"what": "killed in a write", "times": 5},
        {"file": "player", "damage": "cut", "checksum": "yes", "files": 7, "refused": 6, "slowest s": 0.5},
        {"what": "killed in start-up", "times": 1},
        {"file": "player", "damage": "a bit", "checksum": "yes", "files": 7, "refused": 6, "slowest s": 0.1},
        {"case": "a pipe", "made": "refused", "seconds": 0.1, "": ""},
    ]
    assert added([], first) == first


def test_a_reader_that_dies_is_said_and_replaced(reader: Any) -> None:
    made = importlib.import_module("fault_files").Made
    verdict, _ = reader.says(__import__("os")._exit, 3)
    assert verdict.made is made.HUNG
    verdict, _ = reader.says(len, "abc")
    assert verdict.made is made.SAME
    verdict, _ = reader.says(len, 3)
    assert verdict.made is made.TRACEBACK
    verdict, _ = reader.says(Path.read_bytes, Path("nowhere"))
    assert verdict.made is made.REFUSED


def test_what_was_killed_is_continued_by_the_line_that_a_person_would_type(tmp_path: Path) -> None:
    ways = importlib.import_module("faults").WAYS
    folder = tmp_path / "run"
    for name, way in ways.items():
        first, whole = way.line(["seed=1"], folder=folder), way.line(["seed=1"], folder=folder, undisturbed=True)
        assert (first == whole) is (name != "ray")
        (folder / ".hydra").mkdir(parents=True, exist_ok=True)
        RunFolder(path=folder).overrides.touch()
        again = way.line(["seed=1"], folder=folder)
        assert again == (first if way.sweeps else [f"resume={folder}"])
        shutil.rmtree(folder)
    for job in (10, 9, "workers"):
        (folder / str(job)).mkdir(parents=True)
    assert [run.path.name for run in ways["sweep"].runs(folder)] == ["9", "10"]
    with pytest.raises(SystemExit, match="there is no noon; the ways are alone, sweep, ray"):
        importlib.import_module("faults").asked("noon")
