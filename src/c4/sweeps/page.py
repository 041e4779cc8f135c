"""A sweep as one self-contained page: nothing is loaded from elsewhere, and it can be written while the sweep runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from c4.report.page import card, command, folded, numbers, sheet, tile
from c4.report.table import html_table
from c4.sweeps.charts import curves_card, front_chart, history_charts, seeds_cards
from c4.sweeps.gather import JobState, Sweep
from c4.sweeps.knob_charts import importance_card, map_card, parallel_card, slice_card
from c4.sweeps.statistics import best_values, interval_of, is_near, settings, tied
from c4.sweeps.table import job_rows, setting_rows
from c4.sweeps.words import (
    as_overrides,
    figure,
    interval_words,
    job_name,
    mean_interval_words,
    metric_name,
    setting_name,
    sought_words,
    state_name,
)

MOST_ROWS, MOST_NAMED = 10, 5


def sweep_page(sweep: Sweep, *, facts: Mapping[str, str]) -> str:
    parts = [_hero(sweep)]
    if sweep.whole():
        parts += [_best_card(sweep), *seeds_cards(sweep), parallel_card(sweep)]
        parts += [
            *history_charts(sweep),
            front_chart(sweep),
            importance_card(sweep),
            map_card(sweep),
            slice_card(sweep),
        ]
    parts += [curves_card(sweep), _failures(sweep), _all_card(sweep)]
    return sheet(sweep.name, kicker="search" if sweep.is_search else "grid", parts=parts, facts=facts)


def _hero(sweep: Sweep) -> str:
    planned = f" of {sweep.planned:,}" if sweep.planned is not None else ""
    counts = [(str(sweep.count(state)), state_name(state), "") for state in JobState if sweep.count(state)]
    values = best_values(sweep)
    reached = _reached(sweep)
    return tile(
        "" if reached else "No job has finished yet.",
        numbers([*reached, *counts]) + (command(as_overrides(values)) if values else ""),
        _doubt(sweep),
        note=f"{len(sweep.jobs):,}{planned} jobs, in search of the {sought_words(sweep.objectives)}.",
    )


def _reached(sweep: Sweep) -> list[tuple[str, str, str]]:
    """The best, with what is known of how sure that is."""
    if not sweep.whole():
        return []
    best = settings(sweep)[0]
    if len(best.jobs) > 1:
        return [
            (
                figure(name, best.mean[name]),
                metric_name(name),
                f"mean of {len(best.jobs)} seeds, {mean_interval_words(best, name)}",
            )
            for name in sweep.objectives
        ]
    job = sweep.ranked()[0]
    return [
        (figure(name, job.metrics[name]), metric_name(name), f"{job_name(sweep, job)}, {interval_words(job, name)}")
        for name in sweep.objectives
    ]


def _doubt(sweep: Sweep) -> str:
    """Ties, and what cannot be told from the best."""
    if not sweep.whole():
        return ""
    found, first = settings(sweep), next(iter(sweep.objectives))
    if len(found[0].jobs) > 1:
        near = [setting_name(sweep, one.values) for one in found[1:] if is_near(found[0], one, first)]
        more = f" and {len(near) - MOST_NAMED} more" if len(near) > MOST_NAMED else ""
        return f"Tied within the 95 % intervals: {', '.join(near[:MOST_NAMED])}{more}." if near else ""
    best = sweep.ranked()[0]
    same = [job_name(sweep, job) for job in tied(sweep, best)]
    words = [f"Tied with {', '.join(same)}."] if same else []
    if (known := interval_of(best, first)) is not None:
        inside = sum(known.low <= job.metrics[first] <= known.high for job in sweep.whole()) - 1
        words.append(f"{inside} of the other {len(sweep.whole()) - 1} finished jobs lie within its interval.")
    return " ".join(words)


def _best_card(sweep: Sweep) -> str:
    front = " Marked at the left: no other job beats it in one objective without losing in another."
    found, ranked = settings(sweep), sweep.ranked()[:MOST_ROWS]
    if len(found[0].jobs) > 1:
        table = html_table(*setting_rows(sweep, found[:MOST_ROWS]))
        note = "By setting: the mean over its seeds. Tied: not to be told from the best by these intervals."
        return card("The best", table, note=note, wide=True)
    head, rows = job_rows(sweep, ranked)
    return card(
        "The best",
        html_table(head, rows, marked=_marked(sweep, [job.number for job in ranked])),
        note=f"The first {len(ranked)} of {len(sweep.whole())} finished jobs, with 95 % intervals where they are known."
        + (front if len(sweep.objectives) > 1 else ""),
        wide=True,
    )


def _all_card(sweep: Sweep) -> str:
    head, rows = job_rows(sweep, sweep.jobs, states=True)
    table = html_table(head, rows, marked=_marked(sweep, [job.number for job in sweep.jobs]))
    return card("", folded(f"All {len(sweep.jobs)} jobs", table), wide=True)


def _marked(sweep: Sweep, numbers: Sequence[int]) -> list[bool]:
    front = {job.number for job in sweep.front()} if len(sweep.objectives) > 1 else set()
    return [number in front for number in numbers]


def _failures(sweep: Sweep) -> str:
    failed = [job for job in sweep.jobs if job.state is JobState.FAILED]
    items = "".join(
        f"<li><b>{job_name(sweep, job)}</b>: {escape(job.reason or 'no reason is known')}</li>" for job in failed
    )
    return card("Failed jobs", f"<ul class='failures'>{items}</ul>", wide=True) if failed else ""
