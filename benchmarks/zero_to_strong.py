"""From nothing to strong play: one recipe, several seeds, one after another, graded against perfect play.

python benchmarks/zero_to_strong.py seeds=3 minutes=30                     the recipe of `python train.py`
python benchmarks/zero_to_strong.py seeds=3 minutes=30 network=medium positions_dir=DIR folder=runs/medium

positions_dir= grades on files of labelled positions besides the carried sets; results=DIR is where the table goes. All
other words are overrides of train.py. What is done already is not done again: a killed run goes on, a finished seed is
kept. Knows no more of training and grading than their commands.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from results import FOLDER
from zero_to_strong_report import Seed, curve_of, publish

from c4.evaluation.seeds import setting_of
from c4.files import write_beside
from c4.run.about import read_facts
from c4.run.folder import RunFolder
from c4.run.origin import machine
from c4.run.outcome import has_finished

ROOT = Path(__file__).parents[1]
GRADED, RECIPE = "graded.json", "recipe.json"
FIGURES = ("value_preserving", "value_preserving_decisive", "distance_optimal")
PONS = {  # the names of his files, by stage and plies left
    "L1_R1": "begin-easy",
    "L2_R1": "middle-easy",
    "L3_R1": "end-easy",
    "L1_R2": "begin-medium",
    "L2_R2": "middle-medium",
    "L1_R3": "begin-hard",
}


class UsageError(ValueError):
    """What was typed cannot be done; the text is the whole message."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    seeds: int
    minutes: float
    simulations: tuple[int, ...]
    positions_dir: Path | None
    folder: Path  # of the runs
    results: Path
    overrides: tuple[str, ...]
    graded: tuple[str, ...] = ("evaluation.sets=[dev,cells]",)

    @property
    def recipe(self) -> dict[str, Any]:
        """What must be the same for seeds to be compared."""
        return {"minutes": self.minutes, "overrides": list(self.overrides)}


def plan_of(words: Sequence[str]) -> Plan:
    own = {"seeds": "3", "minutes": "30", "simulations": "0,32,600", "positions_dir": ""}
    own |= {"folder": "runs/zero_to_strong", "results": str(FOLDER)}
    overrides = []
    for word in words:
        name, equals, value = word.partition("=")
        if name in own and equals:
            own[name] = value
        elif name in {"seed", "budget.minutes", "hydra.run.dir", "resume"}:
            raise UsageError(f"{word}: that is decided here; there are seeds=, minutes= and folder=")
        else:
            overrides.append(word)
    try:
        seeds, minutes = int(own["seeds"]), float(own["minutes"])
        simulations = tuple(sorted({int(one) for one in own["simulations"].strip("[]").split(",")}))
    except ValueError as error:
        raise UsageError(f"{error}: seeds=3 minutes=30 simulations=0,32,600 are numbers") from None
    if seeds < 1 or not 0 < minutes < math.inf or min(simulations) < 0:
        raise UsageError("seeds and minutes are above 0 and end somewhere, simulations are at least 0")
    positions = Path(own["positions_dir"]).resolve() if own["positions_dir"] else None
    if positions is not None and not any(positions.glob("*.jsonl")):
        raise UsageError(f"positions_dir={positions}: no *.jsonl in it")
    return Plan(
        seeds=seeds,
        minutes=minutes,
        simulations=simulations,
        positions_dir=positions,
        folder=Path(own["folder"]).resolve(),
        results=Path(own["results"]).resolve(),
        overrides=tuple(overrides),
    )


def check_recipe(plan: Plan) -> None:
    """Runs of another recipe in the folder would be averaged with these."""
    path = plan.folder / RECIPE
    begun = any(RunFolder(path=path).has_config() for path in plan.folder.glob("seed_*"))
    if begun and path.exists() and (kept := json.loads(path.read_text())) != plan.recipe:
        words = " ".join([f"minutes={kept['minutes']:g}", *kept["overrides"]])
        raise UsageError(f"{plan.folder} holds runs of another recipe, {words}: give folder=ANOTHER")
    plan.folder.mkdir(parents=True, exist_ok=True)
    write(path, plan.recipe)


def check_settings(runs: Mapping[int, RunFolder]) -> None:
    """The same words mean another recipe after a change in conf/."""
    settings = {seed: setting["setting"] for seed, run in runs.items() if (setting := setting_of(run))}
    first = settings.get(1)
    if others := [str(seed) for seed, setting in settings.items() if setting != first]:
        raise UsageError(
            f"seed {', '.join(others)} had other values in conf/ than seed 1 (config.yaml in each run says which): "
            "that is not one recipe; give folder=ANOTHER"
        )


def train(plan: Plan, *, seed: int, core: int | None = None) -> RunFolder:
    """A finished run, on one core if it is told which. Raises UsageError when it does not end well; to go on later is
    the same command."""
    run = RunFolder(path=plan.folder / f"seed_{seed}")
    if has_finished(run):
        say(f"seed {seed}: done before")
        return run
    if run.states() or run.has_begun():
        words = [f"resume={run.path}"]
    else:
        words = ["budget=minutes", f"budget.minutes={plan.minutes:g}", *plan.overrides, f"seed={seed}"]
        words.append(f"hydra.run.dir={run.path}")
    say(f"seed {seed}: python train.py {' '.join(words)}")
    place = [] if core is None else ["taskset", "--cpu-list", str(core)]
    shown = sys.stderr if core is None else subprocess.DEVNULL  # of runs side by side nobody could tell whose it is
    command = [*place, sys.executable, str(ROOT / "train.py"), *words]
    code = subprocess.run(command, check=False, stdout=shown).returncode
    if not run.has_config():
        raise UsageError(f"seed {seed} did not begin (exit code {code})")
    if code or not has_finished(run):
        raise UsageError(
            f"seed {seed} did not finish (exit code {code}); see {run.path}; the same command continues it"
        )
    return run


def grade(plan: Plan, run: RunFolder) -> dict[str, Any]:
    """set -> budget -> figures, and the line of its games against perfect play; kept beside the run."""
    path = run.path / GRADED
    search = run_command("evaluate.py", "--cfg", "job", "--package", "search")
    wanted = {"simulations": list(plan.simulations), "positions": str(plan.positions_dir), "search": search}
    wanted |= {} if plan.graded == Plan.graded else {"words": list(plan.graded)}
    if path.exists() and (known := json.loads(path.read_text()))["wanted"] == wanted:
        return dict(known)
    budgets = f"evaluation.simulations=[{','.join(map(str, plan.simulations))}]"
    report = evaluate(run, budgets, *plan.graded)
    graded: dict[str, Any] = {"wanted": wanted, "line": report.get("duel", {}).get("line", ""), "sets": figures(report)}
    if plan.positions_dir is not None:
        found = figures(evaluate(run, budgets, f"positions={plan.positions_dir}", "evaluation.duel_simulations=0"))
        graded["files"] = {PONS.get(name, name): one for name, one in found.items()}
    write(path, graded)
    return graded


def evaluate(run: RunFolder, *words: str) -> dict[str, Any]:
    player = run.player("last")  # the end of the run: nothing was chosen by what is graded
    without = ("evaluation.ablation_simulations=0", "evaluation.worst=0")
    (report,) = json.loads(run_command("evaluate.py", f"checkpoint={player}", "output=json", *words, *without))[
        "reports"
    ]
    return dict(report)


def run_command(program: str, *words: str) -> str:
    """What it writes to stdout. Raises UsageError when it fails."""
    ended = subprocess.run(
        [sys.executable, str(ROOT / program), *words], check=False, stdout=subprocess.PIPE, text=True
    )
    if ended.returncode:
        raise UsageError(f"this failed: python {program} {' '.join(words)}")
    return ended.stdout


def figures(report: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {budget: {figure: one[figure] for figure in FIGURES} for budget, one in budgets.items()}
        for name, budgets in report["sets"].items()
    }


def told(word: str) -> str:
    """A word of the command line as it is published: others have the positions elsewhere."""
    return "positions_dir=DIR" if word.startswith("positions_dir=") else word


def write(path: Path, data: Any) -> None:
    write_beside(path, json.dumps(data, indent=2).encode() + b"\n")


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def ended(work: Callable[[], str]) -> int:
    """The exit code of a program that prints what `work` comes to."""
    try:
        print(work())
    except UsageError as error:
        say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        say("interrupted; the same command continues")
        return 130
    return 0


def main(words: Sequence[str]) -> int:
    def work() -> str:
        plan = plan_of(words)
        check_recipe(plan)
        seeds, text = [], ""
        command = " ".join(["python benchmarks/zero_to_strong.py", *map(told, words)])
        runs: dict[int, RunFolder] = {}
        for seed in range(1, plan.seeds + 1):
            runs[seed] = run = train(plan, seed=seed)
            check_settings(runs)
            seeds.append(Seed(number=seed, curve=curve_of(run), graded=grade(plan, run), facts=read_facts(run)))
            text = publish(seeds, folder=plan.results, about={"command": command, "machine": machine(), **plan.recipe})
        return text

    return ended(work)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main(sys.argv[1:]))
