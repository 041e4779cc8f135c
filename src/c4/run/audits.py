"""The audits of self-play that a run keeps in its folder, a line a generation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from c4.files import write_beside

FILE = "selfplay_audit.jsonl"

Audit = dict[str, Any]
"""Counts, as evaluation/selfplay_audit.py makes them."""


class AuditError(ValueError):
    """The audits of a run cannot be read: which line, why; or there is no run."""


def keep_audit(folder: Path, audit: Audit, *, generation: int) -> None:
    """Adds a generation's; those of it and of later ones, from before a resume, make room."""
    kept = {number: old for number, old in read_audits(folder).items() if number < generation}
    lines = [json.dumps({"generation": number} | one) for number, one in (kept | {generation: audit}).items()]
    write_beside(folder / FILE, ("\n".join(lines) + "\n").encode())


def read_audits(folder: Path) -> dict[int, Audit]:
    """By generation; none where the run has kept none. Raises AuditError."""
    path = folder / FILE
    if not path.exists():
        return {}
    audits = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            raise AuditError(f"{path}, line {number}: {error}") from None
        if not _is_audit(entry):
            raise AuditError(f"{path}, line {number}: not an audit of self-play")
        audits[int(entry.pop("generation"))] = entry
    return audits


def _is_audit(entry: Any) -> bool:
    return isinstance(entry, Mapping) and {"generation", "games", "positions", "plies"} <= entry.keys()
