"""`python -m c4.adapters.pbrain checkpoint=PATH`: a player as an engine for Gomoku managers, by Gomocup's protocol.

Here is the process, which keeps stdout for answers alone; the protocol is in gomocup.py, the player in gomocup_mind.py.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import metadata
from typing import TextIO

from omegaconf import DictConfig

from c4 import cli
from c4.adapters.gomocup import Brain
from c4.params.pbrain import PbrainConfig
from c4.params.walk import build


def main() -> int:
    """Returns the exit code."""
    return cli.run(_pbrain, name="pbrain", schema=PbrainConfig)


def _pbrain(composed: DictConfig) -> None:
    with cli.one_sentence(), _own_stdout() as out:
        from c4.adapters.gomocup_mind import Minds  # late: torch takes seconds, and help needs none of it

        config, lines = build(PbrainConfig, composed), _Lines()
        with closing(Minds(config, hurried=lines.hurried)) as minds:
            brain = Brain(minds.of_size, about=_about(), seconds=config.seconds, margin=config.margin)
            for answer in brain.answers(iter(lines)):
                out.write(f"{answer}\n")
                out.flush()


class _Lines:
    """What the manager says, read while the search runs: END is known before it is over."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def __iter__(self) -> Iterator[str]:
        while (line := self._waiting.get()) is not None:
            yield line

    def hurried(self) -> bool:
        """Whether nothing is waiting but the end."""
        return self._ended.is_set() and self._waiting.qsize() <= 2

    def _read(self) -> None:
        # A file of its own: Python waits for the lock of sys.stdin when it ends.
        with os.fdopen(os.dup(0), encoding="utf-8", errors="replace") as file:
            for line in file:
                self._waiting.put(line)
                if line.strip().upper() == "END":
                    self._ended.set()
                    break
        self._waiting.put(None)


@contextmanager
def _own_stdout() -> Iterator[TextIO]:
    """The real one, for answers; what libraries print goes to stderr meanwhile."""
    sys.stdout.flush()
    real = os.dup(1)
    os.dup2(2, 1)
    try:
        with os.fdopen(real, "w", encoding="utf-8", closefd=False) as out:
            yield out
    finally:
        os.dup2(real, 1)
        os.close(real)


def _about() -> str:
    try:
        version = metadata.version("c4")
    except metadata.PackageNotFoundError:  # sources on PYTHONPATH
        version = "0"
    return f'name="c4", version="{version}", author="the c4 authors"'


if __name__ == "__main__":
    sys.exit(main())
