"""Wins by fours, as their specification: native/search/fours.h.

Each stone of the attacker leaves a cell to win in at once, so that every reply is forced, until one leaves two.
Positions are looked at in the order of their distance, so that the first win found is the shortest by fours. Cells are
counted row by row from the top left.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from c4.reference.gomoku_solver import Square, Stones

board_of = lru_cache(Square)  # its lines are found once


def wins(lines: Iterable[Stones], own: Stones, other: Stones) -> list[int]:
    """The empty cells where a stone completes one of these lines."""
    return _completing(lines, own, other, lacking=1)


def fours(lines: Iterable[Stones], own: Stones, other: Stones) -> list[int]:
    """The empty cells where a stone leaves one to win in. `own` cannot win at once."""
    return _completing(lines, own, other, lacking=2)


def _completing(lines: Iterable[Stones], own: Stones, other: Stones, *, lacking: int) -> list[int]:
    return sorted({cell for line in lines if len(line - own) == lacking and not line & other for cell in line - own})


def shortest_by_fours(board: Square, own: Stones, other: Stones, *, nodes: int) -> tuple[int | None, int]:
    """Plies of the shortest win by fours of `own`, to move, who cannot win at once, and the nodes that are left:
    negative when more would be needed. A node is a position of the attacker whose stones are looked at."""
    attacks, seen = [(own, other)], {(own, other)}
    for attack in attacks:  # which grow
        if nodes == 0:
            return None, -1
        nodes -= 1
        for four, replies in _fours_with_replies(board, *attack):
            if len(replies) > 1:
                return len(attack[0]) - len(own) + len(attack[1]) - len(other) + 3, nodes
            after = (attack[0] | {four}, attack[1] | {replies[0]})
            if after not in seen and len(wins(board.lines, after[1], after[0])) <= 1:
                seen.add(after)
                attacks.append(after)
    return None, nodes


def _fours_with_replies(board: Square, own: Stones, other: Stones) -> list[tuple[int, list[int]]]:
    """The attacker's fours, cell by cell, and where each wins next. Where the other side would win, it has to move."""
    cells = wins(board.lines, other, own) or fours(board.lines, own, other)
    found = [(cell, wins(board.through[cell], own | {cell}, other)) for cell in cells]
    return [(cell, replies) for cell, replies in found if replies]
