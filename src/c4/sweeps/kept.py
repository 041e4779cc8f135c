"""A sweep as one small file of plain data, so that its picture can be drawn anew when its folder is gone."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from c4.files import read_plain, write_beside
from c4.params.errors import ConfigError
from c4.sweeps.gather import Job, JobState, Sweep

MOST = 2**26  # bytes


def keep_sweep(path: Path, sweep: Sweep) -> None:
    """Without learning curves. Raises OSError."""
    plain = dataclasses.asdict(sweep) | {"log_knobs": sorted(sweep.log_knobs)}
    for job in plain["jobs"]:
        job["state"] = job["state"].value
        del job["curve"]
    write_beside(path, json.dumps(plain, indent=1).encode() + b"\n")


def read_sweep(path: Path) -> Sweep:
    """Raises ConfigError."""
    try:
        plain = json.loads(read_plain(path, most=MOST))
        jobs = [Job(**{**job, "state": JobState(job["state"]), "curve": {}}) for job in plain["jobs"]]
        return Sweep(**{**plain, "log_knobs": frozenset(plain["log_knobs"]), "jobs": jobs})
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(f"{path}: not a file that `report ... plot=` writes ({error})") from error
