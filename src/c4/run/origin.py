"""How something came about, for people: a player, as far as the folder of its run tells; a page, here and now."""

from __future__ import annotations

import hashlib
import math
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from c4.invocation import typed
from c4.machine import processor_name
from c4.run.about import git_commit, read_facts
from c4.run.finding import run_of
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics


def origin_of(checkpoint: Path) -> dict[str, Any]:
    """Nothing where it lies in no run."""
    run = run_of(checkpoint)
    if run is None or not (facts := read_facts(run)):
        return {}
    known = {key: facts[key] for key in ("command", "commit", "seed", "cores") if key in facts}
    if "command" in known:
        known["command"] = told_command(known["command"])
    return known | _length(run)


def made_here() -> dict[str, str]:
    """When, by which command, from which sources, on what."""
    on = machine()
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": told_command(" ".join([typed(), *sys.argv[1:]])),
        "commit": git_commit(),
        "machine": f"{on['processor']}, {on['cores']} cores, Python {on['python']}",
    }


def file_hash(path: Path) -> str:
    """The beginning of its SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def told_command(command: str) -> str:
    """For others: where a run was kept, and that it was resumed, says nothing of how it was made."""
    program, *words = command.split()
    path = Path(program)
    if program in {"c4", "python"}:
        started = [program]
    else:
        started = ["python", *(["-m", f"c4.{path.parent.name}"] if path.name == "__main__.py" else [path.name])]
    return " ".join([*started, *(word for word in words if not word.startswith(("hydra.", "paths.", "resume=")))])


def machine() -> dict[str, Any]:
    return {
        "processor": processor_name(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def _length(run: RunFolder) -> dict[str, Any]:
    """As far as its table can be read."""
    try:
        rows = read_metrics(run)
    except OSError:
        return {}
    last = {name: value for name, value in rows[max(rows)].items() if math.isfinite(value)} if rows else {}
    told = {"minutes": "budget/minutes", "games": "total/games", "samples": "total/samples"}
    known = {name: last[metric] for name, metric in told.items() if metric in last}
    return {name: round(value, 1) if name == "minutes" else int(value) for name, value in known.items()}
