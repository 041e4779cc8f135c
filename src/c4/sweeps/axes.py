"""The axis of a knob or of an objective, whatever kind of values it has."""

from __future__ import annotations

import math
from collections.abc import Sequence

from c4.report.plots import Axis, linear_axis
from c4.sweeps.gather import Job, Sweep
from c4.sweeps.statistics import is_numeric
from c4.sweeps.words import is_share, metric_name, short_names, shown

WIDE = 20.0
"""Values of a grid that reach over such a factor get a logarithmic axis; a search says itself which are to."""


class KnobAxis:
    """Where the values of a knob lie: numbers by size, choices side by side."""

    def __init__(self, sweep: Sweep, knob: str) -> None:
        self.knob, self.name = knob, short_names(sweep.knobs).get(knob, knob)
        values = [job.values[knob] for job in sweep.jobs if knob in job.values]
        self._choices: list[str] = []
        if is_numeric(sweep, knob):
            numbers = sorted(float(value) for value in values if isinstance(value, int | float))
            is_wide = not sweep.is_search and numbers[0] > 0 and numbers[-1] / numbers[0] > WIDE
            log = knob in sweep.log_knobs or is_wide
            self.axis = _log_axis(self.name, numbers) if log else _tight_axis(self.name, numbers)
        else:
            self._choices = sorted({shown(value) for value in values})
            ticks = [(float(index), choice) for index, choice in enumerate(self._choices)]
            self.axis = Axis(label=self.name, low=-0.5, high=len(ticks) - 0.5, ticks=ticks)

    def at(self, job: Job) -> float | None:
        """The job's place on the axis; None when it has no value."""
        if self.knob not in job.values:
            return None
        value = job.values[self.knob]
        if self._choices:
            return float(self._choices.index(shown(value)))
        return float(value) if isinstance(value, int | float) else None


def objective_scale(objective: str) -> float:
    """Shares are drawn as per cent."""
    return 100.0 if is_share(objective) else 1.0


def objective_axis(objective: str, values: Sequence[float]) -> Axis:
    """`values` are scaled already."""
    unit = " (%)" if is_share(objective) else ""
    return linear_axis(metric_name(objective) + unit, values)


def _tight_axis(label: str, numbers: Sequence[float]) -> Axis:
    """Ends at the values themselves, with round ticks in between."""
    low, high = numbers[0], numbers[-1]
    if high - low < 1e-12:
        low, high = low - 0.5, high + 0.5
    round_one = linear_axis(label, [low, high])
    few = sorted(set(numbers))
    ticks = [(value, f"{value:g}") for value in few] if len(few) <= 6 else round_one.ticks
    margin = 0.03 * (high - low)
    inside = [(value, name) for value, name in ticks if low - margin <= value <= high + margin]
    return Axis(label=label, low=low - margin, high=high + margin, ticks=inside)


def _log_axis(label: str, numbers: Sequence[float]) -> Axis:
    low, high = numbers[0] / 1.05, numbers[-1] * 1.05
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if high / low < 300 else (1,)
    ticks = [(step * 10.0**power, f"{step * 10.0**power:g}") for power in decades for step in steps]
    return Axis(label=label, low=low, high=high, ticks=[tick for tick in ticks if low <= tick[0] <= high], log=True)
