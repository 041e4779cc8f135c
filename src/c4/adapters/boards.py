"""From the stones on a board back to plies that may have led there. For games whose stones drop into columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from c4.native._core import Position

Board = NDArray[np.integer[Any]]
"""[H, W], row 0 on top: 0 empty, 1 the first player's stone, 2 the second player's."""

SOON = 2
"""Plies between two looks of one player at a board."""


def position_of(board: Board, *, game: str, since: Position) -> Position:
    """A position with these stones; a continuation of `since` where there is a short one. Raises ValueError."""
    near = [since]
    for _ in range(SOON + 1):
        for position in near:
            if np.array_equal(position.board(), board):
                return position
        near = [
            position.play(action)
            for position in near
            for action in position.legal
            if not np.any((after := position.play(action).board()) * (after != board))
        ]
    return Position.from_actions(game, _plies(board))


def _plies(board: Board) -> list[int]:
    """Columns in an order in which the players take turns. Raises ValueError when there is none."""
    stacks = [[int(stone) for stone in reversed(column) if stone] for column in board.T]
    stones = [stone for stack in stacks for stone in stack]
    floating = any(np.any(column[np.argmax(column != 0) :] == 0) for column in board.T if column.any())
    if floating or stones.count(1) - stones.count(2) not in {0, 1}:
        raise ValueError("no game leads to this board: a stone floats, or one player has played too often")
    heights, plies, dead = [0] * len(stacks), list[int](), set[tuple[int, ...]]()
    tried = [iter(range(len(stacks)))]
    while len(plies) < len(stones):
        mover = 1 + len(plies) % 2
        column = next((c for c in tried[-1] if _fits(stacks, heights, column=c, mover=mover, dead=dead)), None)
        if column is not None:
            heights[column] += 1
            plies.append(column)
            tried.append(iter(range(len(stacks))))
            continue
        dead.add(tuple(heights))
        tried.pop()
        if not plies:
            raise ValueError("no game leads to this board: its stones lie in an order that no turns give")
        heights[plies.pop()] -= 1
    return plies


def _fits(stacks: list[list[int]], heights: list[int], *, column: int, mover: int, dead: set[tuple[int, ...]]) -> bool:
    """Whether the mover's stone comes next in a column, and leads to no dead end that is known."""
    if heights[column] == len(stacks[column]) or stacks[column][heights[column]] != mover:
        return False
    return (*heights[:column], heights[column] + 1, *heights[column + 1 :]) not in dead
