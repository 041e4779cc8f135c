"""Gomocup's protocol, a brain's side: a manager's lines in, answers out. Knows no network, no search and no clock.

https://plastovicka.github.io/protocl2en.htm; coordinates are x,y from the top left corner, from 0.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

MOVES_TO_COME = 20
"""Of one's own: among so many the time that is left of a match is shared, or among as many as there are cells."""

FREESTYLE = "MESSAGE c4 plays without opening rules, and more stones in a row than are needed win too"
CELL = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
STONE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*([12])\s*")


class Mind(Protocol):
    """Who chooses the moves on a board of one size."""

    size: int

    def choose(self, actions: Sequence[int], /, *, seconds: float) -> int:
        """The next action after these, counted from 0 by rows. Raises ValueError where there is none to choose."""


class RefusedError(ValueError):
    """What the manager asked for cannot be had; the text is the sentence for it."""


@dataclasses.dataclass(kw_only=True)
class Limits:
    """What a manager grants; None where it has said nothing."""

    turn: float | None = None
    left: float | None = None  # of the match

    def heed(self, key: str, value: str) -> None:
        """A line INFO; what is no number says nothing."""
        if not value.isdecimal():
            return
        seconds = int(value) / 1000
        if key == "timeout_turn":
            self.turn = seconds
        elif key == "time_left" or (key == "timeout_match" and self.left is None):
            self.left = seconds or None  # timeout_match 0: no limit

    def seconds(self, *, usual: float, margin: float, cells: int) -> float:
        """For one move, with so many cells empty."""
        granted = usual if self.turn is None else self.turn
        if self.left is not None:
            granted = min(granted, self.left / max(1, min(MOVES_TO_COME, (cells + 1) // 2)))
        return max(0.0, granted - margin)


class Brain:
    """One conversation: the board, stone by stone as each side has put them, and what the manager has granted."""

    def __init__(self, mind_of: Callable[[int], Mind], *, about: str, seconds: float, margin: float) -> None:
        """`mind_of` a board's size raises RefusedError for one that cannot be played."""
        self._mind_of, self._about, self._seconds, self._margin = mind_of, about, seconds, margin
        self._limits = Limits()
        self._mind: Mind | None = None
        self._mine: list[int] = []
        self._theirs: list[int] = []

    def answers(self, lines: Iterator[str]) -> Iterator[str]:
        """Until the manager says END or has no more lines."""
        for line in lines:
            command, _, rest = line.strip().partition(" ")
            if command.upper() == "END":
                return
            if not command:
                continue
            try:
                yield from self._answer(command.upper(), rest.strip(), lines)
            except ValueError as error:
                yield f"ERROR {' '.join(str(error).split())}"

    def _answer(self, command: str, rest: str, lines: Iterator[str]) -> Iterator[str]:
        if command == "BOARD":
            self._set_up(_listed(lines))
            yield self._move()
        elif command in {"START", "RECTSTART"}:
            self._start(rest)
            yield "OK"
        elif command == "RESTART":
            self._size()
            self._mine, self._theirs = [], []
            yield "OK"
        elif command == "BEGIN":
            yield self._move()
        elif command == "TURN":
            self._theirs.append(self._empty_cell(CELL.fullmatch(rest), command))
            yield self._move()
        elif command == "TAKEBACK":
            self._take_back(self._cell(CELL.fullmatch(rest), command))
            yield "OK"
        elif command == "INFO":
            key, _, value = rest.partition(" ")
            yield from self._heed(key.lower(), value.strip())
        elif command == "ABOUT":
            yield self._about
        else:
            yield f"UNKNOWN {command}"

    def _start(self, rest: str) -> None:
        sizes = [int(word) for word in re.split(r"[\s,]+", rest) if word.isdecimal()]
        if not sizes or len({*sizes}) > 1:
            raise RefusedError(f"boards are square, and START names how many cells wide: not {rest!r}")
        self._mind = self._mind_of(sizes[0])
        self._mine, self._theirs = [], []

    def _heed(self, key: str, value: str) -> Iterator[str]:
        self._limits.heed(key, value)
        if key == "rule" and value not in {"", "0"}:
            yield FREESTYLE

    def _move(self) -> str:
        size = self._size()
        actions = self._in_turn()
        seconds = self._limits.seconds(usual=self._seconds, margin=self._margin, cells=size * size - len(actions))
        assert self._mind is not None
        action = self._mind.choose(actions, seconds=seconds)
        self._mine.append(action)
        return f"{action % size},{action // size}"

    def _in_turn(self) -> list[int]:
        """All stones, in an order in which the sides took turns and this one is next."""
        first, second = (
            (self._mine, self._theirs) if len(self._mine) == len(self._theirs) else (self._theirs, self._mine)
        )
        if len(first) - len(second) not in {0, 1}:
            raise RefusedError(f"it is not my turn: I have {len(self._mine)} stones, they have {len(self._theirs)}")
        return [stone for pair in zip(first, second, strict=False) for stone in pair] + first[len(second) :]

    def _set_up(self, listed: list[str]) -> None:
        mine: list[int] = []
        theirs: list[int] = []
        for line in listed:
            found = STONE.fullmatch(line)
            if found is None:
                raise RefusedError(f"BOARD takes lines x,y,1 for my stones and x,y,2 for theirs: not {line.strip()!r}")
            cell = self._cell(found, "BOARD")
            if cell in mine or cell in theirs:
                raise RefusedError(f"two stones on {found[1]},{found[2]}")
            (mine if found[3] == "1" else theirs).append(cell)
        # A game that goes on keeps the order that is known, and with it what was thought about it.
        self._mine, self._theirs = _reordered(mine, self._mine), _reordered(theirs, self._theirs)

    def _take_back(self, cell: int) -> None:
        for stones in (self._mine, self._theirs):
            if cell in stones:
                stones.remove(cell)
                return
        raise RefusedError("TAKEBACK of a stone that is not there")

    def _empty_cell(self, found: re.Match[str] | None, command: str) -> int:
        cell = self._cell(found, command)
        if cell in self._mine or cell in self._theirs:
            raise RefusedError(f"{command}: there is a stone on that cell")
        return cell

    def _cell(self, found: re.Match[str] | None, command: str) -> int:
        size = self._size()
        if found is None or not (int(found[1]) < size and int(found[2]) < size):
            raise RefusedError(f"{command} takes x,y, each from 0 to {size - 1}")
        return int(found[2]) * size + int(found[1])

    def _size(self) -> int:
        if self._mind is None:
            raise RefusedError("START comes first")
        return self._mind.size


def _listed(lines: Iterator[str]) -> list[str]:
    """What follows BOARD, all of it, so that a wrong line is not taken for a command."""
    listed = []
    for line in lines:
        if line.strip().upper() == "DONE":
            break
        if line.strip():
            listed.append(line)
    return listed


def _reordered(stones: Sequence[int], known: Sequence[int]) -> list[int]:
    return [stone for stone in known if stone in stones] + [stone for stone in stones if stone not in known]
