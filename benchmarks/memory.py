"""Resident memory of many games in flight, and whether it stays flat: memory.py [MINUTES [GAME]].

connect4: 4,096 games at 800 simulations a move. gomoku15: 256 games at 400.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import knobs
import numpy as np
import results

from c4.native import _core

GAMES = {"connect4": (4096, 800), "gomoku15": (256, 400)}  # in flight, simulations a move


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def main(minutes: float, game: str) -> None:
    (games, simulations), info = GAMES[game], _core.game_spec(game)
    before = resident_megabytes()
    generator = _core.Generator(
        game, knobs.search(num_simulations=simulations), knobs.selfplay(games_per_group=games), seed=1
    )
    rng = np.random.default_rng(1)
    planes = np.zeros((generator.rows, info.planes, info.height, info.width), np.uint8)
    # Varied answers, so that trees are as uneven as a network makes them.
    logits = rng.normal(0, 1.5, (generator.rows, info.actions)).astype(np.float32)
    value = rng.uniform(-1, 1, generator.rows).astype(np.float32)
    plies = np.full(generator.rows, 10, np.float32)
    rows, start = list[dict[str, Any]](), time.perf_counter()
    while (elapsed := time.perf_counter() - start) < minutes * 60:
        for _ in range(200):
            count = generator.gather(planes)
            generator.apply(logits[:count], value[:count], plies[:count])
        generator.take_samples()
        generator.take_games()
        if elapsed >= len(rows) * minutes * 60 / 12:
            stats = generator.stats()
            used = resident_megabytes() - before
            rows.append({"game": game, "minute": elapsed / 60, "games": stats["games"], "MB": round(used)})
    results.publish("memory", rows)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0, sys.argv[2] if len(sys.argv) > 2 else "connect4")
