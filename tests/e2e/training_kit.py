"""Runs train.py as a person does, in a process of its own, on games of a moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.ready import python

ROOT = Path(__file__).parents[2]
QUICK = ("experiment=tiny", "debug=fast", "inference=torch", "evaluation.grading.at_end=false")
UNGRADED = (*QUICK, "evaluation.grading.every=0")
PAUSED_AFTER_WRITING = """
import os, runpy, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup a run would not stop
from pathlib import Path
ending, replace = sys.argv[1], Path.replace
def pausing(self, target):
    done = replace(self, target)
    if str(target).endswith(ending):
        os.kill(os.getpid(), signal.SIGSTOP)
    return done
Path.replace = pausing
del sys.argv[1]
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def command(words: Sequence[str], *, runs: Path) -> list[str]:
    return [sys.executable, str(ROOT / "train.py"), *words, f"paths.runs={runs}"]


def train(*words: str, runs: Path, code: int = 0) -> str:
    """Runs to the end and returns what was said; the exit code must be `code`."""
    runs.mkdir(parents=True, exist_ok=True)
    done = python(command(words, runs=runs)[1:], folder=runs, merged=True)
    assert done.returncode == code, done.stdout
    return str(done.stdout)


def paused(words: Sequence[str], *, runs: Path, after: str) -> subprocess.Popen[str]:
    """A run that stands still once it has written a file of that ending: so that no test depends on who is faster."""
    process = subprocess.Popen(
        [sys.executable, "-c", PAUSED_AFTER_WRITING, after, *command(words, runs=runs)[1:]],
        cwd=runs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), process.communicate()[0]
    assert os.WSTOPSIG(status) == signal.SIGSTOP
    return process


def only_run(runs: Path) -> Path:
    """The folder of the one run that was made."""
    (folder,) = {path.parent.parent for path in runs.rglob(".hydra/config.yaml")}
    return folder
