"""A sweep as one self-contained page: nothing is loaded from elsewhere, and it can be written while the sweep runs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from c4.report.page import sheet
from c4.report.words import card
from c4.sweeps.charts import (
    curves_card,
    front_chart,
    history_charts,
    importance_card,
    map_card,
    parallel_card,
    seeds_card,
    slice_card,
)
from c4.sweeps.gather import Job, State, Sweep
from c4.sweeps.statistics import best_values, settings
from c4.sweeps.words import as_overrides, figure, job_name, metric_name, short_names, shown, spread_figure

STYLE = Path(__file__).parent / "data" / "sweep.css"
MOST_ROWS = 10


def sweep_page(sweep: Sweep) -> str:
    sections = [_hero(sweep)]
    if sweep.whole():
        sections += [
            _best_table(sweep),
            seeds_card(sweep),
            _seeds_table(sweep),
            parallel_card(sweep),
            history_charts(sweep),
            front_chart(sweep),
            importance_card(sweep),
            map_card(sweep),
            slice_card(sweep),
        ]
    sections += [curves_card(sweep), _failures(sweep), _all_table(sweep)]
    body = "\n".join(section for section in sections if section)
    return sheet(f"Sweep: {sweep.name}", body=f"<style>{STYLE.read_text()}</style>\n{body}")


def _hero(sweep: Sweep) -> str:
    counts = "".join(
        f"<div class='number count'><b>{sweep.count(state)}</b><span>{state.value}</span></div>"
        for state in State
        if sweep.count(state)
    )
    planned = f" of {sweep.planned:,}" if sweep.planned is not None else ""
    sought = " and ".join(f"{metric_name(name)} ({way})" for name, way in sweep.objectives.items())
    head = f"<p class='kicker'>{'search' if sweep.is_search else 'grid'}</p><h1>{escape(sweep.name)}</h1>"
    about = f"<p class='what'>{len(sweep.jobs):,}{planned} jobs; sought: {escape(sought)}</p>"
    tiles = (
        f"<section class='tile'>{about}<div class='numbers'>{_reached(sweep)}{counts}</div>{_winner(sweep)}</section>"
    )
    return f"<header>{head}{tiles}</header>"


def _reached(sweep: Sweep) -> str:
    if not sweep.whole():
        return "<p class='none'>No job is whole yet.</p>"
    best = settings(sweep)[0]
    if len(best.jobs) > 1:
        figures = {name: spread_figure(name, best.mean[name], best.spread[name]) for name in sweep.objectives}
        who = f"mean of {len(best.jobs)} seeds"
    else:
        job = sweep.ranked()[0]
        figures = {name: figure(name, job.metrics[name]) for name in sweep.objectives}
        who = job_name(sweep, job)
    return "".join(
        f"<div class='number'><b>{reached}</b><span>{escape(metric_name(name))}</span><small>{who}</small></div>"
        for name, reached in figures.items()
    )


def _winner(sweep: Sweep) -> str:
    values = best_values(sweep)
    return f"<code class='command'>{escape(as_overrides(values))}</code>" if values else ""


def _best_table(sweep: Sweep) -> str:
    front = " A mark at the left: no other is better in one objective without being worse in another."
    note = f"The first {min(MOST_ROWS, len(sweep.whole()))} of {len(sweep.whole())} whole jobs."
    return card(
        "The best",
        _table(sweep, sweep.ranked()[:MOST_ROWS]),
        note + (front if len(sweep.objectives) > 1 else ""),
        wide=True,
    )


def _all_table(sweep: Sweep) -> str:
    table = _table(sweep, sweep.jobs, states=True)
    return card("", f"<details><summary>All {len(sweep.jobs)} jobs</summary>{table}</details>", "", wide=True)


def _table(sweep: Sweep, jobs: Sequence[Job], *, states: bool = False) -> str:
    names = short_names(sweep.knobs)
    has_seeds = len({repr(job.seed) for job in sweep.jobs}) > 1
    has_minutes = any(job.minutes is not None for job in jobs) and "budget/minutes" not in sweep.objectives
    heads = ["", *(["state"] if states else []), *map(metric_name, sweep.objectives)]
    heads += [names[knob] for knob in sweep.knobs] + ["seed"] * has_seeds + ["minutes"] * has_minutes
    front = {job.number for job in sweep.front()} if len(sweep.objectives) > 1 else set()
    rows = []
    for job in jobs:
        cells = [f"<td class='budget'>{job_name(sweep, job)}</td>"]
        cells += [f"<td class='state'>{job.state.value}</td>"] if states else []
        for name in sweep.objectives:
            cells.append(f"<td><b>{figure(name, job.metrics[name])}</b></td>" if name in job.metrics else "<td>–</td>")
        cells += [f"<td>{escape(shown(job.values[key])) if key in job.values else '–'}</td>" for key in sweep.knobs]
        cells += [f"<td>{escape(shown(job.seed))}</td>"] * has_seeds
        if has_minutes:
            cells.append("<td>–</td>" if job.minutes is None else f"<td>{job.minutes:.1f}</td>")
        rows.append(f"<tr{' class=front' if job.number in front else ''}>{''.join(cells)}</tr>")
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"


def _seeds_table(sweep: Sweep) -> str:
    found = [one for one in settings(sweep) if len(one.jobs) > 1]
    if not found:
        return ""
    names = short_names(sweep.knobs)
    heads = ["jobs", *(names[knob] for knob in sweep.knobs), *map(metric_name, sweep.objectives)]
    rows = []
    for one in found[:MOST_ROWS]:
        cells = [str(len(one.jobs)), *(escape(shown(one.values.get(knob))) for knob in sweep.knobs)]
        cells += [f"<b>{spread_figure(name, one.mean[name], one.spread[name])}</b>" for name in sweep.objectives]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    table = f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    return card("Mean ± standard deviation over seeds", table, "Jobs that differ by nothing but their seed.")


def _failures(sweep: Sweep) -> str:
    failed = [job for job in sweep.jobs if job.state is State.FAILED]
    if not failed:
        return ""
    items = "".join(
        f"<li><b>{job_name(sweep, job)}</b>: {escape(job.reason or 'no reason is known')}</li>" for job in failed
    )
    return card("What failed", f"<ul class='failures'>{items}</ul>", "", wide=True)
