"""Seconds from `python train.py` to its first line and to its first batch of self-play, and their share of the limit.

python benchmarks/start.py                     the default run
python benchmarks/start.py experiment=tiny     any other
The first start warms the disk and is not counted. Beside them stands what importing torch and Lightning takes alone.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import results

TRAIN = Path(__file__).parents[1] / "train.py"
AT_ONCE = (
    "callbacks.progress.live=false",
    "callbacks.progress.refresh_seconds=0.05",
    "callbacks.progress.line_seconds=0",
)
PLAYING = ", playing: "
LIMIT = 10.0  # seconds to the first game
REPEATS = 5


def start(words: Sequence[str]) -> tuple[float, float]:
    """Seconds to the first line and to the first batch of self-play; the run is ended there."""
    with tempfile.TemporaryDirectory() as runs:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, str(TRAIN), *words, *AT_ONCE, f"paths.runs={runs}"], stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        said, first = [], None
        try:
            for line in process.stderr:
                said.append(line)
                first = first or time.perf_counter() - began
                if PLAYING in line:
                    return first, time.perf_counter() - began
        finally:
            process.kill()
            process.communicate()
    raise SystemExit("train.py ended before it played:\n" + "".join(said))


def seconds_of(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began


def main(words: Sequence[str]) -> None:
    start(words)
    figures = [start(words) for _ in range(REPEATS)]
    first, game = (statistics.median(column) for column in zip(*figures, strict=True))
    imports = statistics.median(seconds_of("import torch, pytorch_lightning") for _ in range(REPEATS))
    results.publish(
        "start",
        [
            {
                "run": " ".join(words) or "default",
                "first line (s)": first,
                "first game (s)": game,
                "slowest first game (s)": max(seconds for _, seconds in figures),
                "share of the limit": game / LIMIT,
                "torch and Lightning alone (s)": imports,
                "times these imports": game / imports,
            }
        ],
    )


if __name__ == "__main__":
    main(sys.argv[1:])
