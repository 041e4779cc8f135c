"""The page in a process of its own, for benchmarks that ask it."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[1]
PORT = re.compile(r"http://[^ ]*:(\d+)")


@contextlib.contextmanager
def served(words: Sequence[str], *, errors: IO[bytes] | None = None) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The process and its port, which is a free one; asked to end when the caller is done."""
    command = [sys.executable, "play.py", "ui=web", "web.port=0", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        assert process.stdout is not None
        found = next((told for line in process.stdout if (told := PORT.search(line))), None)  # what plays comes before
        if found is None:
            raise SystemExit("the server did not start")
        try:
            yield process, int(found[1])
        finally:
            process.send_signal(signal.SIGINT)
