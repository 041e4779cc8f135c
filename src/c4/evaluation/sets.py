"""The labelled sets that need no file from a user: those of Connect Four and Gomoku are carried by the package, those
of small boards are labelled by the solver on first use and kept in the user's cache. Checksums: data/manifest.json.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from c4.evaluation.labels import LabelError, LabelledSet, from_scores, parse_labelled, read_labelled, to_lines
from c4.files import write_beside
from c4.games import game_spec
from c4.machine import cache_folder
from c4.native._core import Position
from c4.params.evaluation import CELLS
from c4.players.oracle import has_oracle, oracle

log = logging.getLogger(__name__)

DATA = Path(__file__).parent / "data"
MANIFEST = "manifest.json"
CARRIED = {"connect4": ("dev", *CELLS), "gomoku6": ("dev", *CELLS), "gomoku8": ("forced",), "gomoku9": ("forced",)}
SMALL_COUNT = 1000  # positions in the set of a small board, spread evenly over the plies that the solver can do
SMALL_EMPTY_CELLS = 19  # a position with more empty cells takes too long to be labelled while a run waits


def set_names(game: str) -> tuple[str, ...]:
    """Names that labelled_set() knows for a game, the one that is graded all the time first; none where nobody knows
    the truth."""
    return CARRIED.get(game) or (("dev",) if has_oracle(game) else ())


def chosen_sets(names: Sequence[str], *, game: str) -> list[LabelledSet]:
    """The sets of these names of evaluation.sets that a game has; `cells` stands for all six cells."""
    wanted = [one for name in names for one in (CELLS if name == "cells" else (name,))]
    return [labelled_set(name, game=game) for name in wanted if name in set_names(game)]


def labelled_set(name: str, *, game: str) -> LabelledSet:
    if name not in set_names(game):
        known = ", ".join(set_names(game)) or "none, perfect play is not known for it"
        raise LabelError(f"{game} has no labelled set {name!r}; there are: {known}")
    return read_set(name, game=game, folder=DATA) if game in CARRIED else small_set(game, cache=cache_folder())


def _entry_name(name: str, *, game: str) -> str:
    """In the manifest, and of the file: Connect Four's came first."""
    return name if game == "connect4" else f"{game}-{name}"


def read_set(name: str, *, game: str, folder: Path) -> LabelledSet:
    """A set with its checksum verified."""
    entry = read_manifest(folder)[_entry_name(name, game=game)]
    path = folder / entry["file"]
    content = gzip.decompress(path.read_bytes())
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise LabelError(f"{path}: the checksum differs from the one in {MANIFEST}: the file was changed or damaged")
    return parse_labelled(content.decode().splitlines(), game=game, name=name, source=str(path))


def read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    manifest: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return manifest


def write_set(labelled: LabelledSet, *, folder: Path, origin: str) -> None:
    """Adds or replaces a set and its entry in the manifest."""
    content = ("\n".join(to_lines(labelled)) + "\n").encode()
    entry = _entry_name(labelled.name, game=labelled.game)
    file = f"{entry}.jsonl.gz"
    folder.mkdir(parents=True, exist_ok=True)
    write_beside(folder / file, gzip.compress(content, compresslevel=9, mtime=0))
    manifest = read_manifest(folder)
    manifest[entry] = {
        "file": file,
        "game": labelled.game,
        "positions": len(labelled),
        "sha256": hashlib.sha256(content).hexdigest(),
        "origin": origin,
    }
    write_beside(folder / MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())


def small_set(game: str, *, cache: Path) -> LabelledSet:
    """Positions of random play on a small board, every one with the truth; the same ones on every machine."""
    path = cache / f"{game}-dev-{SMALL_COUNT}.jsonl.gz"
    if path.exists():
        try:
            return read_labelled(path, game=game, name="dev")
        except LabelError as error:
            log.warning("%s: it is made anew", error)
    moves = _small_positions(game, count=SMALL_COUNT)
    truth = oracle(game)
    # From the end to the beginning: what the solver finds out late in the game helps it early on.
    scores = {one: truth.scores(one) for one in sorted(moves, key=len, reverse=True)}
    labelled = from_scores(name="dev", game=game, moves=moves, scores=[scores[one] for one in moves])
    cache.mkdir(parents=True, exist_ok=True)
    content = "\n".join(to_lines(labelled)) + "\n"
    write_beside(path, gzip.compress(content.encode(), mtime=0))
    return labelled


def _small_positions(game: str, *, count: int) -> list[tuple[int, ...]]:
    """Up to `count` unfinished positions, unique up to symmetry, as even over the plies as there are any."""
    cells = game_spec(game).max_plies
    rng = random.Random(f"{game} dev")
    plies = range(max(0, cells - SMALL_EMPTY_CELLS), cells)
    found: dict[int, dict[int, tuple[int, ...]]] = {ply: {} for ply in plies}
    for _ in range(20 * count):
        position = Position(game)
        while not position.is_terminal:
            row = found.get(position.ply)
            if row is not None and len(row) * len(plies) < count:
                row.setdefault(position.canonical_key, tuple(position.actions))
            position = position.play(rng.choice(position.legal))
    return [moves for row in found.values() for moves in row.values()]


def subset(labelled: LabelledSet, *, count: int) -> LabelledSet:
    """Every k-th position: fixed, and spread over the plies as the set is."""
    rows: Sequence[int] = [index * len(labelled) // count for index in range(min(count, len(labelled)))]
    return labelled if count >= len(labelled) else labelled.take(rows)
