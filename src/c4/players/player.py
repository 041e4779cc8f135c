"""What a player is: to the arena, the terminal, the page, and to whoever writes one.

A class of one's own needs `name`, `begin` and `choose`, and nothing of c4. It is named by `_target_` (in a file of the
group `player`, here or in a folder of one's own) or by a word, my_module:MyPlayer. When it is made it is given its own
arguments, and of what players/roster.py offers (game, seed, threads, ...) what its signature names. It may have

    title   how a list of opponents calls it, such as "Perfect play (solver)"; else as its file is called
    called  how a sentence calls it, such as "the solver"; else its name
    knobs   a class of c4.params.knob: its arguments, checked before it is made
    rounds  how often `begin` was called. Who draws by chance draws by this, too: an arena whose games are played in
            several processes sets it, so that each draws what one process would have drawn
    said    a static function: the arguments that what follows its name in a word stands for (":last12")
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Protocol

from c4.native._core import Position
from c4.network.inference.engine import Judge
from c4.params.search import SearchParams


@dataclasses.dataclass(frozen=True)
class Forfeit:
    """In place of an action: the game is lost by who was to move, for what another program did or failed to do."""

    reason: str  # a sentence


class ForfeitError(ValueError):
    """The only game there is has been forfeited; the text is the sentence."""


class Player(Protocol):
    """Several games at once, told apart by slots.

    Keeps what it knows of its own games to itself: two players never share a tree.
    """

    name: str

    def begin(self, slots: int, /) -> None:
        """New games in the slots from 0 to slots - 1; all that is known of old ones is forgotten."""

    def choose(self, positions: Mapping[int, Position], /) -> Mapping[int, int | Forfeit]:
        """An action for each slot, where it is this player's turn."""


def chosen(player: Player, position: Position) -> int:
    """An action in the only game that is played. Raises ForfeitError."""
    action = player.choose({0: position})[0]
    if isinstance(action, Forfeit):
        raise ForfeitError(action.reason)
    return action


class SearchPlayer:
    """A player whose moves are the end of a search: at a board, that search is watched, stopped and changed."""

    called: str  # how a sentence calls it, without its budget, which may be changed
    params: SearchParams
    judge: Judge | None  # None: rollouts judge
    simulations: int  # of a move


class PlayerWordError(ValueError):
    """A word that names no player."""


def whole(text: str) -> int:
    """A number in a word. Raises PlayerWordError."""
    if not text.isdecimal():
        raise PlayerWordError(f"{text!r} is not a whole number")
    return int(text)
