"""The folder that a run leaves: where it is, seen from one of its players, and the metrics that are kept in it."""

from __future__ import annotations

import csv
from pathlib import Path

IS_RUN = "config.yaml"
METRICS, STEP = "metrics.csv", "generation"


def run_of(checkpoint: Path) -> Path | None:
    """The folder of the run that a player lies in, its own or the one above; None where it lies in none."""
    return next((folder for folder in checkpoint.resolve().parents[:2] if (folder / IS_RUN).is_file()), None)


def metrics_of(run: Path) -> dict[int, dict[str, float]]:
    """Its metrics by generation; none where it has logged none yet."""
    path = run / METRICS
    return read_metrics(path) if path.is_file() else {}


def read_metrics(path: Path) -> dict[int, dict[str, float]]:
    """The rows of a metrics.csv by generation; a metric that a row has no value for is left out."""
    with path.open(newline="", encoding="utf-8") as file:
        return {
            int(row[STEP]): {name: float(value) for name, value in row.items() if name != STEP and value}
            for row in csv.DictReader(file)
        }
