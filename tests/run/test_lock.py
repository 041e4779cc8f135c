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
