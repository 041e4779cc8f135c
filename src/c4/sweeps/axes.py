"""The axis of a knob or of an objective, whatever kind of values it has."""

from __future__ import annotations

from c4.report.chart import Axis
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
            numbers = sorted({float(value) for value in values if isinstance(value, int | float)})
            is_wide = not sweep.is_search and numbers[0] > 0 and numbers[-1] / numbers[0] > WIDE
            ticks = {one: f"{one:g}" for one in numbers} if len(numbers) <= 6 else None
            self.axis = Axis(label=self.name, log=knob in sweep.log_knobs or is_wide, ticks=ticks)
        else:
            self._choices = sorted({shown(value) for value in values})
            self.axis = Axis(label=self.name, ticks=dict(enumerate(self._choices)))

    def at(self, job: Job) -> float | None:
        """The job's place on the axis; None when it has no value."""
        if self.knob not in job.values:
            return None
        value = job.values[self.knob]
        if self._choices:
            return float(self._choices.index(shown(value)))
        return float(value) if isinstance(value, int | float) else None


def objective_axis(objective: str) -> Axis:
    return Axis(label=metric_name(objective) + (" (%)" if is_share(objective) else ""))
