"""What a sweep's figures say: which knobs mattered, and how much seeds scatter. Plain data in, numbers out."""

from __future__ import annotations

import dataclasses
import math
import re
import statistics
from collections.abc import Mapping, Sequence

from c4.evaluation.statistics import Z95, Figure, wilson
from c4.sweeps.gather import Job, Sweep
from c4.sweeps.space import Value

LEAST_JOBS = 10
"""Below this many, importance would be noise."""

GOOD_SHARE = 0.25
"""Of the jobs, that count as good when knobs are asked which of them made a job good."""

STUDENT95 = (12.7062, 4.3027, 3.1824, 2.7764)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setting:
    """Jobs that differ by nothing but their seeds."""

    values: Mapping[str, Value]
    jobs: Sequence[Job]
    mean: Mapping[str, float]  # objective -> over the seeds
    spread: Mapping[str, float]  # standard deviation; NaN for one job


def settings(sweep: Sweep) -> list[Setting]:
    """Best first, by the first objective."""
    groups: dict[str, list[Job]] = {}
    for job in sweep.whole():
        groups.setdefault(repr([job.values.get(knob) for knob in sweep.knobs]), []).append(job)
    found = []
    for jobs in groups.values():
        figures = {name: mean_and_spread([job.metrics[name] for job in jobs]) for name in sweep.objectives}
        mean = {name: middle for name, (middle, _) in figures.items()}
        spread = {name: half for name, (_, half) in figures.items()}
        found.append(Setting(values=jobs[0].values, jobs=jobs, mean=mean, spread=spread))
    first = next(iter(sweep.objectives))
    return sorted(found, key=lambda one: one.mean[first], reverse=sweep.objectives[first] == "max")


def mean_margin(one: Setting, objective: str) -> float:
    """Half of the 95 % interval of its mean (Student's t); infinite for one job."""
    degrees = len(one.jobs) - 1
    return student95(degrees) * one.spread[objective] / math.sqrt(len(one.jobs)) if degrees else math.inf


def is_near(best: Setting, other: Setting, objective: str) -> bool:
    """Whether the means of two settings cannot be told apart."""
    reach = math.hypot(mean_margin(best, objective), mean_margin(other, objective))
    return abs(best.mean[objective] - other.mean[objective]) <= reach


def student95(degrees: int) -> float:
    """Two-sided 95 % of Student's distribution, by its expansion around the normal one; few degrees by a table."""
    if degrees <= len(STUDENT95):
        return STUDENT95[degrees - 1]
    z = Z95
    terms = (z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return sum(term * float(degrees) ** -power for power, term in enumerate(terms))


def tied(sweep: Sweep, job: Job) -> list[Job]:
    """The other whole jobs that reached the same in every objective."""
    return [
        other
        for other in sweep.whole()
        if other is not job and all(other.metrics[name] == job.metrics.get(name) for name in sweep.objectives)
    ]


def interval_of(job: Job, objective: str) -> Figure | None:
    """95 %, where the objective is a rate and it is known over how many positions."""
    rate = re.fullmatch(r"(.*/)?(value_preserving|distance_optimal)(_\d+)?", objective)
    count = round(job.metrics.get(f"{rate[1] or ''}positions{rate[3] or ''}", 0)) if rate else 0
    return wilson(round(job.metrics[objective] * count), count) if count else None


def best_values(sweep: Sweep) -> Mapping[str, Value]:
    """Of the setting that is best over its seeds, or of the best job where each was run once; empty when none is."""
    groups = settings(sweep)
    if not groups:
        return {}
    return groups[0].values if len(groups[0].jobs) > 1 else sweep.ranked()[0].values


def mean_and_spread(values: Sequence[float]) -> tuple[float, float]:
    """The spread is the standard deviation; NaN of a single value."""
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else math.nan


def importance(sweep: Sweep, objective: str) -> dict[str, float]:
    """Shares that sum to 1, largest first, by PED-ANOVA: how differently good jobs are spread over each knob than all.

    Empty when there are too few jobs to tell, or without Optuna.
    """
    whole = sweep.whole()
    knobs = [knob for knob in sweep.knobs if len({repr(job.values.get(knob)) for job in whole}) > 1]
    if len(whole) < LEAST_JOBS or not knobs:
        return {}
    if len(knobs) == 1:
        return {knobs[0]: 1.0}
    try:
        import optuna  # an extra
    except ModuleNotFoundError:
        return {}
    from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution

    def distribution(knob: str) -> BaseDistribution:
        values = [job.values.get(knob) for job in whole]
        if is_numeric(sweep, knob):
            numbers = [float(value) for value in values if isinstance(value, int | float)]
            return FloatDistribution(min(numbers), max(numbers), log=knob in sweep.log_knobs)
        return CategoricalDistribution(sorted({str(value) for value in values}))

    distributions = {knob: distribution(knob) for knob in knobs}
    study = optuna.create_study(direction="minimize")
    for job in whole:
        params = {
            knob: float(job.values[knob]) if is_numeric(sweep, knob) else str(job.values.get(knob))  # type: ignore[arg-type]
            for knob in knobs
        }
        study.add_trial(
            optuna.trial.create_trial(params=params, distributions=distributions, value=-sweep.gain(job, objective))
        )
    shares = optuna.importance.get_param_importances(
        study, evaluator=optuna.importance.PedAnovaImportanceEvaluator(target_quantile=GOOD_SHARE)
    )
    return {knob: share for knob, share in shares.items() if math.isfinite(share)}


def is_numeric(sweep: Sweep, knob: str) -> bool:
    values = [job.values.get(knob) for job in sweep.jobs if knob in job.values]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
