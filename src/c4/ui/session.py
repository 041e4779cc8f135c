"""The course of one game with a person in it: moves, taking back, sides, the end. Knows no search and no screen."""

from __future__ import annotations

import dataclasses
from enum import Enum

from c4.games import game_spec
from c4.native._core import Position
from c4.params.play import Seat
from c4.report.position import newest_cell

NAMES = ("first", "second")


class SessionError(ValueError):
    """What was asked cannot be done now; the text says why."""


class GameEnding(Enum):
    FULL = "in a row"
    DRAW = "board full"
    RESIGNED = "resigned"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Outcome:
    winner: int | None  # 0 the first player, 1 the second, None a draw
    ending: GameEnding


class Session:
    """Players are 0 (first) and 1 (second)."""

    def __init__(self, *, start: Position, seat: Seat, resigned: int | None = None) -> None:
        """`resigned`: who gave up at `start`."""
        self._start, self._seat = start, seat
        self._line = _line_to(start)  # every position from the empty board on, undone ones too
        self._at = start.ply
        self._resigned = None if start.is_terminal else resigned  # at the end of the line

    @property
    def game(self) -> str:
        return self._start.game

    @property
    def actions(self) -> int:
        """How many there are, legal ones or not."""
        return game_spec(self.game).actions

    @property
    def seat(self) -> Seat:
        return self._seat

    @property
    def position(self) -> Position:
        return self._line[self._at]

    @property
    def line(self) -> tuple[Position, ...]:
        """Every position from the empty board on, plies that were taken back included."""
        return tuple(self._line)

    @property
    def to_move(self) -> int:
        return self.position.ply % 2

    @property
    def person(self) -> int | None:
        return {Seat.FIRST: 0, Seat.SECOND: 1, Seat.NONE: None}[self._seat]

    @property
    def persons_turn(self) -> bool:
        return not self.over and self.to_move == self.person

    @property
    def programs_turn(self) -> bool:
        return not self.over and self.to_move != self.person

    @property
    def resigned(self) -> int | None:
        """Who gave up at the end of the line, wherever somebody looks."""
        return self._resigned

    @property
    def _given_up(self) -> bool:
        return self._resigned is not None and self._at == len(self._line) - 1

    @property
    def over(self) -> bool:
        return self._given_up or self.position.is_terminal

    @property
    def outcome(self) -> Outcome | None:
        if self._resigned is not None and self._given_up:
            return Outcome(winner=1 - self._resigned, ending=GameEnding.RESIGNED)
        if not self.position.is_terminal:
            return None
        if self.position.value == 0:
            return Outcome(winner=None, ending=GameEnding.DRAW)
        return Outcome(winner=1 - self.to_move, ending=GameEnding.FULL)  # value: native/value.h

    @property
    def last_cell(self) -> tuple[int, int] | None:
        """(row from the top, column) of the newest stone."""
        return newest_cell(self.position)

    def action_of(self, name: str) -> int:
        """The action of this name: "4", "h8". Raises SessionError."""
        for action in range(self.actions):
            if self.position.action_name(action) == name.lower():
                return action
        first, last = self.position.action_name(0), self.position.action_name(self.actions - 1)
        raise SessionError(f"'{name}' is not a move: moves run from {first} to {last}")

    def play(self, action: int) -> None:
        """Raises SessionError where the rules do not allow it."""
        if self.over:
            raise SessionError("the game is over: undo, or start a new one")
        try:
            after = self.position.play(action)
        except ValueError as error:
            raise SessionError(str(error).partition(": ")[2] or str(error)) from error
        del self._line[self._at + 1 :]
        self._line.append(after)
        self._at += 1
        self._resigned = None

    def undo(self) -> None:
        """Back to the person's last choice; a spectator goes back one ply."""
        if self._given_up:
            self._resigned = None
            return
        at = self._at - 1
        while self.person is not None and at >= 0 and at % 2 != self.person:
            at -= 1
        if at < 0:
            raise SessionError("there is nothing to take back")
        self._at = at

    def redo(self) -> None:
        """Forward to the person's next choice, or as far as was played."""
        last = len(self._line) - 1
        if self._at == last:
            raise SessionError("there is nothing to replay")
        self._at += 1
        while self.person is not None and self._at < last and self._at % 2 != self.person:
            self._at += 1

    def go_to(self, ply: int) -> None:
        """To any ply that was played; those after it, and how the game ended, stay."""
        if not 0 <= ply < len(self._line):
            raise SessionError(f"there is no ply {ply}: {len(self._line) - 1} have been played")
        self._at = ply

    def new_game(self) -> None:
        """From where this one began."""
        self._at, self._resigned = self._start.ply, None
        self._line = _line_to(self._start)

    def swap_sides(self) -> None:
        """The person takes the other side; a spectator takes the one to move."""
        if self._seat is Seat.NONE:
            self._seat = (Seat.FIRST, Seat.SECOND)[self.to_move]
        else:
            self._seat = Seat.SECOND if self._seat is Seat.FIRST else Seat.FIRST

    def take_seat(self, seat: Seat) -> None:
        self._seat = seat

    def resign(self) -> None:
        """For the person; a spectator resigns for the side to move. What was taken back is gone then."""
        if self.over:
            raise SessionError("the game is over already")
        del self._line[self._at + 1 :]
        self._resigned = self.to_move if self.person is None else self.person


def _line_to(position: Position) -> list[Position]:
    line = [Position(position.game)]
    for action in position.actions:
        line.append(line[-1].play(action))
    return line
