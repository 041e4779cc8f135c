"""What share of the bare engine's evaluations self-play brings to the network, with the knobs of conf/.

First self-play runs for some seconds, then the same engine alone is given batches of the same sizes, as many in
flight. Random weights: early games, whose positions are often in the cache, are the hard case for the trees.

python benchmarks/selfplay.py                                        the default recipe with the engine that it takes
python benchmarks/selfplay.py network=small inference=torch inference=openvino
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import results
import torch
from hydra import compose, initialize_config_module
from hydra.errors import HydraException

from c4.games import game_spec
from c4.network.inference.auto import choose
from c4.network.inference.engine import EngineUnavailableError, Handle, InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.network import make_network
from c4.params.errors import ConfigError
from c4.params.inference import InferenceParams
from c4.params.network import NetworkParams
from c4.params.search import SearchParams
from c4.params.source import SourceParams
from c4.params.walk import build
from c4.selfplay.local import LocalSource
from c4.selfplay.source import Glance

SECONDS = 8.0


class Counting:
    """An engine that remembers the sizes of its batches."""

    def __init__(self, engine: InferenceEngine) -> None:
        self._engine, self.sizes = engine, list[int]()

    def load(self, state: Mapping[str, Any]) -> None:
        self._engine.load(state)

    def submit(self, planes: np.ndarray) -> Handle:
        self.sizes.append(len(planes))
        return self._engine.submit(planes)


def bare_rate(engine: InferenceEngine, planes: np.ndarray, sizes: list[int], *, in_flight: int) -> float:
    start, done, handles = time.perf_counter(), 0, []
    for size in sizes:
        handles.append(engine.submit(planes[:size]))
        done += size
        if len(handles) == in_flight:
            handles.pop(0).result()
        if time.perf_counter() - start > SECONDS:
            break
    for handle in handles:
        handle.result()
    return done / (time.perf_counter() - start)


def measure(overrides: list[str]) -> dict[str, Any]:
    with initialize_config_module("c4.conf", version_base="1.3"):
        config = compose("train", overrides=overrides)
    spec = game_spec(config.game.name)
    shape = build(NetworkParams, config.network)
    torch.manual_seed(1)
    network = make_network(spec, shape)
    selfplay = build(SourceParams, config.selfplay)
    wanted = build(InferenceParams, config.inference)
    rows = selfplay.games_per_group * config.search.leaves_per_batch
    taken = choose(wanted, spec=spec, network=network, rows=rows, in_flight=selfplay.groups).params
    engine = make_engine(taken, spec=spec, network=network)
    counting = Counting(engine)
    source = LocalSource(
        game=spec,
        search=build(SearchParams, config.search),
        selfplay=selfplay,
        engine=cast("InferenceEngine", counting),
        seed=1,
    )
    source.publish(network.state_dict())

    def play(seconds: float) -> Glance:
        seen: list[Glance] = []

        def watch(glance: Glance) -> bool:
            seen.append(glance)
            return glance.seconds > seconds

        source.collect(wanted=10**9, version=0, watch=watch)
        return seen[-1]

    play(SECONDS / 2)  # until the games are at different plies
    counting.sizes.clear()
    last = play(SECONDS)
    evaluations = last.counters["evaluations"] / last.seconds
    of_planes = (max(counting.sizes), spec.planes, spec.height, spec.width)
    planes = (np.random.default_rng(1).random(of_planes) < 0.3).astype(np.uint8)
    bare = bare_rate(engine, planes, counting.sizes * 2, in_flight=selfplay.groups)
    engine.close()
    return {
        "engine": f"{taken.engine.value} in {taken.precision.value}",
        "network": f"{shape.width} x {shape.depth}",
        "mean batch": round(float(np.mean(counting.sizes))),
        "simulations/s": round(last.counters["simulations"] / last.seconds),
        "self-play evaluations/s": round(evaluations),
        "bare engine's": round(bare),
        "ratio": evaluations / bare,
    }


def main() -> int:
    torch.set_num_threads(1)
    typed = sys.argv[1:]
    engines = [[word] for word in typed if word.startswith("inference=")] or [[]]
    others = [word for word in typed if not word.startswith("inference=")]
    try:
        results.publish("selfplay", [measure([*engine, *others]) for engine in engines])
    except (EngineUnavailableError, ConfigError, HydraException) as error:
        sys.stderr.write(f"error: {' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
