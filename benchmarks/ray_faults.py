"""What a flowing run sees of each fault of its cluster, what it loses, and how long it takes, with Ray's own settings.

sudo python benchmarks/ray_faults.py            a node in a network of its own, whose cable is pulled and put back
python benchmarks/ray_faults.py cut=stopped     where one may not make networks: its processes stopped, and let go on
python benchmarks/ray_faults.py cut=stopped only=head

Two nodes of one processor, one actor on each. The head goes last, under a run of train.py.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import ray
import torch
from ray_nodes import Nodes
from results import publish

from c4 import load_config
from c4.games import game_spec
from c4.network.network import make_network
from c4.params.train import TrainConfig
from c4.playing import source_of
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.selfplay.engine import selfplay_engine
from c4.selfplay.source import Glance

ROOT = Path(__file__).parents[1]
HERE, THERE, SPACE, CABLE = "10.77.0.1", "10.77.0.2", "c4far", ("c4near0", "c4far0")
SHORT, LONG, PATIENCE = 5.0, 100.0, 180.0  # seconds
RECIPE = ("experiment=tiny", "inference=torch", "inference.streams=1", "selfplay=ray", "selfplay.chunk_games=48")


class Network:
    """Between the head's machine and the other."""

    def __init__(self) -> None:
        near, far = CABLE
        self.close()
        _ip(f"netns add {SPACE}", f"link add {near} type veth peer name {far}", f"link set {far} netns {SPACE}")
        _ip(f"addr add {HERE}/24 dev {near}", f"link set {near} up")
        _ip(f"-n {SPACE} addr add {THERE}/24 dev {far}", f"-n {SPACE} link set {far} up", f"-n {SPACE} link set lo up")

    def cut(self) -> None:
        _ip(f"link set {CABLE[0]} down")

    def restore(self) -> None:
        _ip(f"link set {CABLE[0]} up")

    def close(self) -> None:
        for words in (f"link del {CABLE[0]}", f"netns del {SPACE}"):
            subprocess.run(["ip", *words.split()], check=False, stderr=subprocess.DEVNULL)


def _ip(*lines: str) -> None:
    for line in lines:
        subprocess.run(["ip", *line.split()], check=True)


class Learner(logging.Handler):
    """Takes what is played, all the time, and hears what is said."""

    def __init__(self, config: TrainConfig) -> None:
        super().__init__()
        torch.manual_seed(0)
        self._network = make_network(game_spec(config.game.name), config.network)
        self._engine = selfplay_engine(config, config.inference, network=self._network)
        self.source: Any = source_of(config, engine=self._engine)
        self.said: list[tuple[float, str]] = []
        self.came: list[tuple[float, int]] = []
        self.failed: Exception | None = None
        self._over = False
        self.source.publish(self._network.state_dict())
        self._take(0)  # Ray begins in the main thread
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append((time.monotonic(), record.getMessage()))

    def _take(self, version: int) -> None:
        harvest = self.source.collect(wanted=200, version=version, watch=self._watch)
        self.came.append((time.monotonic(), len(harvest.samples)))

    def _watch(self, _: Glance) -> bool:
        return self._over

    def _run(self) -> None:
        version = 0
        try:
            while not self._over:
                version += 1
                self.source.publish(self._network.state_dict())
                self._take(version)
        except Exception as error:  # noqa: BLE001  shown
            self.failed = error

    def heard(self, words: str, *, since: float) -> float | None:
        """After how long it was said."""
        return next((at - since for at, text in list(self.said) if at > since and words in text), None)

    def longest_gap(self, *, since: float) -> float:
        times = [since, *(at for at, _ in list(self.came) if at > since), time.monotonic()]
        return max(later - earlier for earlier, later in pairwise(times))

    def end(self) -> None:
        self._over = True
        self._thread.join()
        self.source.close()
        self._engine.close()


def until(what: Callable[[], Any], *, seconds: float = PATIENCE) -> bool:
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if what():
            return True
        time.sleep(0.1)
    return False


def told(learner: Learner, fault: str, do: Callable[[], None], *, over: Callable[[float], Any]) -> dict[str, Any]:
    """Does it, waits until it is over, and says what was seen."""
    until(lambda: len(learner.source._actors.alive) == 2)
    lost, began = learner.source._actors.lost, time.monotonic()
    do()
    ended = until(lambda: learner.failed or over(began))
    time.sleep(3.0)
    row = {
        "fault": fault,
        "noticed after s": learner.heard("is gone", since=began),
        "replaced after s": learner.heard("plays on", since=began),
        "longest time without samples s": learner.longest_gap(since=began),
        "actors lost": learner.source._actors.lost - lost,
        "ended as expected": bool(ended) and learner.failed is None,
    }
    print(row, file=sys.stderr, flush=True)
    return row


def faults(nodes: Nodes, network: Network | None) -> list[dict[str, Any]]:
    def far() -> Any:
        if network is None:
            return nodes.begin(cpus=1)
        return nodes.begin(cpus=1, ip=THERE, before=("ip", "netns", "exec", SPACE))

    def cut(node: Any, seconds: float) -> None:
        if network is None:
            nodes.signal(node, signal.SIGSTOP)
        else:
            network.cut()
        time.sleep(seconds)
        if network is None:
            nodes.signal(node, signal.SIGCONT)
        else:
            network.restore()

    logging.getLogger("c4").setLevel(logging.INFO)
    node = far()
    until(lambda: ray.cluster_resources().get("CPU", 0) == 2)
    learner = Learner(load_config(*RECIPE, f"selfplay.address={nodes.address}"))
    logging.getLogger("c4").addHandler(learner)
    replaced = lambda began: learner.heard("plays on", since=began)  # noqa: E731
    rows = []
    try:
        rows.append(
            told(learner, "an actor is killed", lambda: os.kill(nodes.actors()[0], signal.SIGKILL), over=replaced)
        )
        nodes_before = [node]

        def replace() -> None:
            nodes.kill(nodes_before.pop())
            nodes_before.append(far())

        rows.append(told(learner, "a node is killed, another joins", replace, over=replaced))
        node = nodes_before[0]
        rows.append(told(learner, f"no network for {SHORT:g} s", lambda: cut(node, SHORT), over=lambda _: True))

        def long_cut() -> None:
            cut(node, LONG)
            until(lambda: node.poll() is not None, seconds=30.0)
            nodes_before[0] = far()

        rows.append(told(learner, f"no network for {LONG:g} s, then begun again", long_cut, over=replaced))
        rows[-1]["node ended by itself"] = node.poll() is not None
    finally:
        learner.end()
    return rows


def without_head(nodes: Nodes) -> dict[str, Any]:
    """train.py when the head of its cluster goes, and how it goes on at another."""
    folder = RunFolder(path=Path(tempfile.mkdtemp(prefix="c4head")))
    words = [
        *RECIPE,
        f"selfplay.address={nodes.address}",
        "evaluation.grading.every=0",
        "callbacks.progress.live=false",
    ]

    def begin(*words: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(ROOT / "train.py"), *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)

    def generation() -> int:
        return max(read_metrics(folder), default=0) if folder.metrics.exists() else 0

    run = begin(*words, "budget.generations=500", f"hydra.run.dir={folder.path}")
    until(lambda: generation() >= 2, seconds=600.0)
    began = time.monotonic()
    nodes.kill(nodes.head)
    said, _ = run.communicate()
    took, reached, code = time.monotonic() - began, generation(), run.returncode
    print("\n".join(line for line in said.splitlines() if "state-dump" not in line)[-3000:], file=sys.stderr)
    other = Nodes(cpus=1, system={})
    try:
        began, run = time.monotonic(), begin(f"resume={folder.path}", f"selfplay.address={other.address}")
        until(lambda: generation() > reached)
        resumed = time.monotonic() - began
        run.terminate()
        run.communicate()
    finally:
        other.close()
    return {
        "fault": "the head is gone, the run goes on at another", "noticed after s": took, "replaced after s": resumed,
        "exit code": code, "generations": reached,
    }  # fmt: skip


def main(words: Sequence[str]) -> None:
    network = None if "cut=stopped" in words else Network()
    nodes = Nodes(cpus=1, system={}, head=HERE if network else "127.0.0.2")
    try:
        rows = []
        if "only=head" not in words:
            ray.init(address=nodes.address, logging_level=logging.ERROR, log_to_driver=False)
            rows = faults(nodes, network)
            ray.shutdown()
        rows.append(without_head(nodes))
        publish("ray_faults", rows)
    finally:
        ray.shutdown()
        nodes.close()
        if network:
            network.close()


if __name__ == "__main__":
    main(sys.argv[1:])
