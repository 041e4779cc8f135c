"""From the recipe of the project's first documents to the default, one step at a time: what is each step worth?

python benchmarks/ladder.py                        nine steps, two seeds each, 15 minutes of one core a run
python benchmarks/ladder.py results=docs positions_dir=DIR steps=classic,gumbel seeds=3 minutes=15 folder=runs/ladder

Every step keeps what those before it changed. All have the default's network and engine, so that recipes are compared
and nothing else; the last step is the default. As many runs go side by side as there are cores, each on a core of its
own. What is done already is not done again: a killed ladder goes on. Training and grading are those of
zero_to_strong.py.
"""

from __future__ import annotations

import dataclasses
import os
import queue
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ladder_report import LADDER, NAME, publish
from zero_to_strong import Plan, UsageError, check_recipe, check_settings, ended, grade, plan_of, told, train
from zero_to_strong_report import curve_of

from c4.run.about import read_facts
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.run.origin import machine

BASE = ("experiment=classic", "network=medium", "inference=fastest", "name=ladder")
MINUTES, SEEDS = 15, 2
STRENGTH = "baseline/strength"
HIDDEN = ("folder=", "results=")  # where files lie here is nobody's business
GRADED = ("evaluation.sets=[cells]", "evaluation.duel_simulations=0")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Step:
    name: str
    about: str
    words: tuple[str, ...]  # overrides, on top of those of the steps before


STEPS = (
    Step(
        name="fpu_zero",
        about="`experiment=classic`, but an unvisited move is thought as good as its parent (`fpu_reduction=0`)",
        words=("search.fpu_reduction=0",),
    ),
    Step(
        name="classic",
        about="the documents' first-play urgency: `experiment=classic`",
        words=("search.fpu_reduction=0.4",),
    ),
    Step(
        name="mlh",
        about="the moves-left utility: `experiment=classic_mlh`",
        words=("search.mlh_slope=0.03", "search.mlh_cap=0.15"),
    ),
    Step(name="proven", about="proven results are backed up as such", words=("search.proven_results=true",)),
    Step(
        name="openings",
        about="eight games in ten begin with up to 20 random moves",
        words=("selfplay.random_opening_probability=0.8", "selfplay.random_opening_plies=20"),
    ),
    Step(
        name="traces",
        about="value traces and a share of the root's value as targets",
        words=("selfplay.value_trace=0.9", "model.value_root_share=0.25"),
    ),
    Step(name="muon", about="Muon with a cosine schedule, and no brake", words=("model=default",)),
    Step(
        name="gumbel",
        about="Gumbel search of 48 simulations in place of PUCT with noise and 100",
        words=("search=gumbel",),
    ),
    Step(
        name="sampling",
        about="1.5 looks at a sample in place of 4, and a larger window: the default",
        words=(
            "data.sampling_ratio=1.5",
            "data.generation_samples_first=8000",
            "data.generation_samples_max=60000",
            "data.window_first=80000",
            "data.window_max=2000000",
        ),
    ),
)


def overrides_of(name: str) -> tuple[str, ...]:
    """All that is typed for a step."""
    until = [step.name for step in STEPS].index(name) + 1
    return (*BASE, *(word for step in STEPS[:until] for word in step.words))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ladder:
    plan: Plan
    steps: tuple[Step, ...]

    def of(self, step: Step) -> Plan:
        return dataclasses.replace(
            self.plan, overrides=overrides_of(step.name), folder=self.plan.folder / step.name, graded=GRADED
        )


def ladder_of(words: Sequence[str]) -> Ladder:
    asked = None
    rest = [f"seeds={SEEDS}", f"minutes={MINUTES}", f"folder=runs/{NAME}"]
    for word in words:
        name, _, value = word.partition("=")
        if name == "steps":
            asked = value
        elif name in {"seeds", "minutes", "simulations", "positions_dir", "folder", "results"}:
            rest.append(word)
        else:
            raise UsageError(f"{word}: the steps decide the rest; say seeds=, minutes=, steps=, folder= or results=")
    return Ladder(plan=plan_of(rest), steps=steps_of(STEPS, asked))


def steps_of(steps: Sequence[Step], asked: str | None) -> tuple[Step, ...]:
    """Those that are named, in the order of all; None: all."""
    known = [step.name for step in steps]
    names = known if asked is None else asked.strip("[]").split(",")
    if unknown := [name for name in names if name not in known]:
        raise UsageError(f"steps={','.join(unknown)}: no such step; there are {', '.join(known)}")
    return tuple(step for step in steps if step.name in names)


def climb(ladder: Ladder) -> Iterator[dict[str, Any]]:
    """The figures of each step, a list of seeds in each, as soon as they are known."""
    free: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [None]
    for core in cores:
        free.put(core)

    def trained(plan: Plan, seed: int) -> RunFolder:
        core = free.get()
        try:
            return train(plan, seed=seed, core=core)
        finally:
            free.put(core)

    for step in ladder.steps:
        plan = ladder.of(step)
        check_recipe(plan)
        with ThreadPoolExecutor(max_workers=len(cores)) as side_by_side:
            begun = {seed: side_by_side.submit(trained, plan, seed) for seed in range(1, plan.seeds + 1)}
        runs = {seed: run.result() for seed, run in begun.items()}
        check_settings(runs)
        yield {"step": step.name, "about": step.about, "seeds": [figures_of(plan, run) for run in runs.values()]}


def figures_of(plan: Plan, run: RunFolder) -> dict[str, Any]:
    """What a seed came to, without a word of where its files lie."""
    curve, graded = curve_of(run), grade(plan, run)
    matches = [row[STRENGTH] for row in read_metrics(run).values() if STRENGTH in row]
    return {
        "graded": graded.get("files") or graded["sets"],
        "games": max((count for _, count in curve["total/games"]), default=0.0),
        "samples": max((count for _, count in curve["total/samples"]), default=0.0),
        "commit": str(read_facts(run).get("commit", "unknown"))[:8],
    } | ({"strength": max(matches)} if matches else {})


def main(words: Sequence[str]) -> int:
    def work() -> str:
        ladder, rows, text = ladder_of(words), [], ""
        command = " ".join(
            [f"python benchmarks/{NAME}.py", *(told(word) for word in words if not word.startswith(HIDDEN))]
        )
        about = {"command": command, "machine": machine(), "minutes": ladder.plan.minutes}
        for row in climb(ladder):
            rows.append(row)
            text = publish(rows, folder=ladder.plan.results, about=about, sheet=LADDER)
        return text

    return ended(work)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main(sys.argv[1:]))
