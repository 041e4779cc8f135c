"""Perfect knowledge of a position: the exact score of every move, wins by force. The only file that knows of BitBully.

Connect Four 7x6 asks BitBully (an optional extra), four in a row on 6x6 the solver in native/, boards small enough the
one in reference/. Scores are for the side to move: positive wins, the larger the sooner.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

from c4.games import GameSpec, game_spec
from c4.invocation import install
from c4.native._core import GomokuSolver, Position
from c4.reference.solver import Board, GameOverError, Solver

# Boards that plain Python can judge; on the largest only with up to EMPTY_CELLS empty ones, a minute at worst.
GRAVITY_CELLS, FREE_CELLS = 30, 9
EMPTY_CELLS = 25
QUICK_CELLS = 16  # with at most so many empty ones it answers at once
# Gomoku that native/ can judge: with how many empty cells at most, and at once with how many. What takes more nodes
# than this, a quarter of a minute for a move, is not known; few positions do.
GOMOKU, GOMOKU_EMPTY_CELLS, GOMOKU_QUICK_CELLS = "gomoku6", 30, 24
GOMOKU_NODES, GOMOKU_ENTRIES = 50_000_000, 1 << 21
# Wins by fours and threes are looked for that long, a fifth of a second at worst, on any board of Gomoku.
FORCED_PLIES, FORCED_NODES, FORCED_ENTRIES = 15, 300_000, 1 << 18
FEWEST = 4  # in a row: nobody speaks of fours where three win
BOOK = "12-ply-dist"  # the other books know no distances and silently give scores of the wrong size


class NoOracleError(ValueError):
    """Nobody can tell the truth about this game here."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ForcedWin:
    """Of the side to move. There may be a sooner one that is not by force alone."""

    plies: int
    by: str  # fours; fours and threes


class Oracle(Protocol):
    """Raises GameOverError when nothing is left to play, NoOracleError when this position is too hard."""

    def scores(self, actions: Sequence[int]) -> list[int | None]:
        """Of each action after these; None where it is not legal."""

    def value(self, actions: Sequence[int]) -> int:
        """The true result for the side to move, of finished games too: -1, 0, 1. Much cheaper than all scores."""


class _BitBully:
    def __init__(self) -> None:
        from bitbully import BitBully, bitbully_core

        self._solver: Any = BitBully(opening_book=BOOK)._core
        self._new_board: Any = bitbully_core.BoardCore

    def scores(self, actions: Sequence[int]) -> list[int | None]:
        board = self._board(actions)
        if board.hasWin() or board.movesLeft() == 0:
            raise GameOverError(f"the game is over after ply {len(actions)}")
        illegal = -1000
        return [None if score == illegal else int(score) for score in self._solver.scoreMoves(board)]

    def value(self, actions: Sequence[int]) -> int:
        board = self._board(actions)
        if board.hasWin():
            return -1
        return _sign(self._solver.mtdf(board, 0)) if board.movesLeft() else 0

    def _board(self, actions: Sequence[int]) -> Any:
        board = self._new_board()
        for ply, action in enumerate(actions, start=1):
            if board.hasWin():
                raise ValueError(f"ply {ply}: the game is already over")
            if not board.play(int(action)):
                raise ValueError(f"ply {ply}: action {action} is not legal")
        return board


class _SmallBoard:
    def __init__(self, info: GameSpec, *, gravity: bool) -> None:
        self._info = info
        self._solver = Solver(Board(height=info.height, width=info.width, in_a_row=info.in_a_row, gravity=gravity))

    def scores(self, actions: Sequence[int]) -> list[int | None]:
        empty = self._info.height * self._info.width - len(actions)
        if empty > EMPTY_CELLS:
            most = EMPTY_CELLS
            raise NoOracleError(f"{self._info.name}: {empty} cells are empty, the solver takes up to {most}")
        return self._solver.scores(actions)

    def value(self, actions: Sequence[int]) -> int:
        position = Position.from_actions(self._info.name, actions)
        if position.is_terminal:
            return position.value
        return _sign(max(score for score in self.scores(actions) if score is not None))


class GomokuOracle:
    """Four in a row on six by six cells. To be given up where a move takes more than `nodes`."""

    def __init__(self, info: GameSpec, *, nodes: int) -> None:
        self._game, self._cells, self._nodes = info.name, info.max_plies, nodes
        self._solver = GomokuSolver(size=info.height, in_a_row=info.in_a_row, entries=GOMOKU_ENTRIES)

    def scores(self, actions: Sequence[int]) -> list[int | None]:
        position = self._position(actions)
        if position.is_terminal:
            raise GameOverError(f"the game is over after ply {len(actions)}")
        legal = set(position.legal)
        return [self._score(position.play(action)) if action in legal else None for action in range(self._cells)]

    def value(self, actions: Sequence[int]) -> int:
        position = self._position(actions)
        return position.value if position.is_terminal else _sign(self._plies(position))

    def plies_left(self, position: Position) -> int:
        """To the end under perfect play; a draw fills the board."""
        return abs(self._plies(position)) or self._cells - position.ply

    def _position(self, actions: Sequence[int]) -> Position:
        empty = self._cells - len(actions)
        if empty > GOMOKU_EMPTY_CELLS:
            most = GOMOKU_EMPTY_CELLS
            raise NoOracleError(f"{self._game}: {empty} cells are empty, the solver takes up to {most}")
        return Position.from_actions(self._game, actions)

    def _score(self, after: Position) -> int:
        """Of the move that has led here."""
        if after.is_terminal:
            value, last = after.value, after.ply
        else:
            plies = self._plies(after)
            value, last = _sign(plies), after.ply + abs(plies)
        return -value * ((self._cells + 2 - last) // 2)

    def _plies(self, position: Position) -> int:
        plies = self._solver.solve(position.actions, nodes=self._nodes)
        if plies is None:
            raise NoOracleError(f"{position.text}: perfect play is not known within {self._nodes} nodes")
        return plies


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def has_oracle(game: str) -> bool:
    """Whether the truth about the game can be known: of all positions, or those of its later part."""
    info = game_spec(game)
    return game in ("connect4", GOMOKU) or info.height * info.width <= (
        GRAVITY_CELLS if _has_gravity(info) else FREE_CELLS
    )


def check_oracle(game: str) -> None:
    """Raises NoOracleError where `oracle` would, without the second and the memory that loading takes."""
    if not has_oracle(game):
        raise NoOracleError(f"{game}: perfect play is not known for it")
    if game == "connect4" and find_spec("bitbully") is None:
        raise NoOracleError(f"perfect play on connect4 needs BitBully, which is not installed: {install('solver')}")


def check_quick(position: Position) -> None:
    """Raises NoOracleError where the truth would take longer than somebody waits who did not ask for it."""
    empty = int((position.board() == 0).sum())
    most = GOMOKU_QUICK_CELLS if position.game == GOMOKU else QUICK_CELLS
    if position.game != "connect4" and empty > most:
        raise NoOracleError(f"{empty} cells are empty: perfect play is known from {most} on")


def forced_win(position: Position) -> ForcedWin | None:
    """The soonest, by fours alone where that is as soon. None where there is none within FORCED_PLIES, where that is
    not known soon, and in other games than Gomoku."""
    if position.is_terminal or not has_forced_wins(position.game):
        return None
    info = game_spec(position.game)
    solver = _forcing(info.height, info.in_a_row)
    assert solver is not None
    found, most = None, FORCED_PLIES
    for by, threes in (("fours", False), ("fours and threes", True)):
        if plies := solver.forced(position.actions, threes=threes, plies=most, nodes=FORCED_NODES):
            found, most = ForcedWin(plies=plies, by=by), plies - 1
    return found


def has_forced_wins(game: str) -> bool:
    """Whether `forced_win` can find any."""
    info = game_spec(game)
    return not _has_gravity(info) and info.in_a_row >= FEWEST and _forcing(info.height, info.in_a_row) is not None


@cache
def _forcing(size: int, in_a_row: int) -> GomokuSolver | None:
    try:
        return GomokuSolver(size=size, in_a_row=in_a_row, entries=FORCED_ENTRIES)
    except ValueError:
        return None


@cache
def oracle(game: str) -> Oracle:
    """One oracle a game, kept: it remembers what it has found out. Not to be shared between threads."""
    check_oracle(game)
    if game == "connect4":
        return _BitBully()
    info = game_spec(game)
    if game == GOMOKU:
        return GomokuOracle(info, nodes=GOMOKU_NODES)
    return _SmallBoard(info, gravity=_has_gravity(info))


def _has_gravity(info: GameSpec) -> bool:
    return info.actions == info.width
