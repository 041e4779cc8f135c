"""What a run does to its folder once nothing can refuse it any more: until then a resume has changed nothing there."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from c4.files import read_plain, write_beside
from c4.run.about import Facts, read_facts, with_earlier, write_about, write_overrides
from c4.run.aside import set_aside
from c4.run.folder import RunFolder
from c4.run.metrics import MOST, read_metrics
from c4.run.state import RunState

log = logging.getLogger(__name__)


def begin(
    folder: RunFolder,
    *,
    state: RunState | None,
    config: Mapping[str, Any],
    facts: Facts,
    words: Iterable[str],
) -> dict[int, dict[str, float]]:
    """Writes what the run is, and returns the metrics of what it goes on from."""
    folder.remove_leftovers()
    rows = {} if state is None else _rows(folder, state)
    if state is not None and (place := set_aside(folder, after=state.generation)):
        log.warning("what was made after generation %d is kept in %s: this run makes it anew", state.generation, place)
    folder.outcome.unlink(missing_ok=True)  # it no longer holds
    if state is not None:
        facts = with_earlier(facts, before=read_facts(folder), generation=state.generation)
    write_overrides(folder, words)
    write_about(folder, config=config, facts=facts)
    return rows


def _rows(folder: RunFolder, state: RunState) -> dict[int, dict[str, float]]:
    """Up to its state, which has the newest itself: a run may be killed between saving it and logging them."""
    rows = {step: row for step, row in read_metrics(folder).items() if step <= state.generation}
    rows.setdefault(state.generation, {name: float(value) for name, value in state.header["metrics"].items()})
    if lost := [step for step in range(1, state.generation + 1) if step not in rows]:
        kept = ""
        if folder.metrics.exists():
            write_beside(folder.damaged_metrics, read_plain(folder.metrics, most=MOST))
            kept = f"; the table as it was found is kept in {folder.damaged_metrics.name}"
        listed = ", ".join(map(str, lost))
        log.warning("%s has lost generation %s, and the run continues without%s", folder.metrics, listed, kept)
    return rows
