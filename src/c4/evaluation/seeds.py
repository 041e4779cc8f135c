"""Players of runs that differ by nothing but their seed, as one: mean and spread of what each reached.

Plain reports in, plain data out.
"""

from __future__ import annotations

import hashlib
import json
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from c4.evaluation.report import Report
from c4.run.about import RunFileError, read_config
from c4.run.folder import RunFolder

SEED = "seed"
ELSEWHERE = (SEED, "resume", "paths", "logger", "name")
"""Keys that say nothing of how a player came to be strong."""

FIGURES = ("value_preserving", "distance_optimal")
ALL = "all"


def setting_of(run: RunFolder) -> Mapping[str, Any] | None:
    """The run's seed, and a name for all else that it was made with; None where it is not known."""
    try:
        plain = read_config(run)
    except RunFileError:
        return None
    if not plain:
        return None
    rest = json.dumps({key: value for key, value in plain.items() if key not in ELSEWHERE}, sort_keys=True)
    return {SEED: plain.get(SEED), "setting": hashlib.sha256(rest.encode()).hexdigest()[:12]}


def over_seeds(reports: Sequence[Report]) -> list[Mapping[str, Any]]:
    """A group for each setting that several seeds of are there: set -> budget -> figure -> mean and spread."""
    settings: dict[str, list[Report]] = {}
    for report in reports:
        if report["sets"] and report.get("run"):
            settings.setdefault(report["run"]["setting"], []).append(report)
    return [
        {
            "names": [one["name"] for one in group],
            "seeds": [one["run"][SEED] for one in group],
            "figures": {name: _together([one["sets"][name] for one in group]) for name in group[0]["sets"]}
            | ({ALL: _together([one["overall"] for one in group])} if len(group[0]["sets"]) > 1 else {}),
        }
        for group in settings.values()
        if len({one["run"][SEED] for one in group}) == len(group) > 1
    ]


def _together(figures: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, dict[str, float]]]:
    """The spread is the standard deviation."""
    return {
        budget: {
            key: {"mean": statistics.fmean(values), "spread": statistics.stdev(values)}
            for key in FIGURES
            if None not in (values := [one[budget][key]["value"] for one in figures])
        }
        for budget in figures[0]
    }


def seed_words(group: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} (seed {seed})" for name, seed in zip(group["names"], group["seeds"], strict=True))


def spread_words(figure: Mapping[str, float]) -> str:
    """Of a share of what is right, in per cent of what is not."""
    return f"{100 * (1 - figure['mean']):.1f} ± {100 * figure['spread']:.1f}"
