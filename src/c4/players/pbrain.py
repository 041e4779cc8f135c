"""Any engine that speaks Gomocup's protocol, in a process of its own: `pbrain:/path/to/engine`.

One process plays all games in turn: it is given each position as a board. What it does wrong (no answer, its end, a
move that is none) loses that game alone; the next one begins with a new process.
"""

from __future__ import annotations

import dataclasses
import os
import re
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from c4.games import game_spec
from c4.native._core import Position
from c4.params.knob import Params, knob
from c4.players.player import Forfeit, PlayerWordError

UNSAID = "???"
MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
TALK = ("MESSAGE", "DEBUG")
"""Lines that are for people."""

LONGEST_LINE = 4096
START_SECONDS = 60.0
"""An engine may read its tables first."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PbrainKnobs(Params):
    engine: str = knob("The program of the engine, which speaks Gomocup's protocol: a path.")
    seconds: float = knob(
        "Time that the engine is granted for a move. Higher: stronger and slower.",
        low=0.01, high=3600.0, unit="seconds",
    )  # fmt: skip
    patience: float = knob(
        "How much later than that an answer may come; then the game is lost. Higher: no game is lost because the "
        "machine is busy.",
        low=0.0, high=3600.0, unit="seconds",
    )  # fmt: skip


class PbrainPlayer:
    title, called = "Engine (Gomocup)", "the engine"
    knobs = PbrainKnobs

    def __init__(self, *, game: str, engine: str, seconds: float, patience: float) -> None:
        """Raises PlayerWordError where there is no such program, or the game is none of stones on cells."""
        if engine == UNSAID:
            raise PlayerWordError("an engine needs its program: pbrain:/path/to/engine")
        program, spec = Path(engine).expanduser().resolve(), game_spec(game)
        if not (program.is_file() and os.access(program, os.X_OK)):
            raise PlayerWordError(f"pbrain:{engine}: there is no such program, or it may not be started")
        if spec.width != spec.height or spec.actions != spec.width * spec.height:
            raise PlayerWordError(f"pbrain:{engine} is for games whose stones are put on cells: this is {spec.title}")
        self.name = program.stem
        self._program, self._size = program, spec.width
        self._seconds, self._patience = seconds, patience
        self._engine: _Engine | None = None
        self._open = False  # whether it has seen a board since it was started

    @staticmethod
    def said(rest: str) -> dict[str, Any]:
        """:/path/to/engine"""
        return {"engine": rest.removeprefix(":")}

    def begin(self, _slots: int, /) -> None:
        """Raises PlayerWordError for an engine that does not begin, or knows no board of this size."""
        if self._engine is None:
            try:
                self._start()
            except _LostError as error:
                raise PlayerWordError(f"pbrain:{self._program}: {error}") from error

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int | Forfeit]:
        return {slot: self._one(position) for slot, position in positions.items()}

    def _one(self, position: Position) -> int | Forfeit:
        try:
            return self._asked(position)
        except _LostError as error:
            if self._engine is not None:
                self._engine.end()
            self._engine = None
            return Forfeit(f"{self.name} {error}")

    def _asked(self, position: Position) -> int:
        engine = self._engine if self._engine is not None else self._start()
        if self._open:
            engine.say("RESTART")
            if not _is_ok(engine.answer(seconds=START_SECONDS)):  # there are those that do not know it
                engine.end()
                engine = self._start()
        self._open = True
        actions, mover = position.actions, position.ply % 2
        stones = [f"{a % self._size},{a // self._size},{1 if ply % 2 == mover else 2}" for ply, a in enumerate(actions)]
        engine.say("BOARD", *stones, "DONE")
        answer = engine.answer(seconds=self._seconds + self._patience)
        found = MOVE.fullmatch(answer)
        if found is None:
            raise _LostError(f"answered {answer[:80]!r} in place of a move")
        x, y = int(found[1]), int(found[2])
        action = y * self._size + x
        if not (x < self._size and y < self._size and action in position.legal):
            raise _LostError(f"played {x},{y}, where it may not")
        return action

    def _start(self) -> _Engine:
        self._engine = engine = _Engine(self._program)
        self._open = False
        engine.say(f"START {self._size}")
        if not _is_ok(answer := engine.answer(seconds=START_SECONDS)):
            raise _LostError(f"refuses a board of {self._size} x {self._size} cells: {answer[:80]!r}")
        milliseconds = max(1, round(1000 * self._seconds))
        engine.say(f"INFO timeout_turn {milliseconds}", "INFO timeout_match 0", "INFO rule 0", "INFO game_type 1")
        return engine


class _LostError(Exception):
    """What an engine did, as the end of a sentence that begins with its name."""


class _Engine:
    """A process, and lines to and from it, each waited for no longer than is said."""

    def __init__(self, program: Path) -> None:
        try:
            self._process = subprocess.Popen(
                [str(program)], cwd=program.parent,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise _LostError(f"cannot be started: {error.strerror}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        os.set_blocking(self._in.fileno(), False)  # one that reads nothing must not hang whoever writes
        self._heard = b""
        self.end = weakref.finalize(self, _end, self._process)

    def say(self, *lines: str) -> None:
        try:
            self._in.write("".join(f"{line}\r\n" for line in lines).encode())
            self._in.flush()
        except OSError as error:
            raise _LostError("has ended, or reads nothing") from error

    def answer(self, *, seconds: float) -> str:
        """The next line that is for a program."""
        deadline = time.monotonic() + seconds
        while True:
            line = self._line(deadline=deadline, seconds=seconds).strip()
            if line and not line.upper().startswith(TALK):
                return line

    def _line(self, *, deadline: float, seconds: float) -> str:
        while not (ends := [self._heard.find(end) for end in (b"\n", b"\r") if end in self._heard]):
            with selectors.DefaultSelector() as selector:
                selector.register(self._out, selectors.EVENT_READ)
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise _LostError(f"did not answer within {seconds:g} seconds")
            heard = os.read(self._out.fileno(), LONGEST_LINE)
            if not heard:
                raise _LostError("ended in the middle of a game")
            self._heard += heard
            if len(self._heard) > LONGEST_LINE and not any(end in self._heard for end in (b"\n", b"\r")):
                raise _LostError("says a line without an end")
        line, self._heard = self._heard[: min(ends)], self._heard[min(ends) + 1 :]
        return line.decode("utf-8", errors="replace")


def _is_ok(answer: str) -> bool:
    return answer.upper().startswith("OK")


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # and what it has started itself
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:  # what it never read
                continue
