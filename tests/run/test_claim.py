"""A new run goes into a folder of its own, never over another run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from c4.run.claim import check_unused, claimed
from c4.run.folder import RunFolder, StateError
from c4.run.lock import alone_in


def hydra(path: Path) -> Any:
    return OmegaConf.create({"run": {"dir": str(path)}, "sweep": {"dir": str(path)}})


def test_runs_of_one_second_have_folders_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "tiny" / "12-00-00"
    assert claimed(["seed=1"], hydra=hydra(path), multirun=False) == ["seed=1"]
    assert claimed(["seed=1"], hydra=hydra(path), multirun=False) == ["seed=1", f"hydra.run.dir='{path}_2'"]
    assert claimed([], hydra=hydra(path), multirun=True) == [f"hydra.sweep.dir='{path}_3'"]
    assert [each.name for each in sorted(path.parent.iterdir())] == ["12-00-00", "12-00-00_2", "12-00-00_3"]


def test_a_folder_that_was_typed_is_taken_unless_a_run_has_made_something_in_it(tmp_path: Path) -> None:
    words, folder = [f"hydra.run.dir={tmp_path}"], RunFolder(path=tmp_path)
    for path in (folder.config, folder.metrics, folder.log):  # of a run that was stopped in its first generation
        path.write_text("generation\n")
    assert claimed(words, hydra=hydra(tmp_path), multirun=False) == words
    folder.checkpoints.mkdir()
    for path in (folder.state(1), folder.player("best")):
        path.touch()
        with pytest.raises(StateError, match=f"holds a run: resume={tmp_path} continues it"):
            claimed(words, hydra=hydra(tmp_path), multirun=False)
        path.unlink()
    folder.metrics.write_text("generation,a\n1,2\n")
    with pytest.raises(StateError, match="holds a run"):
        check_unused(folder)
    folder.clear()
    check_unused(folder)


def test_the_folder_of_a_run_that_plays_its_first_generation_is_left_alone(tmp_path: Path) -> None:
    words = [f"hydra.run.dir={tmp_path}"]
    with alone_in(RunFolder(path=tmp_path)), pytest.raises(StateError, match="another process is training in"):
        claimed(words, hydra=hydra(tmp_path), multirun=False)
    assert claimed(words, hydra=hydra(tmp_path), multirun=False) == words


def test_a_grid_is_not_written_over_another(tmp_path: Path) -> None:
    words, job = [f"hydra.sweep.dir={tmp_path}"], RunFolder(path=tmp_path / "0")
    assert claimed(words, hydra=hydra(tmp_path), multirun=True) == words
    job.checkpoints.mkdir(parents=True)
    job.state(2).touch()
    with pytest.raises(StateError, match=f"{job.path} holds a run"):
        claimed(words, hydra=hydra(tmp_path), multirun=True)
