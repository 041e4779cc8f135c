"""The knobs that benchmarks share. They are not conf/: a figure must not change when a default is tuned."""

from __future__ import annotations

from typing import Any

from c4.native import _core

SEARCH: dict[str, Any] = {
    "cpuct": 4.0,
    "fpu_reduction": 0.4,
    "mlh_slope": 0.0,
    "mlh_cap": 0.2,
    "noise_epsilon": 0.25,
    "dirichlet_alpha": 1.0,
    "discount": 1.0,
    "num_simulations": 600,
    "virtual_loss": 1.0,
    "leaves_per_batch": 1,
    "reuse_tree": True,
    "proven_results": False,
    "forced_playouts": 0.0,
    "early_stop": False,
    "root_selection": "puct",
    "gumbel_considered": 16,
    "gumbel_scale": 1.0,
    "gumbel_cvisit": 50.0,
    "gumbel_cscale": 0.1,
    "temperature_start": 1.0,
    "temperature_end": 0.0,
    "temperature_plies": 10,
    "policy_target_temperature": 1.0,
}

SELFPLAY: dict[str, Any] = {
    "games_per_group": 256,
    "groups": 1,
    "num_threads": 1,
    "cache_entries": 0,
    "full_search_probability": 1.0,
    "fast_simulations": 32,
    "random_opening_probability": 0.0,
    "random_opening_plies": 0,
    "book_probability": 0.0,
    "value_trace": None,
    "trace_tolerance": 0.05,
    "record_fast": 0.0,
}


def search(**changes: Any) -> _core.SearchParams:
    return _core.SearchParams(**(SEARCH | changes))


def selfplay(**changes: Any) -> _core.SelfplayParams:
    return _core.SelfplayParams(**(SELFPLAY | changes))
