"""A sweep as rows, for its page too, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from c4.report.table import Cell, columns
from c4.sweeps.gather import Job, JobState, Sweep
from c4.sweeps.statistics import Setting, best_values, importance, interval_of, is_near, settings, tied
from c4.sweeps.words import (
    INTERVAL,
    as_overrides,
    figure,
    interval_words,
    job_name,
    mean_interval_words,
    metric_name,
    short_names,
    shown,
    spread_figure,
    state_name,
)

MOST_ROWS = 12
Rows = list[list[str | Cell]]


def sweep_table(sweep: Sweep) -> str:
    parts = [_head(sweep)]
    if sweep.whole():
        parts.append(_best(sweep))
        if any(len(one.jobs) > 1 for one in settings(sweep)):
            parts.append(_seeds(sweep))
        parts += [_importance(sweep, objective) for objective in sweep.objectives if importance(sweep, objective)]
        if values := best_values(sweep):
            parts.append(f"{_which(sweep)} as overrides: {as_overrides(values)}")
    failed = [job for job in sweep.jobs if job.state is JobState.FAILED]
    return "\n\n".join(
        [*parts, *(f"{job_name(sweep, job)} failed: {job.reason or 'no reason is known'}" for job in failed)]
    )


def _which(sweep: Sweep) -> str:
    """The best, or what it is where several have reached as much."""
    same = len(tied(sweep, sweep.ranked()[0])) if len(settings(sweep)[0].jobs) == 1 else 0
    return f"tied for the best are {same + 1}, the first of them" if same else "the best"


def job_rows(sweep: Sweep, jobs: Sequence[Job], *, states: bool = False) -> tuple[list[str], Rows]:
    """What each reached, and with which values."""
    names = short_names(sweep.knobs)
    has_seeds = len({repr(job.seed) for job in sweep.jobs}) > 1
    has_minutes = any(job.minutes is not None for job in jobs) and "budget/minutes" not in sweep.objectives
    head = ["", *["state"] * states, *map(metric_name, sweep.objectives), *(names[knob] for knob in sweep.knobs)]
    rows: Rows = [
        [
            job_name(sweep, job) + (" (tied)" if tied(sweep, job) else ""),
            *[state_name(job.state)] * states,
            *(_cell(job, name) for name in sweep.objectives),
            *(shown(job.values[key]) if key in job.values else "–" for key in sweep.knobs),
            *[shown(job.seed)] * has_seeds,
            *["–" if job.minutes is None else f"{job.minutes:.1f}"] * has_minutes,
        ]
        for job in jobs
    ]
    return [*head, *["seed"] * has_seeds, *["minutes"] * has_minutes], rows


def _cell(job: Job, objective: str) -> Cell:
    if objective not in job.metrics:
        return Cell(text="–")
    known = interval_of(job, objective)
    sure = "" if known is None else interval_words(job, objective).removeprefix(INTERVAL)
    return Cell(text=figure(objective, job.metrics[objective]), small=sure)


def setting_rows(sweep: Sweep, found: Sequence[Setting]) -> tuple[list[str], Rows]:
    """What each setting reached over its seeds, with the interval of the mean."""
    names, first = short_names(sweep.knobs), next(iter(sweep.objectives))
    rows: Rows = [
        [
            "tied" if one is not found[0] and is_near(found[0], one, first) else "",
            *(
                Cell(text=figure(name, one.mean[name]), small=mean_interval_words(one, name))
                for name in sweep.objectives
            ),
            *(shown(one.values.get(knob)) for knob in sweep.knobs),
            str(len(one.jobs)),
        ]
        for one in found
    ]
    return ["", *map(metric_name, sweep.objectives), *(names[knob] for knob in sweep.knobs), "seeds"], rows


def _seeds(sweep: Sweep) -> str:
    names = short_names(sweep.knobs)
    rows = [("seeds", *map(metric_name, sweep.objectives), *(names[knob] for knob in sweep.knobs))]
    for one in settings(sweep)[:MOST_ROWS]:
        cells = [spread_figure(name, one.mean[name], one.spread[name]) for name in sweep.objectives]
        rows.append((str(len(one.jobs)), *cells, *(shown(one.values.get(knob)) for knob in sweep.knobs)))
    return columns(rows) + "\nmean ± standard deviation over the seeds"


def _texts(rows: Rows) -> list[list[str]]:
    return [[cell.text if isinstance(cell, Cell) else cell for cell in row] for row in rows]


def _head(sweep: Sweep) -> str:
    counts = [f"{sweep.count(state)} {state_name(state)}" for state in JobState if sweep.count(state)]
    planned = f" of {sweep.planned}" if sweep.planned is not None else ""
    return f"{sweep.name}: {len(sweep.jobs)}{planned} jobs, {', '.join(counts)}"


def _best(sweep: Sweep) -> str:
    head, rows = job_rows(sweep, sweep.ranked()[:MOST_ROWS])
    front = {job.number for job in sweep.front()} if len(sweep.objectives) > 1 else set()
    marks = [" *" if job.number in front else "" for job in sweep.ranked()[:MOST_ROWS]]
    note = "\n* no other beats it in one of these without losing in another" if front else ""
    lines = [[name + mark, *cells] for (name, *cells), mark in zip(_texts(rows), marks, strict=True)]
    return columns([head, *lines]) + note


def _importance(sweep: Sweep, objective: str) -> str:
    names = short_names(sweep.knobs)
    rows = [("what mattered for " + metric_name(objective), "share")]
    rows += [(names[knob], f"{share:.0%}") for knob, share in importance(sweep, objective).items()]
    return columns(rows)
