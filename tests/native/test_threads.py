"""Threads that the system does not give: a sentence at once, and nothing is left of those that it gave."""

from __future__ import annotations

import resource
import subprocess
import sys
import textwrap

import pytest

STACK, MOST = 64 * 2**20, 6 * 2**30
"""Bytes of a thread's stack, and of addresses for all: far too few for the threads that are asked for."""

ASKED = """
    from threading import active_count
    from pathlib import Path
    from c4.native import _core
    from c4.native.knobs import plain_search, plain_selfplay

    def threads():
        return len(list(Path("/proc/self/task").iterdir()))

    before = threads()
    for make in (
        lambda: _core.Generator("connect4", plain_search(), plain_selfplay(num_threads=256), seed=1),
        lambda: _core.Searches("connect4", 1, plain_search(), num_threads=256),
    ):
        try:
            make()
        except OSError as error:
            print(error.strerror, "|", error.filename, "|", threads() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not hold a process to its limits")
def test_a_thread_that_cannot_be_made_ends_the_others_and_is_said() -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.getrlimit(resource.RLIMIT_STACK)[1]))
        resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(ASKED)],
        preexec_fn=limited, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == 2
    for line in said:
        assert "of 256 threads could be made" in line
        assert line.endswith("| num_threads | 0")
