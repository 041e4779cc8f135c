"""What a run keeps of its games, to be looked at: the newest, the gravest mistakes, and audits. JSON, a line each.

Nothing depends on it: a line that cannot be read is passed over, but where a person asks for the audits alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from c4.files import read_plain, write_beside
from c4.run.folder import RunFolder

IN_A_GAME = {"generation": int, "game_id": int, "actions": list, "best": list, "flags": list, "result": int}
IN_A_MISTAKE = {"generation": int, "moves": str, "simulations": int, "played": int, "scores": list, "board": list}
IN_AN_AUDIT = {"generation": int, "games": int, "positions": int, "plies": list}


MOST = 2**28  # bytes: more than any run writes


class AuditError(ValueError):
    """The audits of a run cannot be read: which line, why; or there is no run."""


def keep_games(folder: RunFolder, games: Iterable[Mapping[str, Any]], *, generation: int, most: int) -> None:
    """Adds a generation's games, as Generator.take_games gives them; the newest `most` of all stay."""
    new = [{"generation": generation} | {name: game[name] for name in IN_A_GAME if name in game} for game in games]
    _write(folder.games, [*_before(generation, read_games(folder)), *new][-most:])


def read_games(folder: RunFolder) -> list[dict[str, Any]]:
    """Oldest first."""
    return _read(folder.games, wanted=IN_A_GAME)


def keep_mistakes(folder: RunFolder, mistakes: Iterable[Mapping[str, Any]], *, generation: int) -> None:
    """In the place of those of an older grading; as evaluation/report.py describes them."""
    _write(folder.mistakes, [{"generation": generation} | dict(mistake) for mistake in mistakes])


def read_mistakes(folder: RunFolder) -> list[dict[str, Any]]:
    """The gravest first."""
    return _read(folder.mistakes, wanted=IN_A_MISTAKE)


def keep_audit(folder: RunFolder, audit: Mapping[str, Any], *, generation: int) -> None:
    """Adds a generation's, as evaluation/selfplay_audit.py makes them."""
    old = _before(generation, _read(folder.audits, wanted=IN_AN_AUDIT))
    _write(folder.audits, [*old, {"generation": generation} | dict(audit)])


def read_audits(folder: RunFolder) -> dict[int, dict[str, Any]]:
    """By generation; none where the run has kept none. Raises AuditError."""
    audits = {}
    try:
        lines = _lines(folder.audits)
    except OSError as error:
        raise AuditError(f"{folder.audits}: {error.strerror}") from None
    for number, line in enumerate(lines, start=1):
        if (entry := _entry(line, wanted=IN_AN_AUDIT)) is None:
            raise AuditError(f"{folder.audits}, line {number}: not an audit of self-play")
        audits[int(entry.pop("generation"))] = entry
    return audits


def forget_after(folder: RunFolder, generation: int) -> None:
    """Later ones are of a line that is not continued."""
    for path, wanted in ((folder.games, IN_A_GAME), (folder.mistakes, IN_A_MISTAKE), (folder.audits, IN_AN_AUDIT)):
        if path.exists():
            _write(path, _before(generation + 1, _read(path, wanted=wanted)))


def _before(generation: int, kept: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of that generation and of later ones are from before a resume: they make room."""
    return [one for one in kept if one["generation"] < generation]


def _write(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    write_beside(path, "".join(json.dumps(line) + "\n" for line in lines).encode())


def _read(path: Path, *, wanted: Mapping[str, type]) -> list[dict[str, Any]]:
    return [entry for line in _lines(path) if (entry := _entry(line, wanted=wanted)) is not None]


def _lines(path: Path) -> list[bytes]:
    """Raises OSError."""
    try:
        return read_plain(path, most=MOST).splitlines()
    except FileNotFoundError:
        return []


def _entry(line: bytes, *, wanted: Mapping[str, type]) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fits = isinstance(entry, dict) and all(isinstance(entry.get(name), kind) for name, kind in wanted.items())
    return entry if fits else None
