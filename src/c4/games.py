"""What the rest of the program may know of a game: its shape. The rules are in native/games, the registry in native."""

from __future__ import annotations

import difflib

from c4.native import _core
from c4.native._core import GameSpec

__all__ = ["GameSpec", "UnknownGameError", "game_names", "game_spec"]


class UnknownGameError(ValueError):
    """No game has this name."""

    def __init__(self, name: str) -> None:
        known = game_names()
        nearest = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
        super().__init__(f"No game is called '{name}'.{hint} The games are {', '.join(known)}.")


def game_names() -> list[str]:
    """The known games, in alphabetical order."""
    return _core.game_names()


def game_spec(name: str) -> GameSpec:
    """The game of this name, or UnknownGameError."""
    if name not in game_names():
        raise UnknownGameError(name)
    return _core.game_spec(name)
