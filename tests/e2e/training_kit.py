"""Runs train.py as a person does, in a process of its own, on games of a moment."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
QUICK = ("experiment=tiny", "debug=fast", "inference=torch", "evaluation.grading.at_end=false")
UNGRADED = (*QUICK, "evaluation.grading.every=0")


def command(words: Sequence[str], *, runs: Path) -> list[str]:
    return [sys.executable, str(ROOT / "train.py"), *words, f"paths.runs={runs}"]


def train(*words: str, runs: Path, code: int = 0) -> str:
    """Runs to the end and returns what was said; the exit code must be `code`."""
    runs.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(  # noqa: PLW1510 - the code is compared below
        command(words, runs=runs), cwd=runs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
    )
    assert done.returncode == code, done.stdout
    return done.stdout


def only_run(runs: Path) -> Path:
    """The folder of the one run that was made."""
    (folder,) = {path.parent.parent for path in runs.rglob(".hydra/config.yaml")}
    return folder
