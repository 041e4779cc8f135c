"""Perfect play, asked in a process of its own: solvers hold on to Python for a second or more, and hear no Ctrl-C.

A question that takes too long, or that nobody waits for any more, ends the process; the next one gets a new one.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from c4.native._core import Position
from c4.players.oracle import NoOracleError, check_quick, oracle

Scores = list[int | None]

TICK = 0.05  # seconds between two looks at who still waits
GRACE = 0.3  # seconds that an answer nobody waits for may still take: a new process takes longer


class NobodyWaitsError(NoOracleError):
    """Whoever asked has called it off."""


class Truth:
    """Any thread may ask; questions wait for each other. The process starts with the first."""

    def __init__(self, *, seconds: float) -> None:
        """`seconds`: what one question may take."""
        self._seconds = seconds
        self._lock = threading.RLock()
        self._cancelled: Callable[[], bool] = _never
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._owes = False  # an answer that nobody waits for is on its way
        self._closed = False
        # The helper of multiprocessing lets Ctrl-C through again when it starts, and needs this process's own
        # standard error, which a full screen takes away: so it starts before either matters.
        resource_tracker.ensure_running()

    @contextmanager
    def until(self, cancelled: Callable[[], bool]) -> Iterator[None]:
        """What is asked inside ends with NobodyWaitsError soon after `cancelled` says so."""
        with self._lock:
            self._cancelled = cancelled
            try:
                yield
            finally:
                self._cancelled = _never

    def scores(self, game: str, actions: Sequence[int]) -> Scores:
        """Of each action; None where it is not legal. Raises NoOracleError with a sentence for people."""
        if Position.from_actions(game, actions).is_terminal:
            raise NoOracleError("the game is over: nothing is left to choose")
        with self._lock:
            try:
                answer = self._ask(self._open(), game, actions)
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

    def _ask(self, line: Connection, game: str, actions: Sequence[int]) -> Scores | str:
        deadline = time.monotonic() + self._seconds
        line.send((game, list(actions)))
        self._owes = True
        while not line.poll(TICK):
            if self._closed or self._cancelled():
                raise NobodyWaitsError("nobody waits for the answer any more")
            if time.monotonic() >= deadline:
                self._end()
                raise NoOracleError(f"perfect play is not known within {self._seconds:g} s here")
        answer: Scores | str = line.recv()
        self._owes = False
        return answer

    def _open(self) -> Connection:
        if self._closed:
            raise NoOracleError("the server is closing")
        if self._owes and self._line is not None and self._line.poll(GRACE):
            self._line.recv()
            self._owes = False
        if self._owes or self._line is None or self._process is None or not self._process.is_alive():
            self._end()
            self._start()
        assert self._line is not None
        return self._line

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_solve, args=(theirs,), daemon=True, name="c4-solver")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()  # deaf to Ctrl-C from its first moment: that is for who asks, and ends this process
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None
        self._owes = False


class TruthOf:
    """The truth about one game, as players ask for it. Fulfils `c4.players.oracle.Oracle`."""

    def __init__(self, truth: Truth, *, game: str, quick: bool) -> None:
        """`quick`: told only where it is known at once."""
        self._truth, self._game, self._quick = truth, game, quick

    def scores(self, actions: Sequence[int]) -> Scores:
        if self._quick:
            check_quick(Position.from_actions(self._game, actions))
        return self._truth.scores(self._game, actions)

    def value(self, actions: Sequence[int]) -> int:
        """value: native/value.h."""
        position = Position.from_actions(self._game, actions)
        if position.is_terminal:
            return position.value
        best = max(score for score in self.scores(actions) if score is not None)
        return (best > 0) - (best < 0)


def _never() -> bool:
    return False


def _solve(line: Connection) -> None:
    """The process: answers until nobody asks any more."""
    while True:
        try:
            game, actions = line.recv()
            line.send(_answer(game, actions))
        except (EOFError, OSError):
            return


def _answer(game: str, actions: list[int]) -> Scores | str:
    try:
        return oracle(game).scores(actions)
    except ValueError as error:
        return str(error)
