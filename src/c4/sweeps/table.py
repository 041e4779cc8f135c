"""A sweep as text for a terminal."""

from __future__ import annotations

from c4.report.table import columns
from c4.sweeps.gather import Job, State, Sweep
from c4.sweeps.statistics import best_values, importance, settings
from c4.sweeps.words import as_overrides, figure, metric_name, short_names, shown, spread_figure

MOST_ROWS = 12


def sweep_table(sweep: Sweep) -> str:
    parts = [_head(sweep)]
    if sweep.whole():
        parts.append(_best(sweep))
        if any(len(one.jobs) > 1 for one in settings(sweep)):
            parts.append(_seeds(sweep))
        parts += [_importance(sweep, objective) for objective in sweep.objectives if importance(sweep, objective)]
        if values := best_values(sweep):
            parts.append(f"the best as overrides: {as_overrides(values)}")
    parts += [f"failed: {job.number}: {job.reason or 'no reason is known'}" for job in _failed(sweep)]
    return "\n\n".join(parts)


def _head(sweep: Sweep) -> str:
    counts = [f"{sweep.count(state)} {state.value}" for state in State if sweep.count(state)]
    planned = f" of {sweep.planned}" if sweep.planned is not None else ""
    return f"{sweep.name}: {len(sweep.jobs)}{planned} jobs, {', '.join(counts)}"


def _best(sweep: Sweep) -> str:
    names = short_names(sweep.knobs)
    front = {job.number for job in sweep.front()} if len(sweep.objectives) > 1 else set()
    rows = [("job", *(metric_name(name) for name in sweep.objectives), *(names[knob] for knob in sweep.knobs))]
    for job in sweep.ranked()[:MOST_ROWS]:
        cells = [figure(name, job.metrics[name]) for name in sweep.objectives]
        cells += [shown(job.values.get(knob)) for knob in sweep.knobs]
        rows.append((f"{job.number}{' *' if job.number in front else ''}", *cells))
    note = "\n* no other is better in one of these without being worse in another" if front else ""
    return columns(rows) + note


def _seeds(sweep: Sweep) -> str:
    names = short_names(sweep.knobs)
    rows = [("seeds", *(metric_name(name) for name in sweep.objectives), *(names[knob] for knob in sweep.knobs))]
    for one in settings(sweep)[:MOST_ROWS]:
        cells = [spread_figure(name, one.mean[name], one.spread[name]) for name in sweep.objectives]
        rows.append((str(len(one.jobs)), *cells, *(shown(one.values.get(knob)) for knob in sweep.knobs)))
    return columns(rows) + "\nmean ± standard deviation over the seeds"


def _importance(sweep: Sweep, objective: str) -> str:
    names = short_names(sweep.knobs)
    rows = [("what mattered for " + metric_name(objective), "share")]
    rows += [(names[knob], f"{share:.0%}") for knob, share in importance(sweep, objective).items()]
    return columns(rows)


def _failed(sweep: Sweep) -> list[Job]:
    return [job for job in sweep.jobs if job.state is State.FAILED]
