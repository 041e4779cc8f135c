"""Samples on disk: whole or not there, and nothing in them can run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.replay.made_up import GAME, made_up

from c4.run.archive import Archive, ArchiveError


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    archive = Archive(folder=tmp_path / "samples")
    samples = made_up(20)
    archive.write(3, samples)
    assert np.array_equal(archive.read(3, game=GAME), samples)
    archive.write(3, samples[:5])
    assert len(archive.read(3, game=GAME)) == 5


def test_missing_and_truncated_files_are_named(tmp_path: Path) -> None:
    archive = Archive(folder=tmp_path)
    with pytest.raises(ArchiveError, match=r"generation_000004\.safetensors is missing"):
        archive.read(4, game=GAME)
    archive.write(4, made_up(20))
    whole = archive.path(4).read_bytes()
    for length in (0, 10, len(whole) - 1):
        archive.path(4).write_bytes(whole[:length])
        with pytest.raises(ArchiveError, match="is broken"):
            archive.read(4, game=GAME)


def test_old_generations_are_dropped(tmp_path: Path) -> None:
    archive = Archive(folder=tmp_path)
    for generation in (8, 9, 10, 11):
        archive.write(generation, made_up(2))
    archive.drop_before(10)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "generation_000010.safetensors",
        "generation_000011.safetensors",
    ]


def test_samples_that_have_changed_on_the_disk_are_refused(tmp_path: Path) -> None:
    archive = Archive(folder=tmp_path)
    archive.write(4, made_up(20))
    whole = archive.path(4).read_bytes()
    archive.path(4).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ArchiveError, match="is broken: it is not as it was written"):
        archive.read(4, game=GAME)


def test_what_was_checked_is_not_read_again(tmp_path: Path) -> None:
    archive = Archive(folder=tmp_path)
    archive.write(4, made_up(20))
    archive.check([4], game=GAME)
    archive.path(4).unlink()
    assert len(archive.read(4, game=GAME)) == 20
    with pytest.raises(ArchiveError, match="is missing"):
        archive.read(4, game=GAME)
