"""The book of failures: positions that the largest budget still gets wrong. It holds no scores, so that what is
learned from it can only come from play.

Games that begin from positions of a set train on that set's positions: figures on it are no longer of unseen ones.
Take the book from other positions (`positions=FILE`) to keep the carried sets clean.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from c4.files import read_plain, write_beside
from c4.native._core import Position

MOST = 2**26  # bytes


class BookError(ValueError):
    """A book of failures cannot be read: which line, why."""


def write_book(path: Path, entries: Sequence[Mapping[str, Any]], *, game: str) -> None:
    """Adds positions to a book, each once; a newer entry replaces an older one."""
    book = {line["moves"]: line for line in read_book(path)}
    for entry in entries:
        kept = {name: entry[name] for name in ("moves", "played", "simulations")}
        book[kept["moves"]] = {"game": game} | kept
    path.parent.mkdir(parents=True, exist_ok=True)
    write_beside(path, "".join(json.dumps(line) + "\n" for line in book.values()).encode())


def read_openings(path: Path, *, game: str) -> list[list[int]]:
    """The positions of a book as openings for self-play: lists of actions."""
    openings = []
    for number, line in enumerate(_lines(path), start=1):
        if line.get("game") != game:
            raise BookError(
                f"{path}, line {number}: a position of {str(line.get('game'))[:40]}, but the game is {game}"
            )
        try:
            position = Position(game, str(line["moves"]))
        except ValueError as error:
            raise BookError(f"{path}, line {number}: {error}") from None
        if position.is_terminal:
            raise BookError(f"{path}, line {number}: the game is over after ply {position.ply}")
        openings.append(position.actions)
    return openings


def read_book(path: Path) -> list[dict[str, Any]]:
    """Its lines; none where no book was begun yet."""
    return _lines(path) if path.exists() else []


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        text = read_plain(path, most=MOST).decode()
    except OSError as error:
        raise BookError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BookError(f"{path}: not text") from None
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict) or "moves" not in entry:
            raise BookError(f'{path}, line {number}: expected an object with "game" and "moves"')
        lines.append(entry)
    return lines
