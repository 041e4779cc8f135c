"""What came out of zero_to_strong.py: JSON for programs, a table beside the published figures of others, a curve.

python benchmarks/zero_to_strong_report.py docs     the curve anew, from docs/zero_to_strong.json

Data in, files out. Knows neither how runs are made nor how they are graded.
"""

from __future__ import annotations

import dataclasses
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from c4.files import write_beside
from c4.report.chart import Axis, Point, Series, lines
from c4.report.style import budget_colour
from c4.report.table import markdown_table
from c4.report.words import ERRORS
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.run.origin import told_command

PEERS = Path(__file__).parent / "peers.json"
MINUTES, TRUTH = "budget/minutes", "truth/value_preserving"
CURVES = {TRUTH: 0, f"{TRUTH}_32": 32}  # metric -> simulations
SHOWN = {0: "first guess", 32: "searching 32"}
GRID = 120  # points of a curve over all seeds
Curve = Mapping[str, Sequence[tuple[float, float]]]
"""Metric -> (minute, value) of each grading; and the last row's totals under their own names."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Seed:
    number: int
    curve: Curve
    graded: Mapping[str, Any]
    facts: Mapping[str, Any]


def curve_of(run: RunFolder) -> Curve:
    """Whatever of CURVES a run has logged, by the wall clock, and what it amounted to."""
    rows = read_metrics(run).values()
    return {
        name: [(row[MINUTES], row[name]) for row in rows if name in row and MINUTES in row]
        for name in (*CURVES, "total/games", "total/samples")
    }


def publish(seeds: Sequence[Seed], *, folder: Path, about: Mapping[str, Any]) -> str:
    """zero_to_strong.json, .md and .svg in the folder, over what was there. Returns the table."""
    folder.mkdir(parents=True, exist_ok=True)
    text = table(seeds, about=about)
    data = {**about, "seeds": [_told(seed) for seed in seeds]}
    for suffix, content in (("json", json.dumps(data, indent=1)), ("md", text), ("svg", plot(seeds))):
        if content:
            write_beside(folder / f"zero_to_strong.{suffix}", f"{content}\n".encode())
    return text


def _told(seed: Seed) -> dict[str, Any]:
    """What a seed came to. Where its files lie is nobody's business: the figures go into docs/."""
    facts = {name: fact for name, fact in seed.facts.items() if name != "machine"}  # said once, for all seeds
    if "command" in facts:
        facts["command"] = told_command(facts["command"])
    graded = {name: figures for name, figures in seed.graded.items() if name != "wanted"}
    return {"number": seed.number, "curve": seed.curve, "graded": graded, "facts": facts}


def peers() -> dict[str, Any]:
    return dict(json.loads(PEERS.read_text(encoding="utf-8")))


def table(seeds: Sequence[Seed], *, about: Mapping[str, Any]) -> str:
    """Markdown: per cent of positions whose value is given away, mean and spread over the seeds."""
    parts = [_origin(seeds, about=about)]
    for where, title in (("sets", "The carried sets"), ("files", "Files of positions")):
        if all(where in seed.graded for seed in seeds):
            parts += [f"### {title}", _errors(seeds, where=where)]
    parts.append("\n".join(f"- seed {seed.number}: {line}" for seed in seeds if (line := seed.graded.get("line"))))
    parts += ["### Others, on other positions", _others()]
    return "\n\n".join(part for part in parts if part)


def _origin(seeds: Sequence[Seed], *, about: Mapping[str, Any]) -> str:
    machine, facts = about["machine"], seeds[-1].facts
    commits = ", ".join(dict.fromkeys(str(seed.facts.get("commit", "unknown"))[:8] for seed in seeds))
    minutes = [max((minute for minute, _ in seed.curve["total/games"]), default=0.0) for seed in seeds]
    games = [max((count for _, count in seed.curve["total/games"]), default=0.0) for seed in seeds]
    return (
        f"`{about['command']}` at {commits}: {len(seeds)} seeds, "
        f"{_spread(minutes)} minutes of wall clock each, {_spread(games)} games, engine {facts.get('engine')}, "
        f"{facts.get('cores')} of {machine['cores']} cores of {machine['processor']}.\n\n"
        "Moves that give the value of the position away, in per cent of all positions: mean over the seeds ± standard "
        "deviation (least to most). Value-preserving: a slower win is no mistake."
    )


def _errors(seeds: Sequence[Seed], *, where: str) -> str:
    known = list(seeds[0].graded[where])
    cells = list(peers()["same_cells"][0]["errors"])
    names = [*(name for name in known if name not in cells), *(name for name in cells if name in known)]
    budgets = list(next(iter(seeds[0].graded[where].values())))
    rows = []
    for budget in budgets:
        label = "bare network" if budget == "0" else f"{budget} simulations"
        errors = [_spread([_error(seed.graded[where][name][budget]) for seed in seeds]) for name in names]
        rows.append([f"**{label}**", "here", *errors])
    text, sources = "", []
    if set(cells) <= set(known):
        for peer in peers()["same_cells"]:
            errors = [f"{peer['errors'][name]:.1f}" if name in cells else "" for name in names]
            cost = f"{peer['hardware']}, {peer['cost']}"
            rows.append([f"{peer['name']}, {peer['simulations']} simulations", cost, *errors])
            sources.append(f"{peer['name']}: {peer['source']}.")
        own = (
            ""
            if where == "files"
            else "They were measured on Pascal Pons' positions, other ones of the same six cells. "
        )
        text = f"\n\nOf the others: {own}{' '.join(sources)}"
    return markdown_table(["", "on what", *names], rows, texts=2) + text


def _error(figures: Mapping[str, Any]) -> float:
    return 100 * (1 - float(figures["value_preserving"]["value"]))


def _spread(values: Sequence[float]) -> str:
    """Rates with two digits behind the point, counts with none."""
    digits = ",.0f" if max(values, default=0.0) >= 100 else ".2f"
    middle = format(statistics.mean(values), digits)
    if len(values) < 2:
        return middle
    low, high, deviation = min(values), max(values), statistics.stdev(values)
    return f"{middle} ± {format(deviation, digits)} ({format(low, digits)} to {format(high, digits)})"


def _others() -> str:
    keys = ("name", "result", "cost", "hardware", "source")
    rows = [[one[key] for key in keys] for one in peers()["other_positions"]]
    return markdown_table(["project", "says", "cost", "hardware", "source"], rows)


def plot(seeds: Sequence[Seed]) -> str:
    """Errors against the wall clock: the mean, and a band from the best seed to the worst.

    Empty when nothing was graded on the way.
    """
    series = [
        Series(
            label=SHOWN[budget],
            thing=budget_colour(budget),
            points=_mean_curve([seed.curve[name] for seed in seeds]),
            marked=False,
        )
        for name, budget in CURVES.items()
        if all(seed.curve[name] for seed in seeds)
    ]
    if not series:
        return ""
    drawn = lines(
        series,
        x=Axis(label="minutes of training", reaches=(0.0,)),
        y=Axis(label=ERRORS, reaches=(0.0,)),
        about="errors against minutes of training",
        size=(640, 330),
    )
    return drawn.file().strip()


def _mean_curve(curves: Sequence[Sequence[tuple[float, float]]]) -> list[Point]:
    """Where all seeds have a figure, straight lines between gradings."""
    first = max(curve[0][0] for curve in curves)
    last = max(first, min(curve[-1][0] for curve in curves))
    grid = np.linspace(first, last, GRID) if last > first else np.array([first])
    values = 100 * (1 - np.stack([np.interp(grid, *np.array(curve).T) for curve in curves]))
    return [
        Point(x=float(minute), y=float(column.mean()), low=float(column.min()), high=float(column.max()))
        for minute, column in zip(grid, values.T, strict=True)
    ]


def redraw(folder: Path) -> None:
    kept = json.loads((folder / "zero_to_strong.json").read_text(encoding="utf-8"))
    drawn = plot([Seed(**seed) for seed in kept["seeds"]])
    (folder / "zero_to_strong.svg").write_text(f"{drawn}\n", encoding="utf-8")


if __name__ == "__main__":
    redraw(Path(sys.argv[1]))
