"""The charts of a sweep's page that are about its knobs, each a card; empty where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

from c4.params.errors import ConfigError
from c4.report.chart import Axis, Point, Row, Series, bars, lines
from c4.report.knobs import Dot, parallel, surface, surface_and_shares
from c4.report.page import card, gallery
from c4.report.picture import Picture
from c4.sweeps.axes import KnobAxis, objective_axis
from c4.sweeps.gather import Job, JobState, Sweep
from c4.sweeps.statistics import LEAST_JOBS, importance, interval_of, is_numeric
from c4.sweeps.words import (
    INTERVAL,
    direction_words,
    figure,
    interval_words,
    metric_name,
    note,
    short_names,
    shown_value,
)

FAINTEST = 0.08
OBJECTIVES = ("blue", "violet", "green", "gold")  # their colours, in order
SURFACE = ("search.mlh_slope", "search.mlh_cap")
"""Two knobs that mean something only together."""


def importance_card(sweep: Sweep) -> str:
    if not sweep.knobs:
        return ""
    if len(sweep.whole()) < LEAST_JOBS:
        words = f"Too few jobs to tell: {len(sweep.whole())} have finished, it takes {LEAST_JOBS}."
        return card("Which knobs mattered", f"<p class='none'>{words}</p>")
    rows, legend = _shares(sweep)
    note = (
        f"How much the best quarter of {len(sweep.whole())} jobs differs from all of them in each knob (PED-ANOVA). "
        "With fewer than about thirty jobs this is no more than a hint."
    )
    axis = Axis(label="share of what was explained (%)")
    drawn = bars(rows, axis=axis, about="importance of the knobs", legend=legend)
    return card("Which knobs mattered", drawn, note=note) if rows else ""


def _shares(sweep: Sweep) -> tuple[list[Row], dict[str, str]]:
    """A bar a knob and objective, the most important knob first; and which colour is which objective."""
    found = {name: importance(sweep, name) for name in sweep.objectives}
    colours = dict(zip(found, cycle(OBJECTIVES), strict=False))
    names, rows = short_names(sweep.knobs), []
    for knob in next(iter(found.values())):
        for index, (objective, shares) in enumerate(found.items()):
            share, label = shares.get(knob, 0.0), "" if index else names[knob]
            rows.append(Row(label=label, value=100 * share, colour=colours[objective], said=f"{share:.0%}"))
    return rows, {metric_name(name): colour for name, colour in colours.items()} if len(found) > 1 else {}


def parallel_card(sweep: Sweep) -> str:
    if not sweep.knobs or len(sweep.whole()) < 2:
        return ""
    objective = next(iter(sweep.objectives))
    axes = [KnobAxis(sweep, knob) for knob in sweep.knobs]

    def places(job: Job) -> list[float | None]:
        ends = job.state is JobState.WHOLE and objective in job.metrics
        return [*(axis.at(job) for axis in axes), shown_value(objective, job.metrics[objective]) if ends else None]

    dots = [_dot(sweep, job, objective, places(job)) for job in sweep.jobs]
    about = "each job as a line through its knobs to what it reached"
    drawn = parallel([*(one.axis for one in axes), objective_axis(objective)], dots, about=about)
    return card(
        "Every job at once",
        drawn,
        note=f"Each line is a job, from its knobs to {metric_name(objective)}; {direction_words(sweep, objective)}. "
        "The stronger the line, the better the job; orange: the best; dashed: ended early or failed. Point at a line "
        "to read its values.",
        wide=True,
    )


def slice_card(sweep: Sweep) -> str:
    """The first objective against each knob alone, the most important first."""
    whole = sweep.whole()
    if not sweep.knobs or len(whole) < 2:
        return ""
    objective = next(iter(sweep.objectives))
    drawn = []
    for knob in dict.fromkeys([*importance(sweep, objective), *sweep.knobs]):
        axis = KnobAxis(sweep, knob)
        points = [
            Point(x=x, y=shown_value(objective, job.metrics[objective]), note=note(sweep, job))
            for job in whole
            if (x := axis.at(job)) is not None
        ]
        series = [Series(label="", thing="blue", points=points, joined=False)]
        about = f"{metric_name(objective)} against {axis.name}"
        drawn.append((lines(series, x=axis.axis, y=objective_axis(objective), about=about), [axis.name]))
    about = f"{metric_name(objective).capitalize()} against each knob alone; {direction_words(sweep, objective)}."
    return card("Knob by knob", gallery(drawn, broad=True), note=about, wide=True)


def map_card(sweep: Sweep) -> str:
    """Surfaces: the two knobs that mattered most, and slope and cap of the moves-left utility, for each objective."""
    numeric = [knob for knob in sweep.knobs if is_numeric(sweep, knob)]
    names, drawn = short_names(sweep.knobs), []
    for objective in sweep.objectives if len(sweep.whole()) > 1 else ():
        order = [knob for knob in [*importance(sweep, objective), *numeric] if knob in numeric]
        first = tuple(dict.fromkeys(order))[:2]
        pairs = {first: None} if len(first) == 2 else {}
        if set(SURFACE) <= set(numeric) and set(first) != set(SURFACE):
            pairs[SURFACE] = None
        for pair in pairs:
            x, y = (KnobAxis(sweep, knob) for knob in pair)
            dots = [_dot(sweep, job, objective, (x.at(job), y.at(job))) for job in sweep.jobs]
            title = f"{metric_name(objective)}: {names[pair[0]]} and {names[pair[1]]}"
            drawn.append((surface(x.axis, y.axis, dots, about=title), [title]))
    about = "Each dot is a job: the darker the better; ringed: the best; dashed: ended early or failed."
    return card("Two knobs at a time", gallery(drawn, broad=True), note=about, wide=True) if drawn else ""


def search_plot(sweep: Sweep) -> Picture:
    """For a document: a map of the two knobs that mattered most, and how much each mattered.

    Raises ConfigError when too little was tried to say so.
    """
    objective = next(iter(sweep.objectives))
    numeric = [knob for knob in importance(sweep, objective) if is_numeric(sweep, knob)]
    if len(numeric) < 2:
        raise ConfigError(
            f"plot: {sweep.name} has {len(sweep.whole())} finished jobs over {len(sweep.knobs)} knobs; "
            f"a map of what mattered takes at least {LEAST_JOBS} over two numbers"
        )
    x, y = (KnobAxis(sweep, knob) for knob in numeric[:2])
    dots = [_dot(sweep, job, objective, (x.at(job), y.at(job)), said=True) for job in sweep.jobs]
    title = f"{metric_name(objective).capitalize()}: the darker the better"
    about = f"{metric_name(objective)} over {x.name} and {y.name}, and the importance of each knob"
    rows, legend = _shares(sweep)
    return surface_and_shares(x.axis, y.axis, dots, rows, legend=legend, title=title, about=about)


def _dot(sweep: Sweep, job: Job, objective: str, places: Sequence[float | None], *, said: bool = False) -> Dot:
    """`said`: with figures beside the best and beside the configuration as it stands."""
    best = sweep.ranked()[0].number
    words = ""
    if said and job.number in {best, sweep.configured} and objective in job.metrics:
        known = f" ({interval_words(job, objective).removeprefix(INTERVAL)})" if interval_of(job, objective) else ""
        name = "best" if job.number == best else "as configured"
        words = f"{name}: {figure(objective, job.metrics[objective])}{known}"
    strength = strengths(sweep, objective).get(job.number)
    return Dot(places=places, strength=strength, is_best=job.number == best, said=words, note=note(sweep, job))


def strengths(sweep: Sweep, objective: str) -> dict[int, float]:
    """From the faintest to 1 by rank, so that one outlier does not make all others look alike."""
    gains = {job.number: sweep.gain(job, objective) for job in sweep.whole()}
    order = sorted(gains.values())
    most = max(len(order) - 1, 1)
    return {number: FAINTEST + (1 - FAINTEST) * (order.index(gain) / most) ** 2 for number, gain in gains.items()}
