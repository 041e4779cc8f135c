"""A file is the old one or the new one."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, save

from c4.files import is_as_written, read_plain, with_checksum, write_beside


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_beside(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_beside(path, b"new")
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_tensors_that_have_changed_since_are_noticed() -> None:
    arrays = {"a": np.arange(5), "b": np.zeros(3, np.float32)}
    data = with_checksum(lambda metadata: save(arrays, metadata=metadata), {"note": "x"})
    assert is_as_written(data)
    assert load(data)["a"].tolist() == [0, 1, 2, 3, 4]
    for place in range(len(data) - 5 * 8 - 3 * 4, len(data)):
        assert not is_as_written(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    assert is_as_written(save(arrays))  # of before there was a checksum


def test_words_beside_tensors_that_have_changed_since_are_noticed() -> None:
    data = with_checksum(lambda metadata: save({"a": np.arange(5)}, metadata=metadata), {"note": "seed 3"})
    assert is_as_written(data.replace(b"}  ", b" } "))  # says the same
    for was, now in ((b"seed 3", b"seed 4"), (b'"note"', b'"mote"'), (b'"I64"', b'"U64"')):
        assert not is_as_written(data.replace(was, now))


def test_the_same_tensors_give_the_same_bytes() -> None:
    arrays = {name: np.arange(3) for name in "badc"}
    notes = dict.fromkeys("zyxw", "ä")
    (data,) = {with_checksum(lambda metadata: save(arrays, metadata=metadata), notes) for _ in range(20)}
    assert load(data).keys() == arrays.keys()
    assert data.index(b'"crc32"') < data.index(b'"w"') < data.index(b'"z"')


def test_what_a_link_leads_to_is_not_written(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("precious")
    (tmp_path / f".mine.{os.getpid()}").symlink_to(other)  # where it is written beside
    with pytest.raises(OSError, match="mine"):
        write_beside(tmp_path / "mine", b"new")
    assert other.read_text() == "precious"


def test_a_small_file_takes_little_however_large_it_might_be(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"1234")
    assert read_plain(tmp_path / "small", most=2**62) == b"1234"
