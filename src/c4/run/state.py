"""The files a run goes on from: where they lie, how the newest whole one is found, what they say of their run.

A state is Lightning's checkpoint with a header under "c4"; the samples of its window lie in the archive. It is read
with weights_only: nothing in it can run. Two are kept, so that there is a whole one at any moment.
"""

from __future__ import annotations

import dataclasses
import pickle
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # finding a run needs no numpy: the first line of a run appears before it is loaded
    from c4.run.archive import Archive

FORMAT = 2
"""Rises when an older program's states can no longer be read."""

DATA = "C4DataModule"
"""Under which Lightning keeps what the data module saves."""

KEPT = 2
COMPOSED = ".hydra/overrides.yaml"  # the last that Hydra writes before a run begins
_NAME = re.compile(r"state_(\d{6})\.ckpt")


class StateError(ValueError):
    """There is nothing to go on from; the text says why."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunState:
    """A whole state, as read."""

    path: Path
    header: dict[str, Any]
    ledger: dict[str, Any]  # Ledger.state_dict
    problems: tuple[str, ...]  # why newer ones were passed over


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunFolder:
    """Where the files of a run lie."""

    path: Path

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    @property
    def archive(self) -> Archive:
        from c4.run.archive import Archive

        return Archive(folder=self.path / "samples")

    def state(self, generation: int) -> Path:
        """The state after so many generations."""
        return self.checkpoints / f"state_{generation:06d}.ckpt"

    def states(self) -> list[Path]:
        """All states, newest first."""
        return sorted((path for path in self.checkpoints.glob("*.ckpt") if _NAME.fullmatch(path.name)), reverse=True)

    def player(self, name: str) -> Path:
        """A player: best, last, or of a generation."""
        return self.checkpoints / f"{name}.safetensors"

    def has_begun(self) -> bool:
        """Whether a run was composed here. One that was refused at once has an outcome, and no configuration."""
        refused = (self.path / "outcome.json").exists() and not self.has_config()
        return (self.path / COMPOSED).exists() and not refused

    def has_config(self) -> bool:
        """Whether a run has said what it is: it was not refused."""
        return (self.path / "config.yaml").exists()

    def remove_leftovers(self) -> None:
        """Removes what a killed process has left half written."""
        for folder in (self.path, self.checkpoints, self.path / "samples"):
            for path in folder.glob(".*.*"):
                if path.is_file():
                    path.unlink()


def generation_of(path: Path) -> int:
    """How many generations are in a state, by its name."""
    found = _NAME.fullmatch(path.name)
    if found is None:
        raise StateError(f"{path} is no state of a run: those are called state_000012.ckpt")
    return int(found.group(1))


def find_run(target: str, *, runs: Path) -> tuple[RunFolder, Path | None]:
    """The run that `resume` names, and its state if it names one. Raises StateError."""
    if target == "auto":
        traces = [path for path in runs.rglob("checkpoints/state_*.ckpt") if _NAME.fullmatch(path.name)]
        traces += [path for path in runs.rglob(COMPOSED) if _is_all(path)]
        if not traces:
            raise StateError(f"resume=auto: there is no run to go on with in {runs}")
        newest = max(traces, key=lambda path: path.stat().st_mtime)
        return RunFolder(path=newest.parent.parent), None
    path = Path(target)
    if target == "champion" and not path.exists():
        raise StateError("resume=champion: this is a player, not the state of a run; nothing can go on from it")
    if not path.exists():
        raise StateError(f"resume={target}: there is no such file or folder")
    if path.is_dir():
        folder = RunFolder(path=path.parent if path.name == "checkpoints" else path)
        if not (folder.states() or folder.has_begun()):
            raise StateError(f"resume={target}: the folder has no checkpoints/state_*.ckpt to go on from")
        return folder, None
    if path.suffix == ".safetensors":
        raise StateError(
            f"resume={target}: this is a player, not the state of a run; resume={path.parent.parent} goes on"
        )
    generation_of(path)
    return RunFolder(path=path.parent.parent), path


def _is_all(composed: Path) -> bool:
    """Whether nothing else is there of a run yet: it was killed or stopped before its first state."""
    folder = RunFolder(path=composed.parent.parent)
    return folder.has_begun() and not folder.states()


def newest_whole(folder: RunFolder, *, upto: Path | None) -> RunState:
    """The newest state that is whole, or the one asked for if it is. Raises StateError when there is none."""
    problems: list[str] = []
    for path in folder.states():
        if upto is not None and path.name > upto.name:
            continue
        try:
            header, ledger = _read(path, archive=folder.archive)
            return RunState(path=path, header=header, ledger=ledger, problems=tuple(problems))
        except StateError as error:
            problems.append(str(error))
    raise StateError("; ".join(problems) or f"{folder.path} has no state to go on from")


def check_fit(state: RunState, *, game: str, network: Mapping[str, Any]) -> None:
    """Raises StateError when a state is of another game or network than the run."""
    if state.header["game"] != game:
        raise StateError(f"{state.path} plays {state.header['game']}, not {game}")
    other = {name for name, value in network.items() if state.header["network"].get(name) != value}
    if other:
        name = min(other)
        raise StateError(
            f"{state.path} has another network: network.{name} is {state.header['network'].get(name)} in it, "
            f"{network[name]} here"
        )


def _read(path: Path, *, archive: Archive) -> tuple[dict[str, Any], dict[str, Any]]:
    import torch

    from c4.run.archive import ArchiveError

    try:
        whole = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
        header = whole["c4"]
        version = header["format"]
    except pickle.UnpicklingError as error:
        raise StateError(f"{path} is refused: it is broken, or holds more than data") from error
    except (OSError, RuntimeError, EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise StateError(f"{path} is not whole") from error
    if version != FORMAT:
        raise StateError(
            f"{path} has format {version}, this program reads format {FORMAT}: it was made by another version"
        )
    try:
        for generation in range(*whole[DATA]["window"]):
            archive.read(generation, game=header["game"])
    except ArchiveError as error:
        raise StateError(f"{path} cannot be gone on from: {error}") from error
    return dict(header), dict(whole[DATA]["ledger"])
