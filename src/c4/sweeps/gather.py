"""Reads what a sweep has left, as far as it has come: a study with its trials, a plain grid, or seeds of one setting.

Plain data for reports. Knows jobs by their folders, and a study by its journal.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any

from hydra.errors import HydraException

from c4.files import read_plain
from c4.multirun import grid_of
from c4.params.errors import ConfigError, nearest_of
from c4.report.words import knob_words
from c4.run.about import RunFileError, read_config, read_overrides, read_yaml, value_at
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.run.origin import origin_of
from c4.run.outcome import Ending, read_outcome
from c4.sweeps.jobs import TRIAL
from c4.sweeps.space import Value

SEED, MULTIRUN = "seed", "multirun.yaml"
LIKELY = ("truth/value_preserving", r"truth/final/[a-z-]+/value_preserving", "baseline/strength", "loss/total")
"""What a grid is compared by when its configuration names nothing: the first of these that was measured."""


class JobState(Enum):
    WHOLE = "whole"
    PRUNED = "ended early"
    FAILED = "failed"
    UNFINISHED = "unfinished"


ENDINGS = {
    Ending.FINISHED: JobState.WHOLE,
    Ending.PRUNED: JobState.PRUNED,
    Ending.STOPPED: JobState.UNFINISHED,
    Ending.FAILED: JobState.FAILED,
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Job:
    number: int
    state: JobState
    values: Mapping[str, Value]  # of the knobs that the sweep is about
    seed: Value
    metrics: Mapping[str, float]  # the last known
    curve: Mapping[int, Mapping[str, float]]  # metrics by generation
    reason: str  # why it failed

    @property
    def minutes(self) -> float | None:
        return self.metrics.get("budget/minutes")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sweep:
    name: str
    is_search: bool  # else a grid
    planned: int | None  # how many jobs there are to be; None where that is not known
    objectives: Mapping[str, str]  # metric -> max or min
    watched: str  # metric of a learning curve
    knobs: Sequence[str]
    log_knobs: frozenset[str]
    jobs: Sequence[Job]
    configured: int | None = None  # the job that is the configuration as it stands
    made: Mapping[str, str] = dataclasses.field(default_factory=dict)  # how its jobs were made, for people

    def count(self, state: JobState) -> int:
        return sum(job.state is state for job in self.jobs)

    def whole(self) -> list[Job]:
        """The jobs that can be compared: run to their end, with every objective measured."""
        return [
            job
            for job in self.jobs
            if job.state is JobState.WHOLE and all(name in job.metrics for name in self.objectives)
        ]

    def gain(self, job: Job, objective: str) -> float:
        """Higher is better, whichever way the objective goes."""
        return job.metrics[objective] * (1.0 if self.objectives[objective] == "max" else -1.0)

    def ranked(self) -> list[Job]:
        """Best first; with several objectives those come first that none beats in all, then by the first objective."""
        first = next(iter(self.objectives))
        front = {job.number for job in self.front()}
        return sorted(self.whole(), key=lambda job: (job.number not in front, -self.gain(job, first), job.number))

    def front(self) -> list[Job]:
        """The jobs that no other beats in one objective without losing in another."""
        whole = self.whole()
        return [job for job in whole if not any(self._beats(other, job) for other in whole)]

    def _beats(self, one: Job, other: Job) -> bool:
        gains = [(self.gain(one, name), self.gain(other, name)) for name in self.objectives]
        return all(a >= b for a, b in gains) and any(a > b for a, b in gains)


def gather(folder: Path, *, metric: str | None = None) -> Sweep:
    """`metric` replaces the objectives. Raises ConfigError when the folder holds no runs."""
    paths = sorted((path for path in folder.glob("*") if _is_job(path)), key=_in_order)
    if not paths:
        raise ConfigError(f"{folder} holds no runs; name the folder of a sweep, which the sweep's first line tells")
    from c4.sweeps.study import has_study  # late: Optuna is an extra, and a grid needs none

    sweep = _readable_study(folder, paths) if has_study(folder) else _grid(folder, paths)
    return sweep if metric is None else _by_metric(sweep, metric)


def _is_job(path: Path) -> bool:
    return (path / TRIAL).is_file() or RunFolder(path=path).has_job()


def _readable_study(folder: Path, paths: Sequence[Path]) -> Sweep:
    """Raises ConfigError for a journal that says nothing of these jobs, or nothing at all."""
    try:
        return _study(folder, paths)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, AssertionError) as error:
        said = f"{type(error).__name__}: {error}"[:200]
        raise ConfigError(f"{folder}: the journal of its search cannot be read ({said})") from error


def _study(folder: Path, paths: Sequence[Path]) -> Sweep:
    from c4.sweeps.study import REASON, read_study

    study = read_study(folder)
    trials = study.get_trials(deepcopy=False)
    jobs = []
    for path in paths:
        job = _job(path, number=int(path.name), values=_trial_values(path))
        trial = trials[job.number]
        state = {"COMPLETE": JobState.WHOLE, "PRUNED": JobState.PRUNED, "FAIL": JobState.FAILED}.get(trial.state.name)
        reason = trial.user_attrs.get(REASON, "")
        jobs.append(dataclasses.replace(job, state=state or JobState.UNFINISHED, reason=reason))
    objectives = study.user_attrs["about"]["objectives"]
    distributions = {key: each for trial in trials for key, each in trial.distributions.items()}
    return Sweep(
        name=study.study_name,
        is_search=True,
        planned=study.user_attrs["settings"]["trials"],
        objectives=objectives,
        watched=study.user_attrs["settings"]["watched"] or next(iter(objectives)),
        knobs=list(distributions),
        log_knobs=frozenset(key for key, each in distributions.items() if getattr(each, "log", False)),
        jobs=jobs,
        configured=0 if study.user_attrs["settings"]["as_configured"] else None,
        made=_made(paths),
    )


def _grid(folder: Path, paths: Sequence[Path]) -> Sweep:
    """The knobs are what differs between the command lines of its jobs."""
    typed = [_typed(path) for path in paths]
    keys = {key: None for line in typed for key in line if key != SEED}
    knobs = [key for key in keys if len({repr(line.get(key)) for line in typed if line}) > 1]
    jobs = []
    for index, (path, line) in enumerate(zip(paths, typed, strict=True)):
        number = int(path.name) if path.name.isdecimal() else index
        jobs.append(_job(path, number=number, values={key: line[key] for key in knobs if key in line}, line=line))
    objectives = _monitored(folder, paths, jobs, knobs=knobs)
    return Sweep(
        name=folder.resolve().name,
        is_search=False,
        planned=_planned(folder),
        objectives=objectives,
        watched=next(iter(objectives)),
        knobs=knobs,
        log_knobs=frozenset(),
        jobs=jobs,
        made=_made(paths),
    )


def _made(paths: Sequence[Path]) -> dict[str, str]:
    """As the first of its jobs that is a run says."""
    first = next((path for path in paths if origin_of(path / "any")), None)
    if first is None:
        return {}
    known, search = origin_of(first / "any"), None
    told = {"first job": "command", "its commit": "commit", "its cores": "cores"}
    with suppress(RunFileError):
        search = read_config(RunFolder(path=first)).get("search")
    knobs = {"its search": knob_words(search)} if isinstance(search, Mapping) else {}
    return {name: str(known[key]) for name, key in told.items() if key in known} | knobs


def _planned(folder: Path) -> int | None:
    """As the command line of the grid has it."""
    whole = _multirun(folder)
    words, sweeper = value_at(whole, "hydra.overrides.task"), value_at(whole, "hydra.sweeper")
    if not (isinstance(words, list) and isinstance(sweeper, Mapping)):
        return None
    try:
        grid = grid_of(map(str, words), sweeper=sweeper)
    except (HydraException, ArithmeticError, ValueError, TypeError, AttributeError, RecursionError):
        return None  # words that nobody has typed
    return None if grid is None else grid.jobs


def _multirun(folder: Path) -> Mapping[str, Any]:
    """What a sweep was configured as; nothing where that cannot be read."""
    with suppress(RunFileError):
        if isinstance(whole := read_yaml(folder / MULTIRUN), Mapping):
            return whole
    return {}


def _monitored(folder: Path, paths: Sequence[Path], jobs: Sequence[Job], *, knobs: Sequence[str]) -> dict[str, str]:
    """What the best player of its runs is chosen by, if that was measured."""
    measured = {name for job in jobs for name in job.metrics}
    for config in _configs(folder, paths):
        monitor = value_at(config, "callbacks.checkpoint.monitor")
        if monitor in measured:
            return {monitor: str(value_at(config, "callbacks.checkpoint.direction"))}
    for likely in LIKELY:
        found = [(int(one[1] or 0), name) for name in measured if (one := re.fullmatch(rf"{likely}(?:_(\d+))?", name))]
        if found:  # a bare network plays the same whatever the search
            budget, _ = (max if any(knob.startswith("search.") for knob in knobs) else min)(found)
            name = min(name for other, name in found if other == budget)  # all sets as one before any of them
            return {name: "min" if likely.startswith("loss") else "max"}
    raise ConfigError(f"nothing was measured yet in {folder}")


def _configs(folder: Path, paths: Sequence[Path]) -> Iterator[Mapping[str, Any]]:
    """Of the sweep, and of its runs as far as they can be read."""
    yield _multirun(folder)
    for path in paths:
        with suppress(RunFileError):
            yield read_config(RunFolder(path=path))


def _by_metric(sweep: Sweep, metric: str) -> Sweep:
    measured = {name for job in sweep.jobs for name in job.metrics}
    if metric not in measured:
        nearest = nearest_of(metric, sorted(measured))
        hint = f"; did you mean {nearest}?" if nearest else ""
        raise ConfigError(f"metric={metric}: it was not measured in {sweep.name}{hint}")
    direction = sweep.objectives.get(metric) or ("min" if metric.startswith(("loss/", "budget/", "time/")) else "max")
    return dataclasses.replace(sweep, objectives={metric: direction}, watched=metric)


def _job(path: Path, *, number: int, values: Mapping[str, Value], line: Mapping[str, Value] | None = None) -> Job:
    folder = RunFolder(path=path)
    outcome, curve = read_outcome(folder), read_metrics(folder)
    last = {name: value for _, row in sorted(curve.items()) for name, value in row.items()}  # not all are in each row
    return Job(
        number=number,
        state=ENDINGS[outcome.ending] if outcome else JobState.UNFINISHED,
        values=values,
        seed=(_typed(path) if line is None else line).get(SEED),
        metrics=last | (dict(outcome.metrics) if outcome else {}),
        curve=curve,
        reason=outcome.reason if outcome else "",
    )


def _trial_values(path: Path) -> dict[str, Value]:
    """None where they cannot be read."""
    try:
        return dict(json.loads(read_plain(path / TRIAL, most=2**20))["values"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}


def _typed(path: Path) -> dict[str, Value]:
    """The overrides of a job by key; none where they cannot be read."""
    words: list[str] = []
    with suppress(RunFileError):
        words = read_overrides(RunFolder(path=path))
    pairs = [word.lstrip("+").partition("=") for word in words]
    return {key: _value(text) for key, _, text in pairs if key != "resume"}


def _value(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"null": None, "true": True, "false": False}.get(text, text.strip("'\""))


def _in_order(path: Path) -> tuple[int, str]:
    return (int(path.name) if path.name.isdecimal() else 1 << 30, path.name)
