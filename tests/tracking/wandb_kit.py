"""Reads the offline runs of W&B back with W&B's own reader."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def offline_runs(folder: Path) -> list[Path]:
    """The logs in a run's folder, oldest first: one for each time that the run was begun or resumed."""
    return sorted(folder.glob("wandb/offline-run-*/run-*.wandb"))


def records(log: Path) -> list[dict[str, Any]]:
    words = [sys.executable, "-m", "wandb", "leet", "inspect", "--json", str(log)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=900)
    return [json.loads(line) for line in done.stdout.splitlines()]


def of_type(log: Path, name: str) -> list[dict[str, Any]]:
    return [record[name] for record in records(log) if record["type"] == name]


def run_ids(folder: Path) -> set[str]:
    return {record["run_id"] for log in offline_runs(folder) for record in of_type(log, "run")}


def history(folder: Path) -> dict[int, dict[str, float]]:
    """Metrics by generation; what was said again replaces what was said before. Tables and pictures are left out."""
    rows: dict[int, dict[str, float]] = {}
    for log in offline_runs(folder):
        for record in of_type(log, "history"):
            item = record["item"]
            if "generation" not in item:  # of steps within one
                continue
            row = {
                name: float(value)
                for name, value in item.items()
                if not name.startswith(("_", "evaluation/", "pictures/", "charts/")) and name != "generation"
            }
            rows.setdefault(int(item["generation"]), {}).update(row)
    return rows


def summary(log: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for record in of_type(log, "summary"):
        found |= record["update"]
    return found


def table(folder: Path, name: str) -> dict[str, Any]:
    """The newest table of a name."""
    logs = offline_runs(folder)
    files = [path for log in logs for path in log.parent.glob(f"files/media/table/{name}_*.table.json")]
    found: dict[str, Any] = json.loads(max(files, key=lambda path: path.stat().st_mtime_ns).read_text())
    return found
