"""The knobs of a search over knobs (hydra/sweeper=optuna). Its objectives and its space are mappings beside them."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob

OF_PRUNING = ("pruner", "watched", "pruner_startup_trials", "pruner_warmup")
"""Knobs that a search with several objectives does not use."""


class Sampler(Enum):
    """tpe: looks where good trials were, away from bad ones. random: evenly, for comparison."""

    TPE = "tpe"
    RANDOM = "random"


class Pruner(Enum):
    """median: ends a trial that is worse than half of those before at the same generation. hyperband: many short
    trials compete for few long ones. none: every trial runs to its end."""

    MEDIAN = "median"
    HYPERBAND = "hyperband"
    NONE = "none"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SweeperParams(Params):
    group: ClassVar[str] = "hydra.sweeper"

    study: str = knob("Name of the search and of its folder: the same name again continues it, or joins it.")
    trials: int = knob("Trials in all, over every session and every worker.", low=1, high=1_000_000)
    at_once: int = knob(
        "Trials given to the launcher together; above 1 with a launcher that runs several. Higher: faster, but each is "
        "chosen knowing less. More workers on one study need no knob: start the same command again.",
        low=1, high=1000,
    )  # fmt: skip
    seed: int = knob("Decides which trials are tried, given how those before them ended.", low=0, high=(1 << 31) - 1)
    sampler: Sampler = knob("tpe or random.")
    startup_trials: int = knob(
        "Trials drawn at random before tpe has something to go by.", low=1, high=1_000_000, needs={"sampler": "tpe"}
    )
    as_configured: bool = knob("Whether the first trial is the configuration as it stands, to compare with.")
    pruner: Pruner = knob("median, hyperband or none. Without effect when there are several objectives.")
    watched: str | None = knob(
        "Metric of each generation by which trials are ended; null: the objective itself.",
        needs={"pruner": "not none"},
    )
    pruner_startup_trials: int = knob(
        "Trials to finish before median may end one early.", low=0, high=1_000_000, needs={"pruner": "median"}
    )
    pruner_warmup: int = knob(
        "Generations that every trial gets. Higher: fewer good trials ended for a slow start.",
        low=0, high=1_000_000, unit="generations", needs={"pruner": "not none"},
    )  # fmt: skip
    failures_in_a_row: int = knob(
        "Trials of one worker that may fail one after the other before it stops: it is not the values that are wrong.",
        low=1, high=1_000_000,
    )  # fmt: skip
    attempts: int = knob("Attempts at a trial whose process is killed, before it counts as failed.", low=1, high=1000)
