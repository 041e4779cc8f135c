"""The knobs that benchmarks share. They are not conf/: a figure must not change when a default is tuned."""

from __future__ import annotations

from typing import Any

from c4.native.knobs import plain_search, plain_selfplay
from c4.params.search import SearchParams
from c4.params.selfplay import SelfplayParams

SEARCH = {
    "cpuct": 4.0,
    "fpu_reduction": 0.4,
    "mlh_cap": 0.2,
    "noise_epsilon": 0.25,
    "num_simulations": 600,
    "reuse_tree": True,
    "temperature_start": 1.0,
    "temperature_plies": 10,
}
SELFPLAY = {"games_per_group": 256, "fast_simulations": 32, "trace_tolerance": 0.05}


def search(**changes: Any) -> SearchParams:
    return plain_search(**(SEARCH | changes))


def selfplay(**changes: Any) -> SelfplayParams:
    return plain_selfplay(**(SELFPLAY | changes))
