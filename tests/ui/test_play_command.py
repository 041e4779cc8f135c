"""play.py as a person starts it: through a pipe, and on a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROLLOUT = ("opponent=rollout", "opponent.rollouts=50", "simulations=100", "checkpoint=null", "truth=false")
PATIENCE = 300.0  # seconds; a screen that stays away so long has failed


def piped(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "play.py", *words], cwd=ROOT, input=typed, capture_output=True, text=True, check=False
    )


def test_a_game_through_a_pipe() -> None:
    run = piped(*ROLLOUT, "position=121212", typed="x\n1\nquit\n")
    assert (run.returncode, run.stderr) == (0, "")
    assert "error: 'x' is neither a move nor a command" in run.stdout
    assert "game over: you won as X (first)" in run.stdout


def test_the_end_of_the_input_ends_the_game() -> None:
    run = piped(*ROLLOUT, "game=gomoku9", "me=second")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("your move (O):\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["checkpoint=no/such/run"], "there is no such file or folder"),
        (["checkpoint=tests"], "holds no player"),
        (["opponent=network", "checkpoint=null"], "needs a checkpoint"),
        ([*ROLLOUT, "position=4444444"], "position=4444444"),
        ([*ROLLOUT, "me=third"], "one of: first, second, none"),
        (["opponent=rollouts"], "did you mean rollout?"),
        (["simulatons=3"], "did you mean simulations?"),
        ([*ROLLOUT, "ui=terminal"], "needs a terminal"),
    ],
)
def test_what_is_asked_wrongly_gets_one_sentence(words: list[str], says: str) -> None:
    run = piped(*words)
    assert (run.returncode, run.stdout) == (2, "")
    assert re.fullmatch(r"error: .*\n", run.stderr)
    assert says in run.stderr


# Makes the pseudo-terminal its own, so that Ctrl-C reaches it, and minds it: a shell's background jobs ignore it.
ON_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def parent_of(process: int) -> int | None:
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(status.partition("PPid:")[2].split()[0])


class Terminal:
    """A program on a pseudo-terminal, and all that it has written."""

    def __init__(self, words: list[str]) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_TERMINAL, "play.py", *words],
            cwd=ROOT, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.written = ""

    def wait_for(self, text: str) -> None:
        """Reads on until the text comes after what was waited for before."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.written:
            assert time.monotonic() < deadline, f"{text!r} did not come; the last was {self.written[-2000:]!r}"
            self._read()
        self.written = self.written.partition(text)[2]

    def solver(self) -> int:
        """Reads on until it has the process that solves; its id."""
        deadline = time.monotonic() + PATIENCE
        while True:
            for one in Path("/proc").glob("[0-9]*"):
                if parent_of(int(one.name)) == self.process.pid and b"spawn_main" in (one / "cmdline").read_bytes():
                    return int(one.name)
            assert time.monotonic() < deadline, f"no solver; the last was {self.written[-2000:]!r}"
            self._read()

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self) -> int:
        """Reads all the rest; the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"it does not end; the last was {self.written[-2000:]!r}"
            self._read()
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)

    def _read(self) -> None:
        if select.select([self._master], [], [], 0.2)[0]:
            try:
                self.written += os.read(self._master, 65536).decode(errors="replace")
            except OSError:  # the other side has closed it
                self.process.wait(PATIENCE)


@contextmanager
def terminal(*words: str) -> Iterator[Terminal]:
    one = Terminal(list(words))
    try:
        yield one
    finally:
        one.close()


def test_a_game_on_a_terminal() -> None:
    pytest.importorskip("textual", reason="the board is an extra: pip install -e '.[ui]'")
    with terminal(*ROLLOUT, "position=121212") as screen:
        screen.wait_for("your move: ◉ first")
        screen.wait_for("wins in 1 ply, proven")
        screen.type("h")
        screen.wait_for("hint: 1")
        screen.type("\r")
        screen.wait_for("you won")
        screen.type("q")
        assert screen.end() == 0
        assert "Traceback" not in screen.written
        assert "\x1b[?1049l" in screen.written  # the terminal is given back as it was


@pytest.mark.parametrize("ui", ["terminal", "text"])
def test_ctrl_c_ends_it_cleanly(ui: str) -> None:
    if ui == "terminal":
        pytest.importorskip("textual", reason="the board is an extra: pip install -e '.[ui]'")
    with terminal(*ROLLOUT, f"ui={ui}") as screen:
        screen.wait_for("your move")
        screen.type("\x03")
        assert screen.end() == (0 if ui == "terminal" else 128 + signal.SIGINT)
        assert "Traceback" not in screen.written


@pytest.mark.parametrize(("ui", "key", "code"), [("terminal", "q", 0), ("terminal", "\x03", 0), ("text", "\x03", 130)])
def test_a_solver_that_never_answers_can_be_left(ui: str, key: str, code: int) -> None:
    if ui == "terminal":
        pytest.importorskip("textual", reason="the board is an extra: pip install -e '.[ui]'")
    words = ("game=connect4_5x5", "opponent=solver", "checkpoint=null", "truth=false", "me=second", f"ui={ui}")
    with terminal(*words) as screen:
        solver = screen.solver()  # half a minute's work for it
        os.kill(solver, signal.SIGSTOP)
        screen.type(key)
        assert screen.end() == code
        assert "Traceback" not in screen.written
        assert parent_of(solver) != screen.process.pid
