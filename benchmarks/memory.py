"""Resident memory of 4,096 games at 800 simulations a move, and whether it stays flat; MINUTES as the argument."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import knobs
import numpy as np
import results

from c4.native import _core

GAMES = 4096


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def main(minutes: float) -> None:
    before = resident_megabytes()
    generator = _core.Generator(
        "connect4", knobs.search(num_simulations=800), knobs.selfplay(games_per_group=GAMES), seed=1
    )
    rng = np.random.default_rng(1)
    planes = np.zeros((generator.rows, 3, 6, 7), np.uint8)
    # Varied answers, so that trees are as uneven as a network makes them.
    logits = rng.normal(0, 1.5, (generator.rows, 7)).astype(np.float32)
    value = rng.uniform(-1, 1, generator.rows).astype(np.float32)
    plies = np.full(generator.rows, 10, np.float32)
    rows, start = [], time.perf_counter()
    while (elapsed := time.perf_counter() - start) < minutes * 60:
        for _ in range(200):
            count = generator.gather(planes)
            generator.apply(logits[:count], value[:count], plies[:count])
        generator.take_samples()
        generator.take_games()
        if elapsed >= len(rows) * minutes * 60 / 12:
            stats = generator.stats()
            used = resident_megabytes() - before
            rows.append({"minute": elapsed / 60, "games": stats["games"], "MB": round(used)})
    results.publish("memory", rows)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
