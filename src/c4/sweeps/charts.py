"""The charts of a sweep's page, each a card; empty where there is nothing to draw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from c4.report.plots import Point, Series, bars, chart, linear_axis
from c4.report.words import card
from c4.sweeps.axes import KnobAxis, objective_axis, objective_scale
from c4.sweeps.gather import Job, State, Sweep
from c4.sweeps.parallel import knob_map, note, parallel
from c4.sweeps.statistics import LEAST_JOBS, Setting, importance, is_numeric, mean_and_spread, settings
from c4.sweeps.words import direction_words, figure, job_name, metric_name, setting_name, short_names

MOST_CURVES = 5  # with a colour and a name
MOST_SETTINGS = 12
SURFACE = ("search.mlh_slope", "search.mlh_cap")
"""Two knobs that mean something only together."""


def history_charts(sweep: Sweep) -> str:
    """Each objective over the jobs, in the order in which they began, with the best so far; not of mere seeds."""
    cards = []
    for objective in sweep.objectives if sweep.knobs else ():
        whole = sweep.whole()
        points = [_point(sweep, job, x=job.number, objective=objective) for job in whole]
        steps = _best_so_far(sweep, objective)
        cut = [
            _point(sweep, job, x=job.number, objective=objective)
            for job in sweep.jobs
            if job.state is State.PRUNED and objective in job.metrics
        ]
        series = [
            Series(label="best so far", style=0, points=steps, marked=False),
            Series(label="whole", style=1, points=points, joined=False),
            Series(label="ended early", style=5, points=cut, joined=False),
        ]
        shown = [one for one in series if one.points]
        x = linear_axis("job", [0.0, float(max(job.number for job in sweep.jobs))])
        y = objective_axis(objective, [point.y for point in points])
        drawing = chart(shown, x=x, y=y, about=f"{metric_name(objective)} over the jobs")
        better = direction_words(sweep, objective).capitalize()
        about = f"{better}. What was ended early stands where it had come to, at the edge if beyond."
        cards.append(card(f"{metric_name(objective).capitalize()} over the search", drawing, about))
    return "".join(cards)


def _best_so_far(sweep: Sweep, objective: str) -> list[Point]:
    """As stairs."""
    scale = objective_scale(objective)
    best, points = -math.inf, list[Point]()
    for job in sweep.whole():
        if points:
            points.append(Point(x=job.number, y=points[-1].y))
        best = max(best, sweep.gain(job, objective))
        points.append(Point(x=job.number, y=scale * (best if sweep.objectives[objective] == "max" else -best)))
    return points


def front_chart(sweep: Sweep) -> str:
    """Two objectives against each other, and the jobs that none beats in both."""
    if len(sweep.objectives) != 2:
        return ""
    across, up = sweep.objectives
    if across.startswith("truth/") and not up.startswith("truth/"):
        across, up = up, across  # the price to the right, what it buys upwards

    def points(jobs: Sequence[Job]) -> list[Point]:
        return [
            _point(sweep, job, x=objective_scale(across) * job.metrics[across], objective=up)
            for job in sorted(jobs, key=lambda job: job.metrics[across])
        ]

    front, rest = sweep.front(), [job for job in sweep.whole() if job not in sweep.front()]
    series = [
        Series(label="others", style=1, points=points(rest), joined=False),
        Series(label="not beaten", style=0, points=points(front)),
    ]
    every = points(sweep.whole())
    drawing = chart(
        [one for one in series if one.points],
        x=objective_axis(across, [point.x for point in every]),
        y=objective_axis(up, [point.y for point in every]),
        about=f"{metric_name(up)} against {metric_name(across)}",
    )
    about = "Joined: no other job is better in one without being worse in the other."
    return card("What one costs in the other", drawing, about)


def importance_card(sweep: Sweep) -> str:
    drawings = []
    names = short_names(sweep.knobs)
    for index, objective in enumerate(sweep.objectives):
        shares = importance(sweep, objective)
        rows = [(names[knob], Point(x=100 * share, y=0, note=f"{share:.1%}"), index) for knob, share in shares.items()]
        axis = linear_axis("share of what was explained (%)", [0.0, *(point.x for _, point, _ in rows)], zero=True)
        if rows:
            drawings.append(_titled(metric_name(objective), bars(rows, axis=axis, about="importance of the knobs")))
    if not drawings and sweep.knobs and len(sweep.whole()) < LEAST_JOBS:
        words = f"<p class='none'>Too few jobs yet to tell ({len(sweep.whole())} of at least {LEAST_JOBS}).</p>"
        return card("Which knobs mattered", words, "")
    about = (
        f"How differently the best quarter of {len(sweep.whole())} jobs lies on each knob than all do (PED-ANOVA). "
        "Below about thirty jobs a hint, no more."
    )
    return _gallery("Which knobs mattered", drawings, about, wide=False)


def parallel_card(sweep: Sweep) -> str:
    if not sweep.knobs or len(sweep.whole()) < 2:
        return ""
    objective = next(iter(sweep.objectives))
    return card(
        "Every job at once",
        f"<div class='scroll'>{parallel(sweep, objective)}</div>",
        f"A line a job, through its knobs to {metric_name(objective)}: the stronger the better, orange the best, "
        "dashed what was ended early or has failed. Rest the pointer on a line for its values.",
        wide=True,
    )


def slice_card(sweep: Sweep) -> str:
    """The first objective against each knob alone, the most important first."""
    whole = sweep.whole()
    if not sweep.knobs or len(whole) < 2:
        return ""
    objective = next(iter(sweep.objectives))
    order = [*importance(sweep, objective), *sweep.knobs]
    y = objective_axis(objective, [objective_scale(objective) * job.metrics[objective] for job in whole])
    drawings = []
    for knob in dict.fromkeys(order):
        axis = KnobAxis(sweep, knob)
        places = [(job, axis.at(job)) for job in whole]
        points = [_point(sweep, job, x=place, objective=objective) for job, place in places if place is not None]
        series = [Series(label="", style=1, points=points, joined=False)]
        drawing = chart(series, x=axis.axis, y=y, about=f"{metric_name(objective)} against {axis.name}")
        drawings.append(_titled(axis.name, drawing))
    about = f"{metric_name(objective).capitalize()} against each knob alone; {direction_words(sweep, objective)}."
    return _gallery("Knob by knob", drawings, about)


def map_card(sweep: Sweep) -> str:
    """Surfaces: the two knobs that mattered most, and slope and cap of the moves-left utility, for each objective."""
    numeric = [knob for knob in sweep.knobs if is_numeric(sweep, knob)]
    names, drawings = short_names(sweep.knobs), []
    for objective in sweep.objectives if len(sweep.whole()) > 1 else ():
        order = [knob for knob in [*importance(sweep, objective), *numeric] if knob in numeric]
        first = list(dict.fromkeys(order))[:2]
        pairs = [(first[0], first[1])] if len(first) == 2 else []
        if set(SURFACE) <= set(numeric) and set(first) != set(SURFACE):
            pairs.append(SURFACE)
        for pair in pairs:
            title = f"{metric_name(objective)}: {names[pair[0]]} and {names[pair[1]]}"
            drawings.append(_titled(title, knob_map(sweep, objective, pair)))
    about = "A surface from above: a dot a job, the darker the better; ringed: the best job; dashed: not whole."
    return _gallery("Two knobs at a time", drawings, about)


def _titled(title: str, drawing: str) -> str:
    return f"<div><h4>{escape(title)}</h4>{drawing}</div>"


def _gallery(title: str, drawings: Sequence[str], about: str, *, wide: bool = True) -> str:
    return card(title, f"<div class='small'>{''.join(drawings)}</div>", about, wide=wide) if drawings else ""


def curves_card(sweep: Sweep) -> str:
    """The watched metric by generation: a line a job, or a line with its spread for the seeds of a setting."""
    name = next((one for one in (sweep.watched, *sweep.objectives) if any(_curve(job, one) for job in sweep.jobs)), "")
    if not name:
        return ""
    groups = settings(sweep)
    seeded = any(len(one.jobs) > 1 for one in groups)
    series = _curves_of_settings(sweep, groups[:MOST_CURVES], name) if seeded else _curves_of_jobs(sweep, name)
    points = [point for one in series for point in one.points]
    heights = [value for point in points for value in (point.y, point.low, point.high) if value is not None]
    drawing = chart(
        series,
        x=linear_axis("generation", [0.0, *(point.x for point in points)]),
        y=objective_axis(name, heights),
        about=f"{metric_name(name)} by generation",
    )
    who = "the best settings, mean and standard deviation over seeds" if seeded else "the best with names, others grey"
    about = f"{metric_name(name).capitalize()} by generation: {who}."
    return card("How they learned", f"<div class='broad'>{drawing}</div>", about, wide=True)


def _curves_of_jobs(sweep: Sweep, name: str) -> list[Series]:
    order = sweep.ranked() or sweep.jobs  # those that are on their way, while none is whole
    best = [job for job in order if _curve(job, name)][:MOST_CURVES]
    others = [job for job in sweep.jobs if job not in best and _curve(job, name)]
    grey = [
        Series(label="", style=5, points=_curve(job, name), faint=True, marked=len(_curve(job, name)) == 1)
        for job in others
    ]
    named = [
        Series(label=job_name(sweep, job), style=style, points=_curve(job, name), marked=False)
        for style, job in enumerate(best)
    ]
    return [*grey, *reversed(named)]


def _curves_of_settings(sweep: Sweep, groups: Sequence[Setting], name: str) -> list[Series]:
    """Runs may have been graded after different generations: between its own figures each stands on a straight line."""
    series = []
    for style, one in enumerate(groups):
        curves = [[(point.x, point.y) for point in _curve(job, name)] for job in one.jobs]
        points = []
        if all(curves):
            first, last = max(curve[0][0] for curve in curves), min(curve[-1][0] for curve in curves)
            for generation in sorted({x for curve in curves for x, _ in curve if first <= x <= last}):
                mean, spread = mean_and_spread([_between(curve, generation) for curve in curves])
                low, high = (None, None) if math.isnan(spread) else (mean - spread, mean + spread)
                points.append(Point(x=generation, y=mean, low=low, high=high))
        series.append(Series(label=setting_name(sweep, one.values), style=style, points=points, marked=False))
    return [one for one in series if one.points]


def _between(curve: Sequence[tuple[float, float]], x: float) -> float:
    before, after = max(point for point in curve if point[0] <= x), min(point for point in curve if point[0] >= x)
    if before[0] == after[0]:
        return before[1]
    return before[1] + (after[1] - before[1]) * (x - before[0]) / (after[0] - before[0])


def seeds_card(sweep: Sweep) -> str:
    """Mean and spread over the seeds of each setting."""
    found = [one for one in settings(sweep) if len(one.jobs) > 1][:MOST_SETTINGS]
    cards = []
    for objective in sweep.objectives if found else ():
        scale = objective_scale(objective)
        rows: list[tuple[str, Point]] = []
        for one in found:
            mean, spread = scale * one.mean[objective], scale * one.spread[objective]
            seeds = ", ".join(
                f"seed {job.seed}: {figure(objective, job.metrics[objective])}"
                for job in sorted(one.jobs, key=lambda job: str(job.seed))
            )
            point = Point(x=len(rows), y=mean, low=mean - spread, high=mean + spread, note=seeds)
            rows.append((f"{setting_name(sweep, one.values)} ({len(one.jobs)})", point))
        cards.append(
            card(f"{metric_name(objective).capitalize()} over the seeds", _ranges(objective, rows), SEEDS_NOTE)
        )
    return "".join(cards)


SEEDS_NOTE = "Mean and standard deviation of the settings that were run with several seeds (their number in brackets)."


def _ranges(objective: str, rows: Sequence[tuple[str, Point]]) -> str:
    ends = [value for _, point in rows for value in (point.low or point.y, point.high or point.y)]
    axis = objective_axis(objective, ends)
    flat = [(label, Point(x=point.y, y=0, low=point.low, high=point.high, note=point.note), 2) for label, point in rows]
    return bars(flat, axis=axis, about=f"{metric_name(objective)} over seeds")


def _curve(job: Job, name: str) -> list[Point]:
    scale = objective_scale(name)
    return [
        Point(x=float(generation), y=scale * row[name], note=f"{generation}: {figure(name, row[name])}")
        for generation, row in sorted(job.curve.items())
        if name in row
    ]


def _point(sweep: Sweep, job: Job, *, x: float, objective: str) -> Point:
    return Point(x=x, y=objective_scale(objective) * job.metrics[objective], note=note(sweep, job), weight=0.2)
