"""How fast trees are walked when the network costs nothing: constant numpy arrays, through the Python boundary.

256 games, 600 simulations a move, one core, no cache; then the same with one feature more in each line. The ratio is
to the first line of the same run.
"""

from __future__ import annotations

import time
from typing import Any

import knobs
import numpy as np
import results

from c4.native import _core

SECONDS = 4.0
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "mlh_slope=0.03": {"mlh_slope": 0.03},
    "proven_results": {"proven_results": True},
    "proven_results, mlh_slope=0.03": {"proven_results": True, "mlh_slope": 0.03},
    "forced_visits=2": {"forced_visits": 2.0},
    "num_simulations=100": {"num_simulations": 100},
}


def simulations_per_second(game: str, **changes: Any) -> float:
    info = _core.game_spec(game)
    generator = _core.Generator(game, knobs.search(**changes), knobs.selfplay(), seed=1)
    planes = np.zeros((generator.rows, info.planes, info.height, info.width), np.uint8)
    logits = np.zeros((generator.rows, info.actions), np.float32)
    value = np.zeros(generator.rows, np.float32)
    plies = np.full(generator.rows, 10, np.float32)

    def play_for(seconds: float) -> float:
        before, start = generator.stats()["simulations"], time.perf_counter()
        while time.perf_counter() - start < seconds:
            for _ in range(100):
                rows = generator.gather(planes)
                generator.apply(logits[:rows], value[:rows], plies[:rows])
        return (generator.stats()["simulations"] - before) / (time.perf_counter() - start)

    play_for(SECONDS / 4)  # until the games are at different plies
    return play_for(SECONDS)


def main() -> None:
    rows = list[dict[str, Any]]()
    for name, changes in VARIANTS.items():
        rate = simulations_per_second("connect4", **changes)
        rows.append({"variant": name, "simulations/s": round(rate)})
    rows += [
        {"variant": f"{game}, plain", "simulations/s": round(simulations_per_second(game))}
        for game in ("gomoku9", "gomoku15")
    ]
    for row in rows:
        row["ratio"] = row["simulations/s"] / rows[0]["simulations/s"]
    results.publish("null_evaluator", rows)


if __name__ == "__main__":
    main()
