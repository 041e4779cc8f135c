"""A run whose actors and nodes die one after another: is it the run that it would have been, and how much slower?

python benchmarks/chaos.py                                          40 generations of experiment=quick, exactly, twice
python benchmarks/chaos.py mode=flowing minutes=60                  for an hour, every game counted once
python benchmarks/chaos.py generations=5 every=5 experiment=tiny    a look

First the run undisturbed (in exact mode), then with a random actor, or a whole node and all on it, killed each ten
seconds. A cluster of two nodes is begun on this machine, and a node that was killed is begun again. All other words are
overrides of train.py.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from ray_nodes import Nodes
from results import publish
from safetensors.torch import load_file

from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

ROOT = Path(__file__).parents[1]
NODES_PER_ACTOR = 0.25  # share of the killings that take a node
SEED = 1


def actors() -> list[int]:
    """Processes of this machine that are actors of ours, by their name."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes().startswith(b"ray::Worker"):
                found.append(int(folder.name))
        except OSError:
            continue  # it has ended
    return found


def resident_megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def trained(folder: Path, words: Sequence[str], *, nodes: Nodes, every: float | None) -> dict[str, Any]:
    """The run and what it took; killing `every` so many seconds."""
    command = [sys.executable, str(ROOT / "train.py"), *words, f"selfplay.address={nodes.address}"]
    chance = random.Random(SEED)
    began, killed, memory = time.monotonic(), {"actors": 0, "nodes": 0}, list[float]()
    second = nodes.begin()
    run = subprocess.Popen([*command, f"hydra.run.dir={folder}"], stdout=sys.stderr)
    try:
        while run.poll() is None:
            try:
                run.wait(every or 10.0)
            except subprocess.TimeoutExpired:
                memory.append(resident_megabytes(run.pid))
            if every is None or run.poll() is not None:
                continue
            if chance.random() < NODES_PER_ACTOR:
                nodes.kill(second)
                second = nodes.begin()
                killed["nodes"] += 1
            elif found := actors():
                os.kill(chance.choice(found), signal.SIGKILL)
                killed["actors"] += 1
    finally:
        if run.poll() is None:
            run.terminate()
            run.wait()
        nodes.kill(second)
    if run.returncode:
        raise SystemExit(f"train.py ended with {run.returncode}; see {folder}")
    rows = read_metrics(RunFolder(path=folder))
    numbers = game_numbers(folder)
    return {
        "killed actors": killed["actors"],
        "killed nodes": killed["nodes"],
        "seconds": time.monotonic() - began,
        "samples": rows[max(rows)]["total/samples"],
        "games counted twice": len(numbers) - len(set(numbers)),
        "driver MB, at a quarter": memory[len(memory) // 4] if memory else 0.0,
        "driver MB, at the end": memory[-1] if memory else 0.0,
    }


def game_numbers(folder: Path) -> list[int]:
    """Of every game in the samples that are kept: each generation has those that ended in it."""
    run, numbers = RunFolder(path=folder), list[int]()
    for generation in range(max(read_metrics(run))):
        if (path := run.archive.path(generation)).exists():
            numbers += torch.unique(load_file(path)["game_id"]).tolist()
    return numbers


def main(words: Sequence[str]) -> int:
    own = {"mode": "exact", "generations": "40", "minutes": "", "every": "10"}
    rest = ["experiment=quick", "evaluation.grading.every=0", "evaluation.grading.at_end=false"]
    for word in words:
        name, _, value = word.partition("=")
        if name in own:
            own[name] = value
        else:
            rest.append(word)
    rest += ["selfplay=ray", f"selfplay.mode={own['mode']}", f"seed={SEED}", "callbacks.progress.live=false"]
    if own["minutes"]:
        rest += ["budget=minutes", f"budget.minutes={own['minutes']}"]
    else:
        rest += ["budget=generations", f"budget.generations={own['generations']}"]
    folder, nodes = Path(tempfile.mkdtemp(prefix="c4chaos")), Nodes()
    try:
        calm = trained(folder / "calm", rest, nodes=nodes, every=None)
        rough = trained(folder / "rough", rest, nodes=nodes, every=float(own["every"]))
    finally:
        nodes.close()
    rows = [{"run": name, **figures} for name, figures in (("undisturbed", calm), ("disturbed", rough))]
    for row in rows:
        row["samples per second"] = row["samples"] / row["seconds"]
    publish(f"chaos_{own['mode']}", rows)
    share = rows[1]["samples per second"] / rows[0]["samples per second"]
    print(f"\nthroughput kept: {share:.1%}")
    if own["mode"] == "exact" and not own["minutes"]:
        weights = [load_file(RunFolder(path=folder / run).player("last")) for run in ("calm", "rough")]
        same = all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
        print(f"weights: {'the same bit for bit' if same else 'DIFFERENT'}")
        return 0 if same else 1
    return 1 if rough["games counted twice"] else 0


if __name__ == "__main__":
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    sys.exit(main(sys.argv[1:]))
