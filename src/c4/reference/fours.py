"""Wins by fours, and losses to them, as their specification: native/search/fours.h.

Each stone of the attacker leaves a cell to win in at once, so that every reply is forced, until one leaves two.
Positions are looked at in the order of their distance, so that the first win found is the shortest by fours. Cells are
counted row by row from the top left.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from c4.reference.gomoku_solver import Square, Stones


class OutOfNodesError(Exception):
    """More nodes would be needed."""


@dataclasses.dataclass(frozen=True)
class Win:
    plies: int
    cells: Stones  # of all its fours, replies and last stones
    replies: Stones


@dataclasses.dataclass
class Fours:
    """A node is a position of the attacker whose stones are looked at. `own` is the side to move."""

    board: Square
    nodes_left: int

    def wins_in(self, own: Stones, other: Stones) -> Win | None:
        """The shortest win by fours, if there is one. `own` cannot win at once, `other` could in one cell at most."""
        attacks = [(own, other)]
        seen = set(attacks)
        for attack in attacks:  # which grow
            if self.nodes_left == 0:
                raise OutOfNodesError
            self.nodes_left -= 1
            for four, replies in self._fours(*attack):
                laid, replied = attack[0] - own, attack[1] - other
                if len(replies) > 1:
                    return Win(len(laid | replied) + 3, laid | replied | {four, *replies}, replied)
                after = (attack[0] | {four}, attack[1] | {replies[0]})
                if after not in seen and len(wins(self.board.lines, after[1], after[0])) <= 1:
                    seen.add(after)
                    attacks.append(after)
        return None

    def loses_in(self, own: Stones, other: Stones) -> int | None:
        """Plies in which `own`, who cannot win at once, loses at the latest, whatever it plays."""
        threats = wins(self.board.lines, other, own)
        if len(threats) > 1:
            return 2
        longest, moves = 0, threats
        if not threats:
            passed = self.wins_in(other, own)
            if passed is None:
                return None
            longest, moves = passed.plies + 1, self._defences(own, other, passed)
        for move in moves:
            plies = self._loses_by(move, own, other)
            if plies is None:
                return None
            longest = max(longest, plies)
        return longest

    def _loses_by(self, move: int, own: Stones, other: Stones) -> int | None:
        """The same after one move."""
        own |= {move}
        threats = wins(self.board.through[move], own, other)
        if len(threats) > 1:
            return None
        if not threats:
            win = self.wins_in(other, own)
            return None if win is None else win.plies + 1
        plies = self.loses_in(own, other | {threats[0]})
        return None if plies is None else plies + 2

    def _fours(self, own: Stones, other: Stones) -> list[tuple[int, list[int]]]:
        """Cell by cell, and where each wins next. Where the other side would win, `own` has to move."""
        cells = wins(self.board.lines, other, own) or fours(self.board.lines, own, other)
        found = [(cell, wins(self.board.through[cell], own | {cell}, other)) for cell in cells]
        return [(cell, replies) for cell, replies in found if replies]

    def _defences(self, own: Stones, other: Stones, win: Win) -> list[int]:
        """What could stop the other side's win: its cells, and where a stone would make a four or a line with the
        replies. After any other move the same win is there."""
        replied = own | win.replies
        return sorted({*win.cells, *wins(self.board.lines, replied, other), *fours(self.board.lines, replied, other)})


def wins(lines: Iterable[Stones], own: Stones, other: Stones) -> list[int]:
    """The empty cells where a stone completes one of these lines."""
    return _completing(lines, own, other, lacking=1)


def fours(lines: Iterable[Stones], own: Stones, other: Stones) -> list[int]:
    """The empty cells where a stone leaves one to win in. `own` cannot win at once."""
    return _completing(lines, own, other, lacking=2)


def _completing(lines: Iterable[Stones], own: Stones, other: Stones, *, lacking: int) -> list[int]:
    return sorted({cell for line in lines if len(line - own) == lacking and not line & other for cell in line - own})
