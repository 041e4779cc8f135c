"""What came out of ladder.py: a table, a plot and JSON, from figures of each step's seeds.

python benchmarks/ladder_report.py docs     the plot anew, and the table to copy, from docs/ladder.json

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

from seeds import over_seeds
from zero_to_strong_report import peers

from c4.files import write_beside
from c4.report.chart import Axis, Point, Series, lines
from c4.report.style import budget_colour
from c4.report.table import markdown_table
from c4.report.words import short_budget

NAME = "ladder"
SIZE = (820, 360)  # of the plot


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sheet:
    """How rows become a table and a plot."""

    name: str  # of the files
    cells: Sequence[str]  # the sets that errors are counted on
    chained: bool  # whether each row stands on top of those before it; else it differs from the first


LADDER = Sheet(name=NAME, cells=tuple(peers()["same_cells"][0]["errors"]), chained=True)


def errors(row: Mapping[str, Any], *, budget: str, cells: Sequence[str]) -> list[float]:
    """Per cent of positions whose value is given away, seed by seed: the mean of these sets."""
    return [100 * (1 - share) for share in _shares(row, "value_preserving", budget=budget, cells=cells)]


def _shares(row: Mapping[str, Any], figure: str, *, budget: str, cells: Sequence[str]) -> list[float]:
    return [statistics.mean(seed["graded"][one][budget][figure]["value"] for one in cells) for seed in row["seeds"]]


def verdict(before: Sequence[float], after: Sequence[float]) -> str:
    """Of two sets of seeds: known where the 95 % interval of the difference leaves 0 out."""
    difference = over_seeds(before, after)
    if not difference.is_known:
        return f"not known ({-difference.value:+.2f})".replace("-", "−")
    return f"better by {-difference.value:.2f}" if difference.value < 0 else f"worse by {difference.value:.2f}"


def table(rows: Sequence[Mapping[str, Any]], *, about: Mapping[str, Any], sheet: Sheet) -> str:
    cells = sheet.cells
    budgets = list(rows[0]["seeds"][0]["graded"][cells[0]])
    most = budgets[-1]
    matches = all("strength" in seed for row in rows for seed in row["seeds"])
    names = [
        "step",
        "games",
        *(_named(one) for one in budgets),
        "worth",
        "optimal",
        *(["strength"] if matches else ()),
    ]
    drawn_rows, before = [], None
    for row in rows:
        after = errors(row, budget=most, cells=cells)
        drawn_rows.append(
            [
                row["step"],
                f"{statistics.mean(seed['games'] for seed in row['seeds']):,.0f}",
                *(_spread(errors(row, budget=one, cells=cells)) for one in budgets),
                "" if before is None else verdict(before, after),
                _spread([100 * share for share in _shares(row, "distance_optimal", budget=most, cells=cells)]),
                *([_spread([seed["strength"] for seed in row["seeds"]])] if matches else ()),
            ]
        )
        before = after if sheet.chained or before is None else before
    commits = ", ".join(dict.fromkeys(seed["commit"] for row in rows for seed in row["seeds"]))
    machine, seeds = about["machine"], len(rows[0]["seeds"])
    strength = " *Strength*: levels of pure Monte Carlo beaten, and the score at the next." if matches else ""
    many = f"over the {len(cells)} sets" if len(cells) > 1 else f"on the set {cells[0]}"
    listed = "\n".join(f"- *{row['step']}*: {row['about']}" for row in rows)
    each = [
        [row["step"], *(_spread(errors(row, budget=most, cells=[cell])) for cell in cells)]
        for row in rows
        if len(cells) > 1
    ]
    by_cell = f"\n\nBy set, with {_named(most)}:\n\n{markdown_table(['step', *cells], each, texts=1)}" if each else ""
    return (
        f"`{about['command']}` at {commits}: {about['minutes']:g} minutes of one core of {machine['processor']} for "
        f"each of {seeds} seeds, {machine['cores']} runs side by side.\n\n"
        f"Moves that give the value of the position away, in per cent, {many}: mean over the seeds (least to most). "
        f"*Worth*: points against the {'step above' if sheet.chained else 'first'}, with {_named(most)}; known where "
        f"the 95 % interval over the seeds leaves 0 out. *Optimal*: distance-optimal moves with {_named(most)}, in per "
        f"cent.{strength}\n\n"
        f"{listed}\n\n{markdown_table(names, drawn_rows, texts=1)}{by_cell}"
    )


def _named(budget: str) -> str:
    return short_budget(int(budget))


def _spread(values: Sequence[float]) -> str:
    ends = f" ({min(values):.1f}–{max(values):.1f})" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{ends}"


def plot(rows: Sequence[Mapping[str, Any]]) -> str:
    """Mean errors over the six cells, step by step, with a band from the best seed to the worst."""
    series = [
        Series(
            label=_named(budget),
            thing=budget_colour(int(budget)),
            points=[
                Point(x=place, y=statistics.mean(found), low=min(found), high=max(found))
                for place, row in enumerate(rows)
                for found in [errors(row, budget=budget, cells=LADDER.cells)]
            ],
        )
        for budget in rows[0]["seeds"][0]["graded"][LADDER.cells[0]]
    ]
    names = {float(place): row["step"] for place, row in enumerate(rows)}
    drawn = lines(
        series,
        x=Axis(label="step, each on top of those before it", ticks=names),
        y=Axis(label="moves that give the value away (%)", reaches=(0.0,)),
        about="errors step by step from the documents' recipe to the default",
        size=SIZE,
    )
    return drawn.file().strip()


def publish(rows: Sequence[Mapping[str, Any]], *, folder: Path, about: Mapping[str, Any], sheet: Sheet = LADDER) -> str:
    """The sheet's .json and .md in the folder, and .svg where rows stand on each other, over what was there. Returns
    the table."""
    folder.mkdir(parents=True, exist_ok=True)
    text = table(rows, about=about, sheet=sheet)
    files = {"json": json.dumps({**about, "steps": rows}, indent=1), "md": text}
    for suffix, content in (files | ({"svg": plot(rows)} if sheet.chained else {})).items():
        write_beside(folder / f"{sheet.name}.{suffix}", f"{content}\n".encode())
    return text


def redraw(folder: Path) -> str:
    """The plot over what was there. Returns the table."""
    kept = json.loads((folder / f"{NAME}.json").read_text(encoding="utf-8"))
    rows = kept.pop("steps")
    write_beside(folder / f"{NAME}.svg", f"{plot(rows)}\n".encode())
    return table(rows, about=kept, sheet=LADDER)


if __name__ == "__main__":
    print(redraw(Path(sys.argv[1])))
