"""metrics.csv: every metric of a run, a row a generation. Written whole each time, so it is never half a table."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Mapping, Sequence

from c4.files import read_plain, write_beside
from c4.run.folder import RunFolder

log = logging.getLogger(__name__)

STEP = "generation"
MOST = 2**26  # bytes: more than any run writes

Rows = Mapping[int, Mapping[str, float]]
"""Metrics by generation; a metric that a row has no value for is left out."""


def write_metrics(folder: RunFolder, rows: Rows) -> None:
    names = sorted({name for row in rows.values() for name in row})
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=[STEP, *names], lineterminator="\n")
    writer.writeheader()
    for step in sorted(rows):
        writer.writerow({STEP: step, **rows[step]})
    write_beside(folder.metrics, text.getvalue().encode())


def read_metrics(folder: RunFolder) -> dict[int, dict[str, float]]:
    """The rows that can be read, and a warning where that is not all; none where the run has logged none yet."""
    names, *lines = _lines(folder) or [[]]
    rows = [_row(names, cells) for cells in lines]
    if lost := rows.count(None):
        log.warning("%s is damaged: %d %s of it cannot be read", folder.metrics, lost, "line" if lost == 1 else "lines")
    return dict(row for row in rows if row is not None)


def has_metrics(folder: RunFolder) -> bool:
    """Whether a generation was ever logged, be it readable or not."""
    return len(_lines(folder)) > 1


def _lines(folder: RunFolder) -> list[list[str]]:
    """The cells of each line; none of one that nobody can take apart. Raises OSError."""
    try:
        text = read_plain(folder.metrics, most=MOST).decode(errors="replace")
    except FileNotFoundError:
        return []
    *whole, cut = text.split("\n")
    return [_cells(line) for line in whole] + [[] for _ in [cut] if cut]  # half a line may look whole


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _row(names: Sequence[str], cells: Sequence[str]) -> tuple[int, dict[str, float]] | None:
    try:
        row = dict(zip(names, cells, strict=True))
        return int(row.pop(STEP)), {name: float(value) for name, value in row.items() if value}
    except (KeyError, ValueError):
        return None
