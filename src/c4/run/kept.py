"""What a run keeps to be looked at: its newest self-play games, and the gravest mistakes of its newest grading.

Two files beside metrics.csv. A line that cannot be read is passed over: it is shown to people, nothing depends on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from c4.files import write_beside

GAMES, MISTAKES = "games.jsonl", "mistakes.jsonl"
IN_A_GAME = {"generation": int, "game_id": int, "actions": list, "best": list, "flags": list, "result": int}
IN_A_MISTAKE = {"generation": int, "moves": str, "simulations": int, "played": int, "scores": list, "board": list}


def keep_games(folder: Path, games: Iterable[Mapping[str, Any]], *, generation: int, most: int) -> None:
    """Adds a generation's games, as Generator.take_games gives them; the newest `most` of all stay."""
    old = [game for game in read_games(folder) if game["generation"] < generation]  # others are from before a resume
    new = [{"generation": generation} | {name: game[name] for name in IN_A_GAME if name in game} for game in games]
    _write(folder / GAMES, [*old, *new][-most:])


def read_games(folder: Path) -> list[dict[str, Any]]:
    """Oldest first."""
    return _read(folder / GAMES, wanted=IN_A_GAME)


def keep_mistakes(folder: Path, mistakes: Iterable[Mapping[str, Any]], *, generation: int) -> None:
    """In the place of those of an older grading; as evaluation/report.py describes them."""
    _write(folder / MISTAKES, [{"generation": generation} | dict(mistake) for mistake in mistakes])


def read_mistakes(folder: Path) -> list[dict[str, Any]]:
    """The gravest first."""
    return _read(folder / MISTAKES, wanted=IN_A_MISTAKE)


def _write(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    write_beside(path, "".join(json.dumps(line) + "\n" for line in lines).encode())


def _read(path: Path, *, wanted: Mapping[str, type]) -> list[dict[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, UnicodeDecodeError):
        return []
    found = []
    for line in lines:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(entry, dict) and all(isinstance(entry.get(name), kind) for name, kind in wanted.items()):
            found.append(entry)
    return found
