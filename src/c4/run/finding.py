"""Where runs are: the one that `resume` names, the one that a player lies in, all those below a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from c4.run.folder import ANYWHERE, RunFolder, StateError, generation_of
from c4.run.metrics import has_metrics

DEEP = 3
"""Folders between that of all runs and a run's own: experiment, sweep, job."""


def find_run(target: str, *, runs: Path) -> tuple[RunFolder, Path | None]:
    """The run that `resume` names, and its state if it names one. Raises StateError."""
    return (_newest(runs), None) if target == "auto" else run_named(target)


def run_named(target: str) -> tuple[RunFolder, Path | None]:
    """The run of a folder or a state, and the state if it is one. Raises StateError."""
    path = Path(target)
    if target == "champion" and not path.exists():
        raise StateError("resume=champion: this is a player, not the state of a run; it cannot be resumed")
    if not path.exists():
        raise StateError(f"resume={target}: there is no such file or folder")
    if path.is_dir():
        folder = RunFolder(path=path)
        if path.name == folder.checkpoints.name:
            folder = RunFolder(path=path.parent)
        if not folder.states() and has_metrics(folder):
            raise StateError(
                f"resume={target}: the states of this run are gone ({folder.checkpoints.name}/state_*.ckpt), nothing "
                "can go on from its players alone; without resume a new run begins, in a folder of its own"
            )
        if not (folder.states() or folder.has_begun()):
            raise StateError(f"resume={target}: the folder has no {folder.checkpoints.name}/state_*.ckpt to resume")
        return folder, None
    folder = RunFolder(path=path.parent.parent)
    if path.suffix == folder.player("best").suffix:
        raise StateError(
            f"resume={target}: this is a player, not the state of a run; resume={folder.path} continues it"
        )
    generation_of(path)
    return folder, path


def _newest(runs: Path) -> RunFolder:
    """By the age of its state, not by what was last typed."""
    traces = dict[Path, RunFolder]()
    for path in runs.glob(str(ANYWHERE.checkpoints)):
        folder = RunFolder(path=path.parent)
        traces |= dict.fromkeys(filter(Path.exists, folder.states()), folder)  # a link may lead nowhere
    for path in runs.glob(str(ANYWHERE.overrides)):
        folder = RunFolder(path=path.parent.parent)
        if folder.has_begun() and not made_something(folder):  # killed or stopped before its first state
            traces[path] = folder
    if not traces:
        raise StateError(f"resume=auto: there is no run to resume in {runs}")
    return traces[max(traces, key=lambda path: path.stat().st_mtime)]


def made_something(folder: RunFolder) -> bool:
    """Whether a run has finished a generation here: what it saved then, and says of it, is not to be written over."""
    return bool(folder.states()) or has_metrics(folder)


def run_of(player: Path) -> RunFolder | None:
    """The run that a player lies in, in its folder or the one above; None where it lies in none."""
    folders = (RunFolder(path=path) for path in player.resolve().parents[:2])
    return next((folder for folder in folders if folder.has_config()), None)


def runs_below(root: Path) -> Iterator[RunFolder]:
    """All that have said what they are."""
    for depth in range(1, DEEP + 1):
        for path in root.glob("*/" * depth):
            folder = RunFolder(path=path)
            if folder.has_config():
                yield folder


def player_in(path: Path) -> Path | None:
    """The player that a person means by a run's folder, or by that of its checkpoints: the best, the last, a state."""
    run = RunFolder(path=path)
    named = [run.player("best"), run.player("last")]
    named += [path / player.name for player in named]
    states = sorted((*path.glob("*.ckpt"), *run.checkpoints.glob("*.ckpt")))
    return next((player for player in named if player.is_file()), states[-1] if states else None)
