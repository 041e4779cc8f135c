"""Perfect play, asked in a process of its own: solvers hold on to Python for a second or more, and hear no Ctrl-C.

A question that takes too long ends the process; the next one gets a new one.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from c4.native._core import Position
from c4.players.oracle import NoOracleError, oracle

Scores = list[int | None]


class Truth:
    """Any thread may ask; questions wait for each other. Fulfils `c4.players.oracle.Oracle` for each game."""

    def __init__(self, *, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._closed = False

    def scores(self, game: str, actions: Sequence[int]) -> Scores:
        """Of each action; None where it is not legal. Raises NoOracleError with a sentence for people."""
        if Position.from_actions(game, actions).is_terminal:
            raise NoOracleError("the game is over: nothing is left to choose")
        with self._lock:
            line = self._open()
            line.send((game, list(actions)))
            try:
                if not line.poll(self._seconds):
                    self._end()
                    raise NoOracleError(f"perfect play is not known within {self._seconds:g} s here")
                answer: Scores | str = line.recv()
            except (EOFError, OSError):
                self._end()
                raise NoOracleError("the solver has ended") from None
        if isinstance(answer, str):
            raise NoOracleError(answer)
        return answer

    def close(self) -> None:
        """At once, whatever is being solved."""
        self._closed = True
        if self._process is not None:
            self._process.kill()

    def _open(self) -> Connection:
        if self._closed:
            raise NoOracleError("the server is closing")
        if self._line is None or self._process is None or not self._process.is_alive():
            self._end()
            context = multiprocessing.get_context("spawn")
            self._line, theirs = context.Pipe()
            self._process = context.Process(target=_solve, args=(theirs,), daemon=True, name="c4-solver")
            self._process.start()
            theirs.close()
        return self._line

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None


class TruthOf:
    """The truth about one game, as players ask for it."""

    def __init__(self, truth: Truth, *, game: str) -> None:
        self._truth, self._game = truth, game

    def scores(self, actions: Sequence[int]) -> Scores:
        return self._truth.scores(self._game, actions)

    def value(self, actions: Sequence[int]) -> int:
        """value: native/value.h."""
        position = Position.from_actions(self._game, actions)
        if position.is_terminal:
            return position.value
        best = max(score for score in self.scores(actions) if score is not None)
        return (best > 0) - (best < 0)


def _solve(line: Connection) -> None:
    """The process: answers until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    while True:
        try:
            game, actions = line.recv()
        except (EOFError, OSError):
            return
        try:
            line.send(oracle(game).scores(actions))
        except ValueError as error:
            line.send(str(error))
