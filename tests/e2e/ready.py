"""A command as a shell runs it, in a process of its own, but for what is the same each time and takes seconds: torch
and Lightning are loaded where it begins. Tests of the start itself, or of signals, begin a process that is new.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

BECOMING = Path(__file__).with_name("becoming.py")
PATIENCE = 900.0  # seconds; what takes so long hangs, on however busy a machine


def python(
    words: Sequence[str],
    *,
    folder: Path,
    typed: str = "",
    merged: bool = False,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """`python WORDS` in a folder: a script's path, or -m and a module, and what follows. `merged`: what goes to stderr
    is in stdout, in the order in which it was said. `environment`: beside this process's own.
    """
    with tempfile.TemporaryDirectory() as said:
        read, out, err = (Path(said) / name for name in ("in", "out", "out" if merged else "err"))
        read.write_text(typed)
        asked = {"words": list(words), "folder": str(folder), "in": str(read), "out": str(out), "err": str(err)}
        process = _process()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({**asked, "environment": {**os.environ, **(environment or {})}}) + "\n")
        process.stdin.flush()
        if not select.select([process.stdout], [], [], PATIENCE)[0]:
            raise subprocess.TimeoutExpired(list(words), PATIENCE)
        code = int(process.stdout.readline())
        return subprocess.CompletedProcess(list(words), code, out.read_text(), "" if merged else err.read_text())


@cache
def _process() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, str(BECOMING)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )  # fmt: skip
    atexit.register(process.communicate)  # its input ends, and so does it
    return process
