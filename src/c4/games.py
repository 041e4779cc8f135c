"""What the rest of the program may know of a game: its shape. The rules are in native/games, the registry in native."""

from __future__ import annotations

import dataclasses
import difflib

from c4.native import _core


class UnknownGameError(ValueError):
    """No game has this name."""

    def __init__(self, name: str) -> None:
        known = game_names()
        nearest = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
        super().__init__(f"No game is called '{name}'.{hint} The games are {', '.join(known)}.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class GameSpec:
    """The shape of a game. Planes are [planes, height, width], policies [actions]."""

    name: str
    title: str  # for people
    planes: int
    height: int
    width: int
    in_a_row: int
    actions: int
    max_plies: int  # the longest game; the moves-left head has max_plies + 1 classes
    symmetries: int  # 0 is the identity
    packed_bytes: int  # of a packed position


def game_names() -> list[str]:
    """The known games, in alphabetical order."""
    return _core.game_names()


def game_spec(name: str) -> GameSpec:
    """The game of this name, or UnknownGameError."""
    if name not in game_names():
        raise UnknownGameError(name)
    info = _core.game_info(name)
    return GameSpec(**{field.name: getattr(info, field.name) for field in dataclasses.fields(GameSpec)})
