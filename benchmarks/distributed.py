"""Samples per second of self-play: in this process, and by Ray actors on the same cores, flowing and exactly. And how
long a learner waits for such actors.

python benchmarks/distributed.py                                   the default's recipe, two actors
python benchmarks/distributed.py samples=3000 rounds=1 experiment=tiny ways=local,exact
python benchmarks/distributed.py selfplay.actors=4 selfplay.chunk_games=256

Each way plays generations of so many samples until `seconds` are over, after a first small one in which actors begin.
All take turns, `rounds` times, so that a busy moment of the machine does not hit one alone; what counts is the median
round. Weights are random, the same for all. Other words are overrides of train.py. What a second of a processor brings
can be compared on a busy machine too; it does not see who waits. Then train.py makes `generations` with the actors of
each way (0: none): the share of the time in which its learner waited for them is the mean of all but the first, in
which they begin.
"""

from __future__ import annotations

import dataclasses
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import torch
from results import publish
from words import parted

from c4 import load_config
from c4.games import game_spec
from c4.network.network import make_network
from c4.params.inference import InferenceParams
from c4.params.train import TrainConfig
from c4.playing import source_of
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.selfplay.engine import chosen_engine, selfplay_engine
from c4.selfplay.source import Glance

WAYS: Mapping[str, Sequence[str]] = {
    "local": ["selfplay.actors=null", "selfplay.mode=flowing"],
    "flowing": ["selfplay.mode=flowing"],
    "exact": ["selfplay.mode=exact"],
    "exact_local": ["selfplay.actors=null", "selfplay.mode=exact"],
}
OWN = {"seconds": "20", "rounds": "3", "samples": "40000", "ways": "local,flowing,exact", "generations": "5"}
TICKS = os.sysconf("SC_CLK_TCK")
RATE, COST = "samples a second", "samples by a second of a processor"
IDLE = "actors/idle_share"
ROOT = Path(__file__).parents[1]
UNGRADED = ("evaluation.grading.every=0", "evaluation.grading.at_end=false", "evaluation.baseline.every=0")


def measured(config: TrainConfig, *, seconds: float, samples: int) -> dict[str, float]:
    torch.manual_seed(0)
    network = make_network(game_spec(config.game.name), config.network)
    engine = selfplay_engine(config, config.inference, network=network)
    source = source_of(config, engine=engine)
    try:
        came, version, figures = 0, 0, dict[str, float]()
        source.publish(network.state_dict())
        source.collect(wanted=samples // 4, version=0, watch=never)
        began, spent = time.monotonic(), processor_seconds()
        while time.monotonic() - began < seconds:
            version += 1
            source.publish(network.state_dict())
            harvest = source.collect(wanted=samples, version=version, watch=never)
            came += len(harvest.samples)
            figures = {name: value for name, value in harvest.figures.items() if name != IDLE}  # nobody learns
        spent = processor_seconds() - spent
        return {RATE: came / (time.monotonic() - began), COST: came / spent, **figures}
    finally:
        source.close()
        engine.close()


def idle_share(words: Sequence[str], *, inference: InferenceParams, generations: int) -> float:
    """Of a learner whose actors play."""
    with tempfile.TemporaryDirectory(prefix="c4idle") as folder:
        words = [*words, *UNGRADED, "budget=generations", f"budget.generations={generations}"]
        words += [f"inference.engine={inference.engine.value}", f"inference.precision={inference.precision.value}"]
        words += ["callbacks.progress.live=false", f"hydra.run.dir={folder}/run"]
        subprocess.run([sys.executable, str(ROOT / "train.py"), *words], stdout=sys.stderr, cwd=ROOT, check=True)
        rows = read_metrics(RunFolder(path=Path(folder) / "run"))
    return statistics.mean(row[IDLE] for generation, row in rows.items() if generation > 1)


def processor_seconds() -> float:
    """Of this process and all that have come of it: actors, and Ray's own."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = path.read_text().rpartition(")")[2].split()
            found[int(path.parent.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS
    total, known = 0.0, {os.getpid()}
    while known:
        total += sum(found[pid][1] for pid in known)
        known = {pid for pid, (parent, _) in found.items() if parent in known}
    return total


def never(_: Glance) -> bool:
    return False


def main(words: Sequence[str]) -> None:
    own, typed = parted(words, own=OWN)
    rest = ["selfplay=ray", *typed]
    config = load_config(*rest)
    network = make_network(game_spec(config.game.name), config.network)
    inference = chosen_engine(config, network=network)  # once: the same for all
    found: dict[str, list[dict[str, float]]] = {way: [] for way in own["ways"].split(",")}
    for number in range(int(own["rounds"])):
        for way, rounds in found.items():
            used = dataclasses.replace(load_config(*rest, *WAYS[way]), inference=inference)
            rounds.append(measured(used, seconds=float(own["seconds"]), samples=int(own["samples"])))
            print(
                f"round {number + 1}, {way}: {rounds[-1][RATE]:,.0f} {RATE}, {rounds[-1][COST]:,.0f} {COST}",
                file=sys.stderr,
                flush=True,
            )
    rows = []
    for way, rounds in found.items():
        row: dict[str, float | str] = {"way": way}
        for name in (RATE, COST):
            values = [one[name] for one in rounds]
            shares = [one[name] / local[name] for one, local in zip(rounds, found["local"], strict=True)]
            row |= {name: statistics.median(values), f"{name}, from": min(values), f"{name}, to": max(values)}
            row |= {f"{name}, of local": statistics.median(shares)}
            row |= {f"{name}, shares": " ".join(f"{share:.3f}" for share in shares)}
        row |= {name: value for name, value in rounds[-1].items() if name not in (RATE, COST)}
        if (generations := int(own["generations"])) and load_config(*rest, *WAYS[way]).selfplay.actors:
            row[IDLE] = idle_share([*rest, *WAYS[way]], inference=inference, generations=generations)
        rows.append(row)
    publish("distributed", rows)


if __name__ == "__main__":
    main(sys.argv[1:])
