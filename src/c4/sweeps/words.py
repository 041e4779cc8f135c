"""How a sweep's values are written, in tables and on pages alike."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from c4.sweeps.gather import Job, Sweep
from c4.sweeps.space import Value
from c4.sweeps.statistics import interval_of


def short_names(knobs: Sequence[str]) -> dict[str, str]:
    """Knobs by their last part, where that tells them apart."""
    last = [knob.rpartition(".")[2] for knob in knobs]
    return {knob: name if last.count(name) == 1 else knob for knob, name in zip(knobs, last, strict=True)}


def metric_name(metric: str) -> str:
    """value preserving, 32 simulations"""
    name = metric.removeprefix("truth/").removeprefix("final/").replace("_", " ")
    head, _, last = name.rpartition(" ")
    return f"{head}, {last} simulations" if last.isdecimal() else name.replace("/", " ")


def figure(metric: str, value: float) -> str:
    if not math.isfinite(value):
        return "–"
    if is_share(metric):
        return f"{100 * value:.2f} %"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def is_share(metric: str) -> bool:
    return any(
        word in metric for word in ("value_preserving", "distance_optimal", "policy_mass", "value_sign", "share")
    )


def spread_figure(metric: str, mean: float, spread: float) -> str:
    if not math.isfinite(spread):
        return figure(metric, mean)
    return f"{figure(metric, mean).removesuffix(' %')} ± {figure(metric, spread)}"


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


def direction_words(sweep: Sweep, objective: str) -> str:
    return "higher is better" if sweep.objectives[objective] == "max" else "lower is better"


def job_name(sweep: Sweep, job: Job) -> str:
    return f"{'trial' if sweep.is_search else 'job'} {job.number}"


def note(sweep: Sweep, job: Job) -> str:
    """What is shown when the pointer rests on a job."""
    names = short_names(sweep.knobs)
    values = [f"{names[knob]} {shown(job.values[knob])}" for knob in sweep.knobs if knob in job.values]
    reached = [
        f"{metric_name(name)}: {figure(name, job.metrics[name])}" for name in sweep.objectives if name in job.metrics
    ]
    return "\n".join([f"{job_name(sweep, job)}, {job.state.value}", *values, *reached])


def interval_words(job: Job, objective: str) -> str:
    """How sure the figure of one job is."""
    known = interval_of(job, objective)
    if known is None:
        return "one run: no interval is known"
    return f"{100 * known.low:.2f} – {100 * known.high:.2f}"
