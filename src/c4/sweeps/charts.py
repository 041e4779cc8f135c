"""The charts of a sweep's page that are about its jobs, each a card; empty where there is nothing to draw."""

from __future__ import annotations

import math
from collections.abc import Sequence

from c4.report.chart import BROAD, Axis, Point, Row, Series, lines, ranges
from c4.report.page import card
from c4.sweeps.axes import objective_axis
from c4.sweeps.gather import Job, JobState, Sweep
from c4.sweeps.statistics import Setting, mean_and_spread, settings
from c4.sweeps.words import (
    direction_words,
    figure,
    job_name,
    metric_name,
    note,
    setting_name,
    shown_value,
    spread_figure,
)

MOST_CURVES = 5  # with a colour and a name
MOST_SETTINGS = 12
BEYOND = 0.12  # of the height of a chart: where that stands which is worse than its axis reaches


def history_charts(sweep: Sweep) -> list[str]:
    """Each objective over the jobs, in the order in which they began, with the best so far; not of mere seeds."""
    cards = []
    for objective in sweep.objectives if sweep.knobs else ():
        whole = _points(sweep, sweep.whole(), objective)
        heights = [point.y for point in whole]
        room = BEYOND * ((max(heights) - min(heights)) or 1.0)
        cut = [
            Point(x=one.x, y=min(max(one.y, min(heights) - room), max(heights) + room), note=one.note)
            for one in _points(sweep, [job for job in sweep.jobs if job.state is JobState.PRUNED], objective)
        ]
        told = {
            "best so far": (_best_so_far(sweep, objective), True),
            "finished": (whole, False),
            "ended early": (cut, False),
        }
        series = [
            Series(label=name, points=points, joined=line, marked=not line)
            for name, (points, line) in told.items()
            if points
        ]
        about = f"{metric_name(objective)} over the jobs"
        drawn = lines(series, x=Axis(label="job", reaches=(0.0,), whole=True), y=objective_axis(objective), about=about)
        beyond = (
            " A job that was ended early stands where it had got to, or at the edge if that lies beyond." if cut else ""
        )
        title = f"{metric_name(objective).capitalize()} over the search"
        cards.append(card(title, drawn, note=f"{direction_words(sweep, objective).capitalize()}.{beyond}"))
    return cards


def _best_so_far(sweep: Sweep, objective: str) -> list[Point]:
    """As stairs."""
    sign = 1 if sweep.objectives[objective] == "max" else -1
    best, points = -math.inf, list[Point]()
    for job in sweep.whole():
        if points:
            points.append(Point(x=job.number, y=points[-1].y))
        best = max(best, sweep.gain(job, objective))
        points.append(Point(x=job.number, y=shown_value(objective, sign * best)))
    return points


def front_chart(sweep: Sweep) -> str:
    """Two objectives against each other, and the jobs that none beats in both."""
    if len(sweep.objectives) != 2:
        return ""
    across, up = sweep.objectives
    if across.startswith("truth/") and not up.startswith("truth/"):
        across, up = up, across  # the price to the right, what it buys upwards

    def points(jobs: Sequence[Job]) -> list[Point]:
        placed = [(shown_value(across, job.metrics[across]), job) for job in jobs]
        return [
            Point(x=x, y=shown_value(up, job.metrics[up]), note=note(sweep, job))
            for x, job in sorted(placed, key=lambda one: one[0])
        ]

    front = sweep.front()
    told = {"others": [job for job in sweep.whole() if job not in front], "not beaten": front}
    series = [Series(label=name, points=points(jobs), joined=jobs is front) for name, jobs in told.items() if jobs]
    about = f"{metric_name(up)} against {metric_name(across)}"
    drawn = lines(series, x=objective_axis(across), y=objective_axis(up), about=about)
    return card(
        "One against the other",
        drawn,
        note="Joined: the jobs that no other beats in one without losing in the other.",
    )


def curves_card(sweep: Sweep) -> str:
    """The watched metric by generation: a line a job, or a line with its spread for the seeds of a setting."""
    name = next((one for one in (sweep.watched, *sweep.objectives) if any(_curve(job, one) for job in sweep.jobs)), "")
    if not name:
        return ""
    groups = settings(sweep)
    seeded = any(len(one.jobs) > 1 for one in groups)
    series = curves_of_settings(sweep, groups[:MOST_CURVES], name) if seeded else _curves_of_jobs(sweep, name)
    about = f"{metric_name(name)} by generation"
    drawn = lines(series, x=Axis(label="generation", whole=True), y=objective_axis(name), about=about, size=BROAD)
    who = "the best settings, mean and standard deviation over seeds" if seeded else "the best by name, the others grey"
    return card("How they learned", drawn, note=f"{about.capitalize()}: {who}.", wide=True)


def _curves_of_jobs(sweep: Sweep, name: str) -> list[Series]:
    order = sweep.ranked() or sweep.jobs  # those that are on their way, while none is whole
    best = [job for job in order if _curve(job, name)][:MOST_CURVES]
    others = [job for job in sweep.jobs if job not in best and _curve(job, name)]
    grey = [Series(label="", points=_curve(job, name), faint=True, marked=False) for job in others]
    named = [
        Series(label=job_name(sweep, job), thing="" if rank else "best", points=_curve(job, name), marked=False)
        for rank, job in enumerate(best)
    ]
    return [*grey, *reversed(named)]


def curves_of_settings(sweep: Sweep, groups: Sequence[Setting], name: str) -> list[Series]:
    """Runs may have been graded after different generations: between its own figures each stands on a straight line."""
    series = []
    for one in groups:
        curves = [[(point.x, point.y) for point in _curve(job, name)] for job in one.jobs]
        points = []
        if all(curves):
            first, last = max(curve[0][0] for curve in curves), min(curve[-1][0] for curve in curves)
            for generation in sorted({x for curve in curves for x, _ in curve if first <= x <= last}):
                mean, spread = mean_and_spread([_between(curve, generation) for curve in curves])
                low, high = (None, None) if math.isnan(spread) else (mean - spread, mean + spread)
                points.append(Point(x=generation, y=mean, low=low, high=high))
        label, thing = setting_name(sweep, one.values), "best" if one is groups[0] else ""
        series.append(Series(label=label, thing=thing, points=points, marked=False))
    return [one for one in series if one.points]


def _between(curve: Sequence[tuple[float, float]], x: float) -> float:
    before, after = max(point for point in curve if point[0] <= x), min(point for point in curve if point[0] >= x)
    if before[0] == after[0]:
        return before[1]
    return before[1] + (after[1] - before[1]) * (x - before[0]) / (after[0] - before[0])


def seeds_cards(sweep: Sweep) -> list[str]:
    """Mean and spread over the seeds of each setting."""
    found = [one for one in settings(sweep) if len(one.jobs) > 1][:MOST_SETTINGS]
    note = "Mean and standard deviation over seeds, whose number is in brackets."
    return [
        card(
            f"{metric_name(objective).capitalize()} over the seeds",
            ranges(
                [_range(sweep, one, objective) for one in found], axis=objective_axis(objective),
                about=f"{metric_name(objective)} over seeds",
            ),
            note=note,
        )
        for objective in (sweep.objectives if found else ())
    ]  # fmt: skip


def _range(sweep: Sweep, one: Setting, objective: str) -> Row:
    mean = shown_value(objective, one.mean[objective])
    spread = abs(shown_value(objective, one.mean[objective] + one.spread[objective]) - mean)
    told = sorted((str(job.seed), figure(objective, job.metrics[objective])) for job in one.jobs)
    return Row(
        label=f"{setting_name(sweep, one.values)} ({len(one.jobs)})",
        value=mean,
        low=mean - spread,
        high=mean + spread,
        colour="blue",
        said=spread_figure(objective, one.mean[objective], one.spread[objective]),
        note=", ".join(f"seed {seed}: {reached}" for seed, reached in told),
    )


def _curve(job: Job, name: str) -> list[Point]:
    return [
        Point(x=float(generation), y=shown_value(name, row[name]), note=f"{generation}: {figure(name, row[name])}")
        for generation, row in sorted(job.curve.items())
        if name in row
    ]


def _points(sweep: Sweep, jobs: Sequence[Job], objective: str) -> list[Point]:
    return [
        Point(x=job.number, y=shown_value(objective, job.metrics[objective]), note=note(sweep, job))
        for job in jobs
        if objective in job.metrics
    ]
