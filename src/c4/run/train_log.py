"""Where what is said during a run goes: all of it into train.log, what a person should read onto the view too."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from typing_extensions import override

from c4.printed import printable

LIGHTNING = ("pytorch_lightning", "lightning.pytorch", "lightning_fabric", "lightning.fabric")
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

# What Lightning recommends to others: our loader plays games, and a generation may be a few steps long.
NOT_FOR_US = (
    r".*does not have many workers.*",
    r".*`IterableDataset` has `__len__` defined.*",
    r".*is smaller than the logging interval.*",
    r".*Starting from v1\.9\.0, `tensorboardX` has been removed.*",
    r".*treespec, LeafSpec.*",
    r".*It is recommended to use `self.log\(.*sync_dist=True.*",
)


SHOWN = {"shown": True}
"""extra= of a record that a person is shown in another way."""


@contextmanager
def logging_into(path: Path, *, say: Callable[[str], None]) -> Iterator[None]:
    """While it lasts, logging and warnings go to `path`; warnings, and what c4 itself says, to `say` too."""
    root, to_file, to_view = logging.getLogger(), _File(path, delay=True), _Saying(say)
    to_file.setFormatter(_Format(FORMAT))
    before, level = list(root.handlers), root.level
    for handler in before:
        root.removeHandler(handler)
    root.addHandler(to_file)
    root.addHandler(to_view)
    root.setLevel(logging.INFO)
    for name in LIGHTNING:
        logging.getLogger(name).handlers.clear()  # it writes to the terminal by itself
        logging.getLogger(name).propagate = True
    try:
        with warnings.catch_warnings():
            for message in NOT_FOR_US:
                warnings.filterwarnings("ignore", message=message)
            logging.captureWarnings(capture=True)
            yield
    finally:
        logging.captureWarnings(capture=False)
        for added in (to_file, to_view):
            root.removeHandler(added)
            added.close()
        for handler in before:
            root.addHandler(handler)
        root.setLevel(level)


class _File(logging.FileHandler):
    @override
    def handleError(self, record: logging.LogRecord) -> None:
        """A full disk ends the run with a sentence of its own."""


class _Format(logging.Formatter):
    @override
    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


class _Saying(logging.Handler):
    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say

    @override
    def emit(self, record: logging.LogRecord) -> None:
        ours = record.name.split(".")[0] == "c4" and not getattr(record, "shown", False)
        if ours and record.levelno >= logging.INFO:
            loud = record.levelno >= logging.WARNING
            self._say(f"{'warning: ' if loud else ''}{record.getMessage()}")
