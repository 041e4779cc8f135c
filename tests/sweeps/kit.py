"""Sweeps that were never run: folders as jobs leave them, studies with trials of a moment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from c4.params.plain import from_plain
from c4.params.sweeper import SweeperParams
from c4.sweeps.space import Dimension, Kind
from c4.sweeps.study import Worker

TRUTH, SPEED = "truth/value_preserving_32", "selfplay/games_per_second"
CPUCT = Dimension(key="search.cpuct", kind=Kind.FLOAT, low=1.0, high=4.0, log=True)
CAP = Dimension(key="search.mlh_cap", kind=Kind.FLOAT, low=0.0, high=1.0)
HEAD = Dimension(key="network.value_head", kind=Kind.CHOICE, choices=("scalar", "wdl", None))


def sweeper_params(**changes: Any) -> SweeperParams:
    plain = {
        "study": "made_up", "trials": 12, "at_once": 1, "seed": 1, "sampler": "tpe", "startup_trials": 4,
        "as_configured": False, "pruner": "median", "watched": None, "pruner_startup_trials": 2, "pruner_warmup": 1,
        "attempts": 3, "failures_in_a_row": 5,
    }  # fmt: skip
    return from_plain(SweeperParams, plain | changes)


def worker(
    folder: Path,
    *,
    space: Sequence[Dimension] = (CPUCT, CAP, HEAD),
    objectives: Mapping[str, str] | None = None,
    shared: Sequence[str] = (),
    configured: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Worker:
    return Worker(
        folder,
        params=sweeper_params(**changes),
        objectives=objectives or {TRUTH: "max"},
        space=space,
        shared=shared,
        configured=configured or {},
    )


def leave_job(
    folder: Path,
    number: int,
    *,
    overrides: Sequence[str] = (),
    metrics: Mapping[str, float] | None = None,
    curve: Sequence[float] = (),
    ending: str | None = "finished",
    reason: str = "",
) -> Path:
    """What a job leaves in its folder; `curve` is TRUTH by generation."""
    job = folder / str(number)
    (job / ".hydra").mkdir(parents=True, exist_ok=True)
    OmegaConf.save(OmegaConf.create(list(overrides)), job / ".hydra" / "overrides.yaml")
    if curve:
        rows = "".join(f"{index},{value}\n" for index, value in enumerate(curve, start=1))
        (job / "metrics.csv").write_text(f"generation,{TRUTH}\n{rows}")
    if ending is not None:
        outcome = {"ending": ending, "reason": reason, "metrics": dict(metrics or {})}
        (job / "outcome.json").write_text(json.dumps(outcome))
    return job


def finished_study(folder: Path, *, trials: int, **changes: Any) -> None:
    """Good where cpuct is near 2; the cap and the head do not matter."""
    with worker(folder, trials=trials, **changes) as one:
        while claim := one.claim():
            cpuct = float(claim.values["search.cpuct"])  # type: ignore[arg-type]
            value = 0.9 - 0.1 * (cpuct - 2.0) ** 2
            leave_job(folder, claim.number, metrics={TRUTH: value}, curve=[0.5, (0.5 + value) / 2, value])
            one.finish(claim.number, [value])
