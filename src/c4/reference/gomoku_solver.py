"""Perfect play of Gomoku, and wins by fours and threes, by trying everything: what native/solve must agree with.

Rules of its own, no bounds, no order, no symmetries: for small boards and the ends of games. Cells are counted row by
row from the top left; `own` are the stones of the side to move.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from functools import cached_property

Stones = frozenset[int]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Square:
    """A board and the number of stones in a row that wins, or more."""

    size: int
    in_a_row: int

    @cached_property
    def lines(self) -> list[Stones]:
        lines = []
        for row in range(self.size):
            for column in range(self.size):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + i * down, column + i * right) for i in range(self.in_a_row)]
                    if all(0 <= r < self.size and 0 <= c < self.size for r, c in cells):
                        lines.append(frozenset(r * self.size + c for r, c in cells))
        return lines

    @cached_property
    def through(self) -> list[list[Stones]]:
        return [[line for line in self.lines if cell in line] for cell in range(self.size**2)]

    def wins(self, stones: Stones, cell: int) -> bool:
        """Whether a stone on `cell` completes a line of `stones`."""
        with_it = stones | {cell}
        return any(line <= with_it for line in self.through[cell])

    def empty(self, *stones: Stones) -> list[int]:
        return [cell for cell in range(self.size**2) if not any(cell in one for one in stones)]


def sides(actions: Sequence[int]) -> tuple[Stones, Stones]:
    """The stones of the side to move and of the other one after these actions."""
    first, second = frozenset(actions[0::2]), frozenset(actions[1::2])
    return (first, second) if len(actions) % 2 == 0 else (second, first)


def plies_to_end(
    board: Square, own: Stones, other: Stones, known: dict[tuple[Stones, Stones], int] | None = None
) -> int:
    """Positive when the side to move wins in so many plies, negative when it loses, 0 for a draw. It wins as soon as it
    can, and loses as late. `known` receives every position looked at."""
    known = {} if known is None else known
    if (own, other) in known:
        return known[own, other]
    won, lost, drawn = list[int](), list[int](), False
    empty = board.empty(own, other)
    for cell in empty:
        if board.wins(own, cell):
            won.append(1)
            continue
        plies = plies_to_end(board, other, own | {cell}, known)
        drawn = drawn or plies == 0
        if plies > 0:
            lost.append(-plies - 1)
        elif plies < 0:
            won.append(-plies + 1)
    known[own, other] = min(won) if won else 0 if drawn or not empty else min(lost)
    return known[own, other]


def forced_win(board: Square, own: Stones, other: Stones, *, threes: bool, plies: int) -> int:
    """Plies of the shortest win of the side to move in which each of its stones wins or makes a four, or with `threes`
    a three; 0 when there is none within `plies`."""
    shortest = (n for n in range(1, plies + 1, 2) if _wins_within(board, own, other, threes=threes, plies=n))
    return next(shortest, 0)


def _wins_within(board: Square, own: Stones, other: Stones, *, threes: bool, plies: int) -> bool:
    if plies < 1:
        return False
    empty = board.empty(own, other)
    if any(board.wins(own, cell) for cell in empty):
        return True
    return plies > 1 and any(
        _threatens(board, own | {cell}, other, threes=threes)
        and _no_reply_holds(board, own | {cell}, other, threes=threes, plies=plies - 1)
        for cell in empty
    )


def _no_reply_holds(board: Square, own: Stones, other: Stones, *, threes: bool, plies: int) -> bool:
    """Whether `own` wins within `plies` although `other` is to move."""
    replies = board.empty(own, other)
    return bool(replies) and all(
        not board.wins(other, reply) and _wins_within(board, own, other | {reply}, threes=threes, plies=plies - 1)
        for reply in replies
    )


def _threatens(board: Square, own: Stones, other: Stones, *, threes: bool) -> bool:
    """Whether `own` has a four: another stone would win. Or a three: another stone would leave two cells to win in."""
    empty = board.empty(own, other)
    if any(board.wins(own, cell) for cell in empty):
        return True
    return threes and any(sum(board.wins(own | {cell}, win) for win in empty if win != cell) > 1 for cell in empty)


def holds(board: Square, attacker: Stones, defender: Stones, *, answers: int) -> bool:
    """Whether the attacker, to move, is kept from ever completing a line: each that is left has a pair of empty cells
    of its own, at once or after at most `answers` stones of the defender. Those that stop a line at once do not count.
    """
    lines = [line - attacker for line in board.lines if not line & defender]
    if any(len(line) <= 1 for line in lines):
        return False
    if _has_pairs(lines):
        return True
    empty = board.empty(attacker, defender)
    return answers > 0 and all(_is_answered(board, attacker | {cell}, defender, answers=answers) for cell in empty)


def _has_pairs(lines: Sequence[Stones]) -> bool:
    """Whether each of these sets of cells can have two that belong to no other pair."""
    if not lines:
        return True
    pairs = (frozenset(pair) for pair in itertools.combinations(lines[0], 2))
    return any(_has_pairs([line - pair for line in lines if not pair <= line]) for pair in pairs)


def _is_answered(board: Square, attacker: Stones, defender: Stones, *, answers: int) -> bool:
    empty = board.empty(attacker, defender)
    if any(board.wins(defender, cell) for cell in empty):
        return True
    stops = {cell for cell in empty if board.wins(attacker, cell)}
    if stops:
        return len(stops) == 1 and holds(board, attacker, defender | stops, answers=answers)
    replies = (holds(board, attacker, defender | {cell}, answers=answers - 1) for cell in empty)
    return not empty or any(replies)
