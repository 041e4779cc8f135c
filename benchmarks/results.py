"""Where benchmarks put their figures: a table for people, a JSON file beside it for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from c4.run.origin import machine

FOLDER = Path(__file__).parent / "results"


def publish(name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Prints the rows as a table and writes them, with the machine they were measured on, to results/NAME.json."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    cells = [[text(row.get(column, "")) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[i]) for line in cells)) for i, column in enumerate(columns)]
    print(f"\n{name}")
    for line in (columns, *cells):
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))
    FOLDER.mkdir(exist_ok=True)
    unfinished = FOLDER / f"{name}.json.new"
    unfinished.write_text(json.dumps({"machine": machine(), "rows": list(rows)}, indent=2) + "\n")
    unfinished.rename(FOLDER / f"{name}.json")


def kept(name: str) -> list[dict[str, Any]]:
    """The rows that were written last, if any were."""
    path = FOLDER / f"{name}.json"
    rows: list[dict[str, Any]] = json.loads(path.read_text())["rows"] if path.exists() else []
    return rows


def text(value: Any) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
