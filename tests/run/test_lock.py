"""Two processes never write into one run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from c4.run.folder import RunFolder, StateError
from c4.run.lock import alone_in, check_alone


def test_a_folder_belongs_to_one_process_at_a_time(tmp_path: Path) -> None:
    folder = RunFolder(path=tmp_path)
    second = alone_in(folder)
    with alone_in(folder), pytest.raises(StateError, match="another process is training in"):
        second.__enter__()
    with alone_in(folder):
        pass


def test_nobody_waits_for_what_stands_in_the_place_of_a_lock(tmp_path: Path) -> None:
    folder = RunFolder(path=tmp_path)
    os.mkfifo(folder.lock)
    with pytest.raises(OSError, match="lock"):
        check_alone(folder)


@pytest.mark.parametrize("name", ["lock", "train.log", "samples", "checkpoints/state_000001.ckpt", "tensorboard"])
def test_nothing_is_written_where_a_link_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    folder, elsewhere = RunFolder(path=tmp_path / "run"), tmp_path / "of_mine"
    folder.checkpoints.mkdir(parents=True)
    elsewhere.write_text("precious")
    (folder.path / name).symlink_to(elsewhere)
    with pytest.raises(StateError, match=f"{name} is a link that leads out"), alone_in(folder):
        pass
    assert elsewhere.read_text() == "precious"


def test_a_link_within_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "here").symlink_to(tmp_path)
    folder = RunFolder(path=tmp_path / "here")  # and so is one that leads to it
    folder.checkpoints.mkdir()
    (folder.checkpoints / "mine").symlink_to("best.safetensors")
    with alone_in(folder):
        pass


def test_what_stands_in_the_place_of_a_lock_is_not_emptied(tmp_path: Path) -> None:
    folder, other = RunFolder(path=tmp_path / "run"), tmp_path / "of_mine"
    folder.path.mkdir()
    other.write_text("precious")
    folder.lock.hardlink_to(other)
    with alone_in(folder):
        assert other.read_text() == "precious"
