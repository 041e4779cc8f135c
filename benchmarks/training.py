"""Samples per second of the optimizer's steps, by network, number format, and whether workers share a step or threads.

python benchmarks/training.py                        small and medium at batches of 1024
python benchmarks/training.py network=large data.batch_size=512
"""

from __future__ import annotations

import logging
import statistics
import sys
import time

import results
import torch
from hydra import compose, initialize_config_module
from pytorch_lightning import Trainer
from torch import Tensor

from c4.games import GameSpec, game_spec
from c4.lightning_module import C4Module
from c4.machine import cores
from c4.params.model import ModelParams
from c4.params.network import NetworkParams
from c4.params.walk import build

NETWORKS = ("small", "medium")
STEPS, REPEATS = 4, 3


def batch_of(spec: GameSpec, rows: int) -> dict[str, Tensor]:
    stream = torch.Generator().manual_seed(1)
    result = torch.randint(-1, 2, (rows,), generator=stream).float()
    return {
        "planes": (torch.rand((rows, spec.planes, spec.height, spec.width), generator=stream) < 0.3).to(torch.uint8),
        "policy": torch.softmax(torch.randn((rows, spec.actions), generator=stream), dim=1),
        "result": result,
        "drawn": (result == 0).float(),
        "result_share": torch.ones(rows),
        "bootstrap": torch.zeros(rows),
        "root_value": result / 2,
        "plies_left": torch.randint(0, spec.max_plies, (rows,), generator=stream),
        "weight": torch.ones(rows),
        "policy_weight": torch.ones(rows),
    }


def samples_per_second(module: C4Module, batch: dict[str, Tensor], *, mixed: bool) -> float:
    optimizer = module.configure_optimizers()
    module.on_fit_start()

    def steps(count: int) -> float:
        start = time.perf_counter()
        for step in range(count):
            with torch.autocast("cpu", torch.bfloat16, enabled=mixed):
                loss = module.training_step(batch, step)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            module.configure_gradient_clipping(optimizer)
            optimizer.step()
        return count * len(batch["weight"]) / (time.perf_counter() - start)

    steps(STEPS // 2)
    rate = statistics.median(steps(STEPS) for _ in range(REPEATS))
    module.on_fit_end()
    return rate


def main() -> None:
    typed = sys.argv[1:]
    names = [word.partition("=")[2] for word in typed if word.startswith("network=")] or list(NETWORKS)
    others = [word for word in typed if not word.startswith("network=")]
    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)  # it praises other programs
    rows = []
    for name in names:
        with initialize_config_module("c4.conf", version_base="1.3"):
            config = compose("train", overrides=[*others, f"network={name}"])
        spec = game_spec(config.game.name)
        network, model = build(NetworkParams, config.network), build(ModelParams, config.model)
        batch = batch_of(spec, config.data.batch_size)
        row: dict[str, object] = {"network": f"{network.width} x {network.depth}", "batch": config.data.batch_size}
        for workers, threads in ((1, 1), (cores(), 1), (1, cores())):
            torch.set_num_threads(threads)
            for mixed, label in ((False, "f32"), (True, "bf16")):
                module = C4Module(spec=spec, network=network, model=model, workers=workers)
                module.trainer = Trainer(accelerator="cpu", devices=1, logger=False, enable_checkpointing=False)
                rate = samples_per_second(module, batch, mixed=mixed)
                row[f"{label}, {workers} x {threads}"] = round(rate)
        rows.append(row)
    results.publish("training", rows)


if __name__ == "__main__":
    main()
