"""Evaluations per second by network, engine and batch, with three batches in flight as in self-play.

python benchmarks/inference.py                       small, medium and large on Connect Four
python benchmarks/inference.py network=medium game=gomoku9 inference.precision=f32
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np
import results
import torch
from hydra import compose, initialize_config_module
from torch import nn

from c4.games import GameSpec, game_spec
from c4.network.inference.auto import available
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.network import make_network
from c4.params.inference import EngineName, InferenceParams
from c4.params.network import NetworkParams
from c4.params.walk import build

NETWORKS = ("small", "medium", "large")
BATCHES = (1, 16, 64, 256, 1024)
IN_FLIGHT = 3
SECONDS, REPEATS = 0.5, 3


def rate(engine: InferenceEngine, planes: np.ndarray) -> float:
    start, done = time.perf_counter(), 0
    handles = [engine.submit(planes) for _ in range(IN_FLIGHT)]
    while handles:
        handles.pop(0).result()
        done += len(planes)
        if time.perf_counter() - start < SECONDS:
            handles.append(engine.submit(planes))
    return done / (time.perf_counter() - start)


def measure(option: str, overrides: list[str], *, spec: GameSpec, network: nn.Module) -> dict[str, object]:
    with initialize_config_module("c4.conf", version_base="1.3"):
        config = compose("train", overrides=[f"inference={option}", *overrides])
    engine = make_engine(build(InferenceParams, config.inference), spec=spec, network=network)
    state, stream = network.state_dict(), np.random.default_rng(1)
    engine.load(state)
    row: dict[str, object] = {}
    for rows in BATCHES:
        shape = (rows, spec.planes, spec.height, spec.width)
        planes = (stream.random(shape) < 0.3).astype(np.uint8)
        engine.evaluate(planes)
        row[f"batch {rows}"] = round(statistics.median(rate(engine, planes) for _ in range(REPEATS)))
    start = time.perf_counter()
    engine.load(state)
    engine.evaluate(planes[:64])
    row["new weights, ms"] = 1000.0 * (time.perf_counter() - start)
    engine.close()
    return row


def options() -> list[str]:
    """Of the group inference: all that this machine can run."""
    names = [*available(), EngineName.TORCH_COMPILE]
    return [name.value for name in names] + (["openvino_int8"] if EngineName.OPENVINO in names else [])


def main() -> None:
    torch.set_num_threads(1)
    typed = sys.argv[1:]
    names = [word.partition("=")[2] for word in typed if word.startswith("network=")] or list(NETWORKS)
    others = [word for word in typed if not word.startswith("network=")]
    rows = []
    for name in names:
        with initialize_config_module("c4.conf", version_base="1.3"):
            config = compose("train", overrides=[*others, f"network={name}"])
        shape, spec = build(NetworkParams, config.network), game_spec(config.game.name)
        network = make_network(spec, shape)
        for option in options():
            what = {"network": f"{shape.width} x {shape.depth}", "engine": option}
            rows.append(
                what
                | measure(option, [word for word in others if "inference=" not in word], spec=spec, network=network)
            )
    results.publish("inference", rows)


if __name__ == "__main__":
    main()
