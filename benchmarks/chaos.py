"""A run whose actors, nodes and driver are killed one after another: is it the run that it would have been?

python benchmarks/chaos.py mode=exact minutes=60      beside it the same run in one process, without Ray: equal weights
python benchmarks/chaos.py mode=flowing minutes=60    every game counted once; memory over time, with a plot
python benchmarks/chaos.py mode=pace rounds=4 stretch=60      what killing costs: stretches with and without, by turns
python benchmarks/chaos.py minutes=2 every=5 experiment=tiny  a look

Every ten seconds a random actor is killed, or a whole node and all on it, which is begun again; in exact mode sometimes
the driver, which goes on by resume=. Two nodes of one processor on this machine, an actor on each. Other words are
overrides of train.py.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ray
import torch
from ray_nodes import Nodes
from results import FOLDER, publish
from safetensors.torch import load_file
from words import parted

from c4 import load_config
from c4.games import game_spec
from c4.network.network import make_network
from c4.report.chart import Axis, Point, Series, lines
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.selfplay.engine import chosen_engine

ROOT = Path(__file__).parents[1]
NODES, DRIVERS = 0.25, 0.05  # shares of the killings
ACTORS, LEAST_KEPT = 2, 0.8  # actors; share of the undisturbed samples that killing may leave
SEED, GLANCE, LOOK = 1, 1.0, 10.0  # seconds between two looks at the runs, at memory
RECIPE = (
    "experiment=quick", f"seed={SEED}", "evaluation.grading.every=0", "evaluation.grading.at_end=false",
    "data.generation_samples_first=2000", "data.generation_samples_max=4000", "data.window_first=20000",
    "data.window_max=40000", "callbacks.progress.live=false",
    "selfplay.groups=2", "selfplay.actor_games=128", "selfplay.chunk_games=32",  # little is lost with an actor
)  # fmt: skip


class Training:
    """train.py in a folder, to be watched, killed and gone on with."""

    def __init__(self, path: Path, words: Sequence[str]) -> None:
        self.folder, self.driver_deaths = RunFolder(path=path), 0
        self._begin([*words, f"hydra.run.dir={path}"])
        self._numbers: dict[int, list[int]] = {}

    def _begin(self, words: Sequence[str]) -> None:
        command = [sys.executable, str(ROOT / "train.py"), *words]
        self.process = subprocess.Popen(command, stdout=sys.stderr, cwd=ROOT)

    def kill(self) -> None:
        """Killed, and gone on with."""
        self.process.kill()
        self.process.wait()
        self.driver_deaths += 1
        self._begin([f"resume={self.folder.path}"])

    @property
    def generation(self) -> int:
        return max(read_metrics(self.folder), default=0) if self.folder.metrics.exists() else 0

    def figure(self, name: str) -> float:
        """Of the newest generation."""
        return read_metrics(self.folder)[self.generation][name]

    def check(self) -> None:
        if self.process.poll():
            raise SystemExit(f"train.py ended with {self.process.returncode}; see {self.folder.path}")

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def look(self) -> None:
        """Sees the samples of new generations before the run drops them."""
        for generation in range(len(self._numbers), self.generation):
            if (path := self.folder.archive.path(generation)).exists():
                self._numbers[generation] = torch.unique(load_file(path)["game_id"]).tolist()

    @property
    def numbers(self) -> list[int]:
        """Of the games that samples are of, by generation: one that ended in two would be there twice."""
        return [number for games in self._numbers.values() for number in games]


class Killer:
    """Whoever comes next."""

    def __init__(self, nodes: Nodes, *, every: float, victim: Training | None) -> None:
        """`victim`: the driver, where that may die too."""
        self._nodes, self._every, self._victim = nodes, every, victim
        self._random, self._next = random.Random(SEED), time.monotonic() + every
        self._node = nodes.begin(cpus=1)
        self.killed = {"actors": 0, "nodes": 0, "drivers": 0}

    def turn(self) -> None:
        if time.monotonic() < self._next or not (actors := self._nodes.actors()):
            return  # nobody is there before the first generation
        self._next = time.monotonic() + self._every
        chance = self._random.random()
        if chance < NODES:
            self._nodes.kill(self._node)
            self._node = self._nodes.begin(cpus=1)
            self.killed["nodes"] += 1
        elif chance < NODES + DRIVERS and self._victim is not None and self._victim.generation:
            self._victim.kill()
            self.killed["drivers"] += 1
        else:
            os.kill(self._random.choice(actors), signal.SIGKILL)
            self.killed["actors"] += 1

    def rest(self) -> None:
        self._next = float("inf")

    def go_on(self) -> None:
        self._next = time.monotonic()


def memory(training: Training, *, since: float) -> dict[str, float]:
    store = "object_store_memory"
    used = ray.cluster_resources().get(store, 0.0) - ray.available_resources().get(store, 0.0)
    try:
        resident = int(Path(f"/proc/{training.process.pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        resident = 0
    return {
        "minute": (time.monotonic() - since) / 60,
        "driver MB": resident * os.sysconf("SC_PAGE_SIZE") / 2**20,
        "object store MB": used / 2**20,
        "window": float(read_metrics(training.folder)[training.generation]["window/samples"]),
    }


def equal_generations(one: RunFolder, other: RunFolder) -> tuple[int, int]:
    """How many generations have both weights, and how many of those are equal bit for bit."""
    pairs = []
    for generation in range(1, max(read_metrics(one)) + 1):
        players = [run.player(generation) for run in (one, other)]
        if all(player.exists() for player in players):
            pairs.append([load_file(player) for player in players])
    same = [all(torch.equal(first[name], second[name]) for name in first) for first, second in pairs]
    return len(same), sum(same)


def watched(
    runs: Sequence[Training], *, killer: Killer, minutes: float, rows: list[dict[str, float]] | None = None
) -> None:
    """Until the time is over, or one has ended. The first is looked at closely."""
    began, looked = time.monotonic(), 0.0
    while time.monotonic() - began < 60 * minutes and all(run.process.poll() is None for run in runs):
        killer.turn()
        for run in runs:
            run.look()
        if runs[0].generation and time.monotonic() - looked > LOOK and rows is not None:
            looked = time.monotonic()
            rows.append(memory(runs[0], since=began))
        time.sleep(GLANCE)
    for run in runs:
        run.check()


def exact(words: Sequence[str], *, folder: Path, nodes: Nodes, every: float, minutes: float) -> bool:
    words = [*words, "selfplay.mode=exact", "budget=generations", "budget.generations=2000"]
    words += ["callbacks.checkpoint.every=1"]
    rough = Training(folder / "rough", [*words, "selfplay=ray", f"selfplay.address={nodes.address}"])
    calm = Training(folder / "calm", [*words, "selfplay.actors=null"])
    killer, seen = Killer(nodes, every=every, victim=rough), list[dict[str, float]]()
    try:
        watched([rough, calm], killer=killer, minutes=minutes, rows=seen)
    finally:
        for run in (rough, calm):
            run.stop()
    compared, same = equal_generations(rough.folder, calm.folder)
    publish("chaos_exact", [{
        "minutes": minutes, "killed": killer.killed, "generations of the killed": rough.generation,
        "of the other": calm.generation, "compared": compared, "equal bit for bit": same,
    }])  # fmt: skip
    return 0 < compared == same


def flowing(words: Sequence[str], *, folder: Path, nodes: Nodes, every: float, minutes: float) -> bool:
    words = [*words, "selfplay.mode=flowing", "selfplay=ray", f"selfplay.address={nodes.address}"]
    run = Training(folder / "flowing", [*words, "budget=generations", "budget.generations=5000"])
    killer, seen = Killer(nodes, every=every, victim=None), list[dict[str, float]]()
    try:
        watched([run], killer=killer, minutes=minutes, rows=seen)
    finally:
        run.stop()
        run.look()
    numbers = run.numbers
    twice = len(numbers) - len(set(numbers))
    half = [row for row in seen if row["minute"] > minutes / 2]
    publish("chaos_flowing", [{
        "minutes": minutes, "killed": killer.killed, "generations": run.generation,
        "samples": run.figure("total/samples"), "games": run.figure("total/games"),
        "games with samples": len(numbers), "counted twice": twice,
        "driver MB at half time": half[0]["driver MB"], "at the end": half[-1]["driver MB"],
        "object store MB at half time": half[0]["object store MB"], "most": max(row["object store MB"] for row in seen),
        "seen": seen,
    }])  # fmt: skip
    (FOLDER / "chaos_flowing.svg").write_text(memory_plot(seen))
    return twice == 0


def memory_plot(seen: Sequence[Mapping[str, float]]) -> str:
    shown = [
        Series(label=name, marked=False, points=[Point(x=row["minute"], y=row[f"{name} MB"]) for row in seen])
        for name in ("driver", "object store")
    ]
    about = "Resident memory of the driver and use of the object store over a disturbed run."
    return lines(shown, x=Axis(label="minutes"), y=Axis(label="megabytes", reaches=(0,)), about=about).file()


def pace(words: Sequence[str], *, folder: Path, nodes: Nodes, every: float, rounds: int, stretch: float) -> bool:
    """Samples in stretches of one flowing run, with and without killing by turns; none counts what it begins with."""
    words = [*words, "selfplay.mode=flowing", "selfplay=ray", f"selfplay.address={nodes.address}"]
    run = Training(folder / "pace", [*words, "budget=generations", "budget.generations=5000"])
    killer, rows = Killer(nodes, every=every, victim=None), list[dict[str, Any]]()
    try:
        for number in range(rounds):
            row: dict[str, Any] = {"round": number + 1}
            killer.rest()
            while run.generation < 3 or run.figure("actors/alive") < ACTORS:  # begun, or begun again
                run.check()
                time.sleep(GLANCE)
            row["undisturbed samples/s"] = paced(run, killer, seconds=stretch)
            killer.go_on()
            row["disturbed samples/s"] = paced(run, killer, seconds=stretch)
            rows.append(row | {"kept": row["disturbed samples/s"] / row["undisturbed samples/s"]})
            print(rows[-1], file=sys.stderr, flush=True)
    finally:
        run.stop()
    publish("chaos_pace", [{**row, "every": every} for row in rows])
    kept = sum(row["kept"] for row in rows) / len(rows)
    print(f"killed {killer.killed}; kept {kept:.1%}")
    return bool(kept >= LEAST_KEPT)


def paced(run: Training, killer: Killer, *, seconds: float) -> float:
    """From the end of a generation after a fifth of the time to that of the first that ends when it is over, however
    long that takes: what a stretch cost is not left to the next.
    """
    began = time.monotonic()

    def end(*, after: float) -> tuple[float, float]:
        """When the next generation ended, and all samples by then."""
        written, samples = 0, 0.0
        while True:
            run.check()
            killer.turn()
            now, before = time.monotonic() - began, samples
            if (changed := run.folder.metrics.stat().st_mtime_ns) != written:  # to read it each time would take long
                written, samples = changed, run.figure("total/samples")
            if now > after and 0.0 < before < samples:
                return now, samples
            time.sleep(GLANCE / 10)

    (first, before), (last, later) = end(after=seconds / 5), end(after=seconds)
    return (later - before) / (last - first)


def main(words: Sequence[str]) -> int:
    own, typed = parted(words, own={"mode": "exact", "minutes": "60", "every": "10", "rounds": "4", "stretch": "60"})
    rest = [*RECIPE, *typed]
    config = load_config(*rest)
    torch.manual_seed(SEED)
    engine = chosen_engine(config, network=make_network(game_spec(config.game.name), config.network))
    rest += [f"inference.engine={engine.engine.value}", f"inference.precision={engine.precision.value}"]
    rest += ["inference.streams=1"]  # the same for all
    folder, nodes = Path(tempfile.mkdtemp(prefix="c4chaos")), Nodes(cpus=1, system={})
    every = float(own["every"])
    try:
        ray.init(address=nodes.address, logging_level=logging.ERROR, log_to_driver=False)
        if own["mode"] == "pace":
            well = pace(
                rest, folder=folder, nodes=nodes, every=every, rounds=int(own["rounds"]), stretch=float(own["stretch"])
            )
        else:
            kind = {"exact": exact, "flowing": flowing}[own["mode"]]
            well = kind(rest, folder=folder, nodes=nodes, every=every, minutes=float(own["minutes"]))
    finally:
        ray.shutdown()
        nodes.close()
    print("as it should be" if well else f"NOT as it should be; see {folder}")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
