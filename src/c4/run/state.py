"""The files a run goes on from: how the newest whole one is found, and what they say of their run.

A state is Lightning's checkpoint with a header under "c4"; the samples of its window lie in the archive, and what a
clock says beside it. It is read with weights_only: nothing in it can run, and against its own checksums. Two are kept,
so that there is a whole one at any moment.
"""

from __future__ import annotations

import dataclasses
import logging
import pickle
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4.run.claim import check_unused
from c4.run.clock import read_clock, with_clock
from c4.run.finding import run_named
from c4.run.folder import RunFolder, StateError, generation_of

if TYPE_CHECKING:
    from c4.run.archive import Archive

log = logging.getLogger(__name__)

FORMAT = 3
"""Rises when a program of today writes what an older one cannot read."""

OLDEST = 2
"""That can be read: those had in them what a clock says."""

DATA = "C4DataModule"
"""Under which Lightning keeps what the data module saves."""

KEPT = 2
UNREADABLE = (OSError, RuntimeError, EOFError, LookupError, TypeError, ValueError, struct.error, zipfile.BadZipFile)


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunState:
    """A whole state, as read."""

    path: Path
    header: dict[str, Any]
    ledger: dict[str, Any]  # Ledger.state_dict
    archive: Archive  # which holds the samples of its window
    problems: tuple[str, ...] = ()  # why newer ones were passed over

    @property
    def generation(self) -> int:
        return generation_of(self.path)


def newest_whole(folder: RunFolder, *, upto: Path | None) -> RunState:
    """The newest state that is whole, or the one asked for if it is. Raises StateError when there is none."""
    problems, archive = list[str](), folder.archive
    for path in folder.states():
        if upto is not None and path.name > upto.name:
            continue
        try:
            header, ledger = _read(path, clock=folder.clock(path), archive=archive)
            return RunState(path=path, header=header, ledger=ledger, archive=archive, problems=tuple(problems))
        except StateError as error:
            problems.append(str(error))
    raise StateError("; ".join(problems) or f"{folder.path} has no state to resume from")


def state_to_go_on_from(resume: str | None, *, folder: RunFolder) -> RunState | None:
    """Of the run in `folder`, as `resume` names it; says which newer states are passed over and why.

    None for a run that begins, anew or again. Raises StateError, also where another run has the folder.
    """
    if resume is None:
        check_unused(folder)
        return None
    begun, state = run_named(resume)
    if not begun.path.samefile(folder.path):
        raise StateError(f"resume={resume}: a run is resumed in its own folder only, and not by multirun (-m)")
    if not folder.states():
        log.info("nothing of this run was saved yet: it starts again")
        return None
    found = newest_whole(folder, upto=state)
    for problem in found.problems:
        log.warning("%s: resuming from %s instead", problem, found.path.name)
    return found


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


def _read(path: Path, *, clock: Path, archive: Archive) -> tuple[dict[str, Any], dict[str, Any]]:
    from c4.network.loaded import load_data
    from c4.run.archive import ArchiveError

    try:
        whole = load_data(path, mmap=True)
        if whole is None:
            raise StateError(f"{path} is damaged: it has changed since it was written")
        header, data = dict(whole["c4"]), whole[DATA]
        version, game = header["format"], str(header["game"])
    except pickle.UnpicklingError as error:
        raise StateError(f"{path} is refused: it is broken, or holds more than data") from error
    except StateError:
        raise
    except UNREADABLE as error:
        raise StateError(f"{path} is incomplete") from error
    if type(version) is not int or not OLDEST <= version <= FORMAT:
        raise StateError(
            f"{path} has format {version}, this program reads format {FORMAT}: it was made by another version"
        )
    try:
        ledger = dict(data["ledger"])
        if version == FORMAT:
            header, ledger = with_clock(header, ledger, read_clock(clock))
        archive.check(range(*data["window"]), game=game)
        return header, ledger
    except (ArchiveError, StateError) as error:
        raise StateError(f"{path} cannot be resumed from: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise StateError(f"{path} is not the state of a run: it says nothing of {error}") from error
