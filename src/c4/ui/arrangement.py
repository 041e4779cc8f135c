"""A board that somebody set up by hand: whether a game can lead there, and one that does. Knows no screen.

The rules are the game's own: what is found here is played through by it before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from c4.games import game_spec
from c4.native._core import Position
from c4.ui.session import SessionError

FIRST, SECOND = 1, 2  # stones, as Position.board has them
Board = NDArray[np.int64]


def arranged(game: str, rows: Sequence[str]) -> Position:
    """`rows`: top row first; . empty, 1 the first player's stone, 2 the second's. Raises SessionError with a sentence.

    Of the games that lead there it is one that ends only with its last stone, if at all.
    """
    board = _board(game, rows)
    first, second = int((board == FIRST).sum()), int((board == SECOND).sum())
    if first - second not in {0, 1}:
        raise SessionError(
            f"the first player has {first} {_stones(first)} and the second {second}: "
            "the first must have as many or one more"
        )
    falls = _falls(game)
    if falls:
        _check_support(game, board)
    reached = False
    for last in _last_stones(board, mover=FIRST if first > second else SECOND, falls=falls):
        actions = _order_in_columns(board, last=last) if falls else _order_of_cells(board, last=last)
        if actions is None:
            continue
        reached = True
        with suppress(ValueError):  # the game was over before its last stone
            return Position.from_actions(game, actions)
    if reached:
        raise SessionError("the game would have been over before its last stone: a row was complete already")
    raise SessionError("no game leads there: the players take turns, and no order of these columns allows that")


def _board(game: str, rows: Sequence[str]) -> Board:
    spec = game_spec(game)
    if len(rows) != spec.height or any(len(row) != spec.width or set(row) - set(".12") for row in rows):
        raise SessionError(f"a board of {game} has {spec.height} rows of {spec.width} cells, each of them . or 1 or 2")
    return np.array([[".12".index(cell) for cell in row] for row in rows], dtype=np.int64)


def _falls(game: str) -> bool:
    spec = game_spec(game)
    return spec.actions == spec.width


def _stones(count: int) -> str:
    return "stone" if count == 1 else "stones"


def _check_support(game: str, board: Board) -> None:
    for column in range(board.shape[1]):
        filled = board[:, column] != 0
        if (filled[:-1] & ~filled[1:]).any():
            name = Position(game).action_name(column)
            raise SessionError(f"a stone hangs in the air in column {name}: stones fall to the lowest free cell")


def _last_stones(board: Board, *, mover: int, falls: bool) -> Iterator[tuple[int, int] | None]:
    """Those with which the game may have come to where it is; None for an empty board."""
    if not board.any():
        yield None
    for row, column in np.argwhere(board == mover).tolist():
        if not falls or row == 0 or board[row - 1, column] == 0:
            yield row, column


def _order_of_cells(board: Board, *, last: tuple[int, int] | None) -> list[int]:
    """Any order will do where nothing falls: no part of a board without a complete row has one."""
    cells = {stone: np.flatnonzero(board == stone).tolist() for stone in (FIRST, SECOND)}
    if last is not None:
        mine, at = cells[int(board[last])], last[0] * board.shape[1] + last[1]
        mine.remove(at)
        mine.append(at)
    return [cells[FIRST if ply % 2 == 0 else SECOND][ply // 2] for ply in range(int((board != 0).sum()))]


def _order_in_columns(board: Board, *, last: tuple[int, int] | None) -> list[int] | None:
    """Which column was played when, the one of `last` at the end; None where taking turns never leads there.

    The heights of the columns say all about what is left to do, so none is tried twice.
    """
    if last is None:
        return []
    columns = [[int(stone) for stone in column[::-1] if stone] for column in board.T]
    columns[last[1]].pop()
    total = sum(map(len, columns))
    heights, played, tried = [0] * len(columns), list[int](), set[tuple[int, ...]]()
    untried = [iter(range(len(columns)))]
    while len(played) < total:
        mover = FIRST if len(played) % 2 == 0 else SECOND
        for column in untried[-1]:
            height = heights[column]
            if height < len(columns[column]) and columns[column][height] == mover:
                heights[column] += 1
                if tuple(heights) not in tried:
                    tried.add(tuple(heights))
                    played.append(column)
                    untried.append(iter(range(len(columns))))
                    break
                heights[column] -= 1
        else:
            untried.pop()
            if not played:
                return None
            heights[played.pop()] -= 1
    return [*played, last[1]]
