"""What the arena and the user interface ask of a player. Several games at once, told apart by slots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from c4.native._core import Position


class Player(Protocol):
    """Keeps what it knows of its own games to itself: two players never share a tree."""

    name: str

    def begin(self, slots: int, /) -> None:
        """New games in the slots from 0 to slots - 1; all that is known of old ones is forgotten."""

    def choose(self, positions: Mapping[int, Position], /) -> dict[int, int]:
        """An action for each slot, where it is this player's turn."""
