"""What a run has made beyond the state that it goes on from: another line's, kept beside and out of the way."""

from __future__ import annotations

import itertools
from pathlib import Path

from c4.files import read_plain, write_beside
from c4.network.weights import PlayerFileError, read_card
from c4.run.folder import RunFolder, generation_of
from c4.run.kept import forget_after
from c4.run.metrics import MOST, read_metrics


def set_aside(folder: RunFolder, *, after: int) -> Path | None:
    """Moves states, players and samples that are newer than so many generations, and copies the tables that tell of
    them before they forget them; returns where to. None where nothing was earned after that, as when a run was killed.

    States go first: a run that is killed here goes on from the same one.
    """
    newer = [path for path in folder.states() if generation_of(path) > after]
    newer += [path for path in folder.players() if _made_in(path) > after]
    if not newer and max(read_metrics(folder), default=0) <= after:
        return None
    newer += [path for path in folder.clocks() if path > folder.clock(folder.state(after))]
    place = _new(folder.discarded(after))
    for path in newer:
        path.replace(place / path.name)
    if newer_samples := [path for path in folder.samples.glob("*") if path >= folder.archive.path(after)]:
        (place / folder.samples.name).mkdir()
    for path in newer_samples:  # of which the newer states were made
        path.replace(place / folder.samples.name / path.name)
    for path in (folder.metrics, folder.games, folder.mistakes, folder.audits, folder.outcome):
        if path.exists():
            write_beside(place / path.name, read_plain(path, most=MOST))
    forget_after(folder, after)
    return place


def _made_in(player: Path) -> int:
    """The generation that a player is of; 0 where it does not say."""
    try:
        return int(read_card(player).get("generation", 0))
    except (PlayerFileError, TypeError, ValueError):
        return 0


def _new(wanted: Path) -> Path:
    for number in itertools.count(1):
        place = wanted if number == 1 else wanted.with_name(f"{wanted.name}_{number}")
        if not place.exists():
            place.mkdir()
            return place
    raise AssertionError
