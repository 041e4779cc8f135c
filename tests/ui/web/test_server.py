"""play.py ui=web as a person starts and ends it."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.ui.web import kit
from tests.ui.web.kit import PATIENCE, guest

ROOT = Path(__file__).parents[3]


KNOBS_TOLD = "rollouts; analysis by champion: mlh_slope 0.04, mlh_cap 0.12, cpuct 1.4, fpu_reduction 0.04\n"


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "play.py", "ui=web", *kit.words(*words)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_it_says_where_it_is_and_ctrl_c_ends_it_in_the_middle_of_a_search() -> None:
    async def visit(port: int, process: subprocess.Popen[str]) -> None:
        async with guest(port) as one:
            await one.say("analyse", judges=["rollouts"], visits=10_000_000)
            await one.hear("thought", done=False)
            process.send_signal(signal.SIGINT)
            assert await asyncio.to_thread(process.wait, PATIENCE) == 0

    with started("web.most_simulations=10000000") as process:  # more than anybody waits for
        assert process.stdout is not None
        assert process.stdout.readline() == KNOBS_TOLD
        line = process.stdout.readline()
        found = re.fullmatch(r"c4 plays at http://127\.0\.0\.1:(\d+)  \(Ctrl-C ends it\)\n", line)
        assert found, line
        asyncio.run(visit(int(found[1]), process))
        assert process.communicate() == ("", "")


def test_a_port_in_use_is_told_with_the_remedy() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with started(f"web.port={port}") as process:
            out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    assert err == (
        f"error: web.host=127.0.0.1 web.port={port} cannot be used (Address already in use): "
        "web.port=0 takes any port that is free\n"
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["position=4444444"], "position=4444444 on connect4: ply 7"),
        (["web.port=70000"], "a whole number from 0 to 65535"),
        (["web.prot=80"], "did you mean web.port?"),
        (["web.checkpoints=[no/such/run]"], "there is no such file or folder"),
        (["opponent=solver", "game=gomoku9"], "opponent=solver: perfect play is not known for gomoku9"),
        (["web.host=no.such.host.invalid"], "web.host=no.such.host.invalid"),
    ],
)
def test_what_is_asked_wrongly_gets_one_sentence(words: list[str], says: str) -> None:
    with started(*words) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    assert re.fullmatch(r"error: .*\n", err)
    assert says in err
