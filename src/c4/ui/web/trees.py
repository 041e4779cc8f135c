"""What the trees of all visitors take together, under one limit: where it is reached, those that nobody thinks in make
room, the longest idle first. Knows no visitor and no search. Of one thread, the server's.
"""

from __future__ import annotations

import weakref
from typing import Protocol


class Tree(Protocol):
    """One that can be grown again."""

    @property
    def in_use(self) -> bool: ...

    def drop(self) -> None:
        """Gives its memory back."""


class Trees:
    def __init__(self, *, most: int) -> None:
        """`most`: bytes."""
        self._most = most
        self._bytes: weakref.WeakKeyDictionary[Tree, int] = weakref.WeakKeyDictionary()  # used longest ago first

    @property
    def bytes(self) -> int:
        return sum(self._bytes.values())

    def note(self, tree: Tree, size: int) -> None:
        """It is so large, and was used just now; others may have to make room."""
        self._bytes.pop(tree, None)
        self._bytes[tree] = size
        over = self.bytes - self._most
        for other, held in list(self._bytes.items()):
            if over <= 0:
                break
            if not other.in_use:
                del self._bytes[other]
                other.drop()
                over -= held

    def may_grow(self, tree: Tree) -> bool:
        """While all are in use and there is no room, those that have less than an equal share."""
        return self.bytes <= self._most or self._bytes.get(tree, 0) * len(self._bytes) < self._most
