"""Which state a run goes on from: the newest whole one, of this program, game and network."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.replay.made_up import GAME, made_up

from c4.run.clock import read_clock, write_clock
from c4.run.finding import find_run
from c4.run.folder import RunFolder, StateError
from c4.run.state import FORMAT, OLDEST, check_fit, newest_whole, state_to_go_on_from

NETWORK = {"width": 8, "depth": 2}
CLOCK: dict[str, Any] = {
    "run_id": "abc",
    "ledger": {"elapsed": 61.25, "seconds": {"PLAY": 40.5}},
    "metrics": {"budget/minutes": 1.02},
}


def run_folder(path: Path, *generations: int, window: tuple[int, int] = (0, 0), **header: Any) -> RunFolder:
    folder = RunFolder(path=path)
    folder.checkpoints.mkdir(parents=True)
    for generation in generations:
        said = {"format": FORMAT, "game": "connect4", "network": NETWORK, "metrics": {"a": 1.0}}
        data = {"ledger": {"generation": generation}, "window": list(window)}
        torch.save({"c4": said | header, "C4DataModule": data}, folder.state(generation))
        write_clock(folder.clock(folder.state(generation)), CLOCK)
    return folder


def test_a_run_is_found_by_its_folder_its_checkpoint_or_as_the_newest(tmp_path: Path) -> None:
    old, new = run_folder(tmp_path / "a" / "old", 1, 2), run_folder(tmp_path / "b" / "new", 1)
    for path in old.states():
        os.utime(path, (1, 1))
    assert find_run("auto", runs=tmp_path) == (new, None)
    assert find_run(str(old.path), runs=tmp_path) == (old, None)
    assert find_run(str(old.checkpoints), runs=tmp_path) == (old, None)
    assert find_run(str(old.state(1)), runs=tmp_path) == (old, old.state(1))


def test_a_link_that_leads_nowhere_hides_no_run(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "a" / "run", 1)
    (run_folder(tmp_path / "a" / "broken").state(9)).symlink_to(tmp_path / "nowhere")
    assert find_run("auto", runs=tmp_path) == (run, None)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("auto", "there is no run to resume in"),
        ("nowhere", "there is no such file or folder"),
        ("champion", "this is a player, not the state of a run"),
        ("empty", "has no checkpoints/state_"),
        ("empty/best.safetensors", "this is a player, not the state of a run"),
        ("empty/other.ckpt", "is not the state of a run"),
    ],
)
def test_what_is_no_run_is_named(target: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "best.safetensors").touch()
    (tmp_path / "empty" / "other.ckpt").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StateError, match=sentence):
        find_run(target, runs=tmp_path / "empty")


def begun(path: Path, *, touched: int, files: tuple[str, ...] = ()) -> RunFolder:
    """A run of which no state was saved."""
    (path / ".hydra").mkdir(parents=True)
    for name in files:
        (path / name).touch()
    folder = RunFolder(path=path)
    folder.overrides.touch()
    os.utime(folder.overrides, (touched, touched))
    return folder


def test_a_run_that_ended_before_its_first_state_is_begun_again(tmp_path: Path) -> None:
    saved = run_folder(tmp_path / "a" / "saved", 1)
    os.utime(saved.state(1), (3, 3))
    begun(tmp_path / "a" / "older", touched=1)
    assert find_run("auto", runs=tmp_path) == (saved, None)
    killed = begun(tmp_path / "a" / "killed", touched=4)
    assert find_run("auto", runs=tmp_path) == find_run(str(killed.path), runs=tmp_path) == (killed, None)
    stopped = begun(tmp_path / "b" / "stopped", touched=5, files=("config.yaml", "outcome.json"))
    assert find_run("auto", runs=tmp_path) == (stopped, None)


def test_a_run_that_was_refused_is_not_begun_again(tmp_path: Path) -> None:
    saved = run_folder(tmp_path / "saved", 1)
    os.utime(saved.state(1), (3, 3))
    refused = begun(tmp_path / "refused", touched=4, files=("outcome.json",))
    assert find_run("auto", runs=tmp_path) == (saved, None)
    with pytest.raises(StateError, match="has no checkpoints/state_"):
        find_run(str(refused.path), runs=tmp_path)


def test_a_state_counts_by_its_own_age_and_not_by_the_last_command(tmp_path: Path) -> None:
    old, new = run_folder(tmp_path / "old", 1), run_folder(tmp_path / "new", 1)
    os.utime(old.state(1), (1, 1))
    os.utime(new.state(1), (2, 2))
    begun(old.path, touched=3)
    assert find_run("auto", runs=tmp_path) == (new, None)


def test_the_newest_whole_state_is_taken_and_the_others_are_named(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", 1, 2, 3)
    assert newest_whole(folder, upto=None).path == folder.state(3)
    assert newest_whole(folder, upto=folder.state(2)).ledger["generation"] == 2
    whole = folder.state(3).read_bytes()
    for length in (0, 4, len(whole) // 2, len(whole) - 1):
        folder.state(3).write_bytes(whole[:length])
        found = newest_whole(folder, upto=None)
        assert found.path == folder.state(2)
        (problem,) = found.problems
        assert problem.startswith(f"{folder.state(3)} is ")
    folder.state(1).write_bytes(b"")
    folder.state(2).write_bytes(b"\x80\x04N.")
    with pytest.raises(StateError, match=r"state_000003.*; .*state_000002.*; .*state_000001"):
        newest_whole(folder, upto=None)


def test_a_state_that_has_changed_on_the_disk_is_passed_over(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", 1, 2, weights=torch.arange(500.0))
    whole = folder.state(2).read_bytes()
    seen = 0
    for place in range(0, len(whole), 37):
        folder.state(2).write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        found = newest_whole(folder, upto=None)
        seen += found.generation == 1
        assert torch.equal(found.header["weights"], torch.arange(500.0))
    assert seen > 50


def test_what_lies_beside_a_state_is_part_of_what_it_says(tmp_path: Path) -> None:
    found = newest_whole(run_folder(tmp_path / "run", 1), upto=None)
    assert found.header["run_id"] == "abc"
    assert found.header["metrics"] == {"a": 1.0, "budget/minutes": 1.02}
    assert found.ledger == {"generation": 1, "clock": CLOCK["ledger"]}


def test_a_state_of_an_older_program_has_its_clock_in_it(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", 1, format=OLDEST, run_id="old")
    folder.clock(folder.state(1)).unlink()
    found = newest_whole(folder, upto=None)
    assert (found.header["run_id"], found.ledger) == ("old", {"generation": 1})


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (None, "is missing"),
        ("folder", "cannot be read: "),
        (b"", "is damaged: it has changed since it was written"),
        (b"[" * 100_000, "is damaged"),
        (CLOCK | {"run_id": 3}, "is damaged"),
        (CLOCK | {"ledger": {"elapsed": float("nan"), "seconds": {}}}, "is damaged"),
        (CLOCK | {"ledger": {"elapsed": 1, "seconds": {"LUNCH": 1}}}, "is damaged"),
        (CLOCK | {"metrics": {"a": "many"}}, "is damaged"),
        ({}, "is damaged"),
    ],
)
def test_a_state_without_its_clock_is_passed_over(said: Any, sentence: str, tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", 1, 2)
    clock = folder.clock(folder.state(2))
    clock.unlink()
    if said == "folder":
        clock.mkdir()
    elif isinstance(said, bytes):
        clock.write_bytes(said)
    elif said is not None:
        write_clock(clock, said)
    found = newest_whole(folder, upto=None)
    assert found.path == folder.state(1)
    (problem,) = found.problems
    assert problem.startswith(f"{folder.state(2)} cannot be resumed from: {clock} {sentence}")


def test_no_bit_of_a_clock_is_another_without_notice(tmp_path: Path) -> None:
    path, refused = tmp_path / "state_000001.json", 0
    write_clock(path, CLOCK)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            assert read_clock(path) == CLOCK
        except StateError:
            refused += 1
    assert refused > len(whole) // 2


def test_what_is_no_state_is_said_and_not_tripped_over(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", 1)
    whole: list[Any] = [[], {}, {"c4": 3}, {"c4": {"format": FORMAT}}]
    header = {"format": FORMAT, "game": "connect4", "metrics": {}}
    whole += [{"c4": header, "C4DataModule": data} for data in ({}, {"window": ["a"]}, {"window": [0, 0]}, 3)]
    for each in whole:
        torch.save(each, folder.state(1))
        with pytest.raises(StateError, match="state_000001"):
            newest_whole(folder, upto=None)


def test_a_state_of_another_version_is_named(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", 1, format=FORMAT + 1)
    with pytest.raises(StateError, match=f"has format {FORMAT + 1}, this program reads format {FORMAT}"):
        newest_whole(folder, upto=None)


def test_a_state_whose_samples_are_gone_is_passed_over(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", 2, window=(0, 2), game=GAME)
    folder.archive.write(0, made_up(3))
    with pytest.raises(StateError, match=r"cannot be resumed from: .*generation_000001\.safetensors is missing"):
        newest_whole(folder, upto=None)
    folder.archive.write(1, made_up(3))
    assert newest_whole(folder, upto=None).path == folder.state(2)


def test_game_and_network_must_be_the_same(tmp_path: Path) -> None:
    state = newest_whole(run_folder(tmp_path / "run", 1), upto=None)
    check_fit(state, game="connect4", network=NETWORK)
    with pytest.raises(StateError, match="plays connect4, not gomoku8"):
        check_fit(state, game="gomoku8", network=NETWORK)
    with pytest.raises(StateError, match=r"network\.depth is 2 in it, 3 here"):
        check_fit(state, game="connect4", network=NETWORK | {"depth": 3})


def test_leftovers_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", 1)
    left = folder.checkpoints / ".state_000002.ckpt.123"
    left.touch()
    (folder.path / ".hydra").mkdir()
    (strangers := folder.path / ".eslintrc.js").touch()
    folder.remove_leftovers()
    assert not left.exists()
    assert strangers.exists()
    assert folder.state(1).exists()
    assert (folder.path / ".hydra").exists()


def test_a_run_without_a_resume_goes_on_from_nothing(tmp_path: Path) -> None:
    assert state_to_go_on_from(None, folder=RunFolder(path=tmp_path)) is None


def test_a_run_goes_on_in_its_own_folder_only(tmp_path: Path) -> None:
    run, job = RunFolder(path=tmp_path / "run"), RunFolder(path=tmp_path / "job")
    for folder in (run, job):
        folder.checkpoints.mkdir(parents=True)
    torch.save({}, run.state(3))
    with pytest.raises(StateError, match=r"is resumed in its own folder only, and not by multirun \(-m\)"):
        state_to_go_on_from(str(run.path), folder=job)
    with pytest.raises(StateError, match="is incomplete"):
        state_to_go_on_from(str(run.path), folder=run)


def test_a_run_that_saved_nothing_begins_again_and_one_passed_over_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    folder = RunFolder(path=tmp_path)
    begun(folder.path, touched=1)
    assert state_to_go_on_from(str(folder.path), folder=folder) is None
    assert caplog.messages == ["nothing of this run was saved yet: it starts again"]
    whole = run_folder(tmp_path / "run", 1, 2)
    whole.state(2).write_bytes(b"")
    found = state_to_go_on_from(str(whole.path), folder=whole)
    assert found is not None
    assert found.path == whole.state(1)
    assert caplog.messages[-1].endswith(": resuming from state_000001.ckpt instead")
