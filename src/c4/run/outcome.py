"""How a run ended, as a file for programs that look after many runs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from enum import Enum

from c4.files import read_plain, write_beside
from c4.run.folder import RunFolder


class Ending(Enum):
    FINISHED = "finished"
    PRUNED = "pruned"
    """Ended early by the search that it is a trial of."""
    STOPPED = "stopped"
    FAILED = "failed"


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunOutcome:
    ending: Ending
    reason: str
    metrics: Mapping[str, float]  # the last


def write_outcome(folder: RunFolder, *, ending: Ending, reason: str, metrics: Mapping[str, float]) -> None:
    said = {"ending": ending.value, "reason": reason, "metrics": dict(metrics)}
    write_beside(folder.outcome, json.dumps(said, indent=2).encode() + b"\n")


def read_outcome(folder: RunFolder) -> RunOutcome | None:
    """None where a run has not said how it ended, or nobody can read it: it may be resumed, or killed."""
    try:
        said = json.loads(read_plain(folder.outcome, most=2**20))
        metrics = {str(name): float(value) for name, value in said.get("metrics", {}).items()}
        return RunOutcome(ending=Ending(said["ending"]), reason=str(said.get("reason", "")), metrics=metrics)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def has_finished(folder: RunFolder) -> bool:
    """Whether a run has come to its end in this folder."""
    outcome = read_outcome(folder)
    return outcome is not None and outcome.ending is Ending.FINISHED
