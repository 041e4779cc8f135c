"""What fuzzing by coverage has kept is tried here again, and each game that is registered takes part in it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from tests.fuzz.kept import FOLDER, OF_CPP, OF_PYTHON, archive_of, keep, kept

ROOT = Path(__file__).parents[2]
MOST = 60_000  # bytes of an archive: the tree is no place for more


@pytest.mark.parametrize("target", OF_PYTHON)
def test_nothing_that_is_kept_is_more_than_a_sentence(target: str) -> None:
    run = importlib.import_module(f"tests.fuzz.{target}").run
    for name, data in kept(target).items():
        try:
            run(data)
        except Exception as error:
            raise AssertionError(f"{name} of {archive_of(target)}") from error


def test_every_target_has_something_that_is_kept_and_not_much() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {*OF_CPP, *OF_PYTHON}
    for target in (*OF_CPP, *OF_PYTHON):
        assert len(kept(target)) > 1
        assert archive_of(target).stat().st_size < MOST


def test_the_targets_are_those_that_make_knows() -> None:
    found = re.search(r"^FUZZ_TARGETS_OF_CPP := (.+)$", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert found is not None
    assert tuple(found[1].split()) == OF_CPP
    assert {path.stem for path in (ROOT / "tests/fuzz").glob("*.cc")} == {*OF_CPP, "replay_main"}


def test_every_registered_game_is_fuzzed() -> None:
    registry = (ROOT / "src/c4/native/registry").glob("register_*.cc")
    registered = {name for path in registry for name in re.findall(r"Register<([^;]+)> k", path.read_text())}
    listed = re.search(r"EveryGame = GameList<(.+?)>;", (ROOT / "tests/native/every_game.h").read_text(), re.DOTALL)
    assert listed is not None
    assert set(re.findall(r"\w+(?:<[^>]+>)?", listed[1])) == registered


def test_the_same_inputs_are_the_same_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.kept.FOLDER", tmp_path)
    inputs = [b"2", bytes(1000), b"", b"2"]
    keep("some", inputs)
    first = archive_of("some").read_bytes()
    keep("some", reversed(inputs))
    assert archive_of("some").read_bytes() == first
    assert sorted(kept("some").values()) == sorted(set(inputs))


def test_a_header_that_is_kept_reaches_what_lies_behind_the_checksums() -> None:
    target = importlib.import_module("tests.fuzz.safetensors_file")
    header, _ = target.parted(target.whole_player())
    target.PLAYER.write_bytes(target.file_of(header))
    assert target.load_player(target.PLAYER).spec == target.GAME
    target.PLAYER.write_bytes(target.file_of(header.replace(b"tictactoe", b"other")))
    with pytest.raises(target.PlayerFileError, match="there is no game|no game is called|cannot be used"):
        target.load_player(target.PLAYER)
