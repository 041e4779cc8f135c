"""What a clock says of a state, and the run's own id: beside it, so that the same seed gives the same bytes in it.

Written before its state, which is not whole without it. Plain text with a checksum.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from c4.files import read_plain, write_beside
from c4.ledger import Phase
from c4.run.folder import StateError

OF_THE_CLOCK = re.compile(r"budget/minutes|budget/progress|time/.*|.*_per_second|truth/selfplay/.*")
"""Metrics that differ from one undisturbed run to the next."""

MOST = 2**20  # bytes

Clock = Mapping[str, Any]
"""run_id; ledger: what the ledger has under "clock"; metrics: those of the clock. Plain values."""


def timeless(metrics: Mapping[str, float]) -> dict[str, float]:
    """Those that two undisturbed runs of one seed share."""
    return {name: value for name, value in metrics.items() if not OF_THE_CLOCK.fullmatch(name)}


def take_clock(header: dict[str, Any], ledger: dict[str, Any]) -> Clock:
    """Takes it out of what a state says of its run."""
    of_all = header["metrics"]
    header["metrics"] = timeless(of_all)
    metrics = {name: value for name, value in of_all.items() if name not in header["metrics"]}
    return {"run_id": header.pop("run_id"), "ledger": ledger.pop("clock"), "metrics": metrics}


def with_clock(
    header: Mapping[str, Any], ledger: Mapping[str, Any], clock: Clock
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What `take_clock` was given."""
    metrics = {**header["metrics"], **clock["metrics"]}
    return {**header, "run_id": clock["run_id"], "metrics": metrics}, {**ledger, "clock": clock["ledger"]}


def write_clock(path: Path, clock: Clock) -> None:
    """Raises OSError when the disk does not take it."""
    write_beside(path, json.dumps({"crc32": _checksum(clock), **clock}, indent=1).encode() + b"\n")


def read_clock(path: Path) -> Clock:
    """Raises StateError."""
    try:
        said = json.loads(read_plain(path, most=MOST))
        written = said.pop("crc32")
        if written != _checksum(said) or not _is_sound(said):
            raise ValueError
    except FileNotFoundError as error:
        raise StateError(f"{path} is missing") from error
    except OSError as error:
        raise StateError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise StateError(f"{path} is damaged: it has changed since it was written") from error
    return {str(name): value for name, value in said.items()}


def _is_sound(said: Mapping[str, Any]) -> bool:
    booked = said["ledger"]["seconds"]
    seconds = [said["ledger"]["elapsed"], *booked.values()]
    metrics = said["metrics"].values()
    return (
        isinstance(said["run_id"], str)
        and booked.keys() <= {phase.name for phase in Phase}
        and all(isinstance(value, float | int) and math.isfinite(value) and value >= 0 for value in seconds)
        and all(isinstance(value, float | int) for value in metrics)
    )


def _checksum(clock: Clock) -> str:
    return f"{zlib.crc32(json.dumps(clock, sort_keys=True).encode()):08x}"
