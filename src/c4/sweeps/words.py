"""How a sweep's values are written, in tables and on pages alike."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from c4.report.words import PACE
from c4.sweeps.gather import Job, JobState, Sweep
from c4.sweeps.space import Value
from c4.sweeps.statistics import Setting, interval_of, mean_margin

INTERVAL = "95 % interval "
GRADED = {  # shares of what is right -> what is drawn: what is not
    "value_preserving": "errors",
    "value_preserving_decisive": "errors in decisive positions",
    "distance_optimal": PACE,
    "policy_mass": "policy on errors",
    "value_sign": "value of the wrong sign",
}


def short_names(knobs: Sequence[str]) -> dict[str, str]:
    """Knobs by their last part, where that tells them apart."""
    last = [knob.rpartition(".")[2] for knob in knobs]
    return {knob: name if last.count(name) == 1 else knob for knob, name in zip(knobs, last, strict=True)}


def metric_name(metric: str) -> str:
    """What is drawn of a metric: errors, 32 simulations"""
    if (graded := _graded(metric)) is not None:
        where = "" if graded["set"] in {None, "all"} else f" on {graded['set']}"
        thought = f"{graded['budget']} simulations" if graded["budget"] else "bare network"
        return f"{GRADED[graded['figure']]}{where}, {thought}"
    return metric.replace("_", " ").replace("/", " ")


def shown_value(metric: str, value: float) -> float:
    """As people see it: of a share of right moves the errors, and any share in per cent."""
    if _graded(metric) is not None:
        return 100 * (1 - value)
    return 100 * value if is_share(metric) else value


def is_share(metric: str) -> bool:
    return _graded(metric) is not None or "share" in metric


def figure(metric: str, value: float) -> str:
    if not math.isfinite(value):
        return "–"
    value = shown_value(metric, value)
    if is_share(metric):
        return f"{value:.2f} %"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _graded(metric: str) -> re.Match[str] | None:
    """Of a figure of grading that counts what is right."""
    names = "|".join(GRADED)
    return re.fullmatch(rf"truth/(final/(?P<set>[^/]+)/)?(?P<figure>{names})(_(?P<budget>\d+))?", metric)


def spread_figure(metric: str, mean: float, spread: float) -> str:
    if not math.isfinite(spread):
        return figure(metric, mean)
    unit = " %" if is_share(metric) else ""
    around = f"{100 * spread:.2f}" if unit else f"{spread:.2g}"
    return f"{figure(metric, mean).removesuffix(unit)} ± {around}{unit}"


def shown(value: Value) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def as_overrides(values: Mapping[str, Value]) -> str:
    """What to type for these values."""
    return " ".join(f"{key}={shown(value)}" for key, value in values.items())


def setting_name(sweep: Sweep, values: Mapping[str, Value]) -> str:
    names = short_names(sweep.knobs)
    return as_overrides({names[key]: value for key, value in values.items()}) or "as configured"


def seeks_more(metric: str, direction: str) -> bool:
    """Whether what is drawn of a metric is the better the higher."""
    return (direction == "max") != (_graded(metric) is not None)


def direction_words(sweep: Sweep, objective: str) -> str:
    return "higher is better" if seeks_more(objective, sweep.objectives[objective]) else "lower is better"


def sought_words(objectives: Mapping[str, str]) -> str:
    return " and ".join(
        f"{'highest' if seeks_more(name, way) else 'fewest' if _graded(name) else 'lowest'} {metric_name(name)}"
        for name, way in objectives.items()
    )


def state_name(state: JobState) -> str:
    return "finished" if state is JobState.WHOLE else state.value


def job_name(sweep: Sweep, job: Job) -> str:
    return f"{'trial' if sweep.is_search else 'job'} {job.number}"


def note(sweep: Sweep, job: Job) -> str:
    """What is shown when the pointer rests on a job."""
    names = short_names(sweep.knobs)
    values = [f"{names[knob]} {shown(job.values[knob])}" for knob in sweep.knobs if knob in job.values]
    reached = [
        f"{metric_name(name)}: {figure(name, job.metrics[name])}" for name in sweep.objectives if name in job.metrics
    ]
    return "\n".join([f"{job_name(sweep, job)}, {state_name(job.state)}", *values, *reached])


def mean_interval_words(one: Setting, objective: str) -> str:
    """How sure the mean over seeds is, and how far they scatter."""
    middle, margin = one.mean[objective], mean_margin(one, objective)
    low, high = sorted(shown_value(objective, end) for end in (middle - margin, middle + margin))
    low, high = (min(max(end, 0.0), 100.0) if is_share(objective) else end for end in (low, high))
    around = spread_figure(objective, middle, one.spread[objective]).partition(" ± ")[2]
    return f"{INTERVAL}{low:.4g} – {high:.4g}, standard deviation {around}"


def interval_words(job: Job, objective: str) -> str:
    """How sure the figure of one job is."""
    known = interval_of(job, objective)
    if known is None:
        return "one run: no interval is known"
    ends = sorted(shown_value(objective, end) for end in (known.low, known.high))
    return f"{INTERVAL}{ends[0]:.2f} – {ends[1]:.2f}"
