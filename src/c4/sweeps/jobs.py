"""What a job knows of the sweep that it is part of: whom to report to, whether it is to end, what it belongs with.

A job that is a trial finds it out from a file in its own folder, whatever process it runs in.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path

from hydra.core.hydra_config import HydraConfig

from c4.multirun import is_multirun, is_swept
from c4.params.logger import LoggerParams
from c4.params.walk import as_typed
from c4.run.about import write_overrides
from c4.run.folder import RunFolder
from c4.run.outcome import Ending, write_outcome

TRIAL = "trial.json"
LONGEST_NAME = 128  # that W&B shows

Report = Callable[[int, Mapping[str, float]], bool]
"""Takes a generation and its metrics; says whether the trial is to end with it."""


def report_of(folder: Path) -> Report | None:
    """For the job in this folder; None when there is nobody to report to."""
    if not (folder / TRIAL).is_file():
        return None
    from c4.sweeps.study import read_study, trial_of  # late: Optuna is an extra

    study = read_study(folder.parent)
    if len(study.directions) > 1:
        return None  # of several objectives none can say alone that a trial is bad
    number = int(json.loads((folder / TRIAL).read_text())["number"])
    trial = trial_of(study, number)
    watched = study.user_attrs["settings"]["watched"] or next(iter(study.user_attrs["about"]["objectives"]))
    known = set(study.get_trials(deepcopy=False)[number].intermediate_values)

    def report(generation: int, metrics: Mapping[str, float]) -> bool:
        value = metrics.get(watched)
        if value is None or not math.isfinite(value) or generation in known:
            return False
        known.add(generation)
        trial.report(value, step=generation)
        return trial.should_prune()

    return report


def hand_over(metrics: Mapping[str, float]) -> float | None:
    """Leaves what a job of a sweep has measured where whoever looks after it finds it; the first is its result."""
    hydra = HydraConfig.get()
    if not is_multirun():
        return None
    folder = RunFolder(path=Path(hydra.runtime.output_dir))
    write_overrides(folder, hydra.overrides.task)  # as the jobs of training have it
    write_outcome(folder, ending=Ending.FINISHED, reason="", metrics=metrics)
    return next(iter(metrics.values()), None)


def of_a_sweep(params: LoggerParams) -> LoggerParams:
    """A job's W&B run stands in a group with those of its sweep, under tags, unless a group is configured; and has a
    name that no other has, unless one is configured."""
    hydra = HydraConfig.get()
    if not is_multirun():
        return params
    wandb, sweep = params.wandb, Path(hydra.sweep.dir).name
    if wandb.run_group is None:
        tags = ("sweep", "seeds") if is_swept("seed") else ("sweep",)
        wandb = dataclasses.replace(wandb, run_group=sweep, tags=(*wandb.tags, *tags))
    if wandb.name is None:
        wandb = dataclasses.replace(wandb, name=" ".join([f"{sweep}/{hydra.job.num}", *_varied()])[:LONGEST_NAME])
    return dataclasses.replace(params, wandb=wandb)


def _varied() -> list[str]:
    """What this job has for itself, keys by their last part."""
    trial = Path(HydraConfig.get().runtime.output_dir) / TRIAL
    if trial.is_file():
        tried = json.loads(trial.read_text())["values"]
        values = {key: f"{one:.4g}" if isinstance(one, float) else as_typed(one) for key, one in tried.items()}
    else:
        pairs = (word.lstrip("+").partition("=") for word in HydraConfig.get().overrides.task)
        values = {key: value for key, _, value in pairs if is_swept(key)}
    return [f"{key.rpartition('.')[2]}={value}" for key, value in values.items()]
