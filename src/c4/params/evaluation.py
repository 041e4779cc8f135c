"""The knobs of measurement: which positions, at which budgets, how often, and at what price."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from c4.params.knob import Params, knob

CELLS = ("begin-easy", "middle-easy", "end-easy", "begin-medium", "middle-medium", "begin-hard")  # as others report
SETS = ("dev", "cells", "forced", *CELLS)
OF_A_REPORT = (
    "simulations", "ply_band", "ablation_simulations", "mlh_slopes", "mlh_caps", "failures", "audit_games",
    "duel_simulations",
)  # fmt: skip
"""What a run that trains does not read."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class GradingParams(Params):
    """Grading while a run trains."""

    group: ClassVar[str] = "evaluation.grading"

    every: int = knob("Generations between two gradings; 0: only at the end.", low=0, high=1_000_000)
    time_share: float = knob(
        "Most of the run's wall time that gradings may take: one that is not paid for yet waits, at most until the "
        "run is twice as far. Higher: a denser curve, less training.",
        low=0.0, high=1.0, needs={"every": "not 0"},
    )  # fmt: skip
    positions: int = knob(
        "Positions graded by search each time, always the same ones. Higher: narrower intervals, more time. The bare "
        "network is graded on all of them.",
        low=1, high=1_000_000, needs={"every": "not 0"},
    )  # fmt: skip
    simulations: tuple[int, ...] = knob(
        "Budgets graded each time. truth/value_preserving is 0, the bare network; N gives truth/value_preserving_N.",
        low=0, high=1_000_000,
    )  # fmt: skip
    games: int = knob(
        "Games of self-play audited against the truth each time; 0: none. Needs the solver.",
        low=0, high=100_000, needs={"every": "not 0"},
    )  # fmt: skip
    at_end: bool = knob("Whether all of evaluation.sets are graded whole when the run ends.")
    also_at_end: tuple[int, ...] = knob(
        "Budgets graded then besides evaluation.grading.simulations.",
        low=0, high=1_000_000, needs={"at_end": True},
    )  # fmt: skip
    tree: int = knob(
        "Simulations of the search tree from the empty board that trackers are shown once, as a picture, when the run "
        "ends; 0: none.",
        low=0, high=100_000,
    )  # fmt: skip


@dataclasses.dataclass(frozen=True, kw_only=True)
class BaselineParams(Params):
    """The curriculum against random rollouts: a measure for any game, solved or not."""

    group: ClassVar[str] = "evaluation.baseline"

    every: int = knob("Generations between two matches; 0: none.", low=0, high=1_000_000)
    games: int = knob("Games of a match, half of them moving first.", low=2, high=10_000)
    simulations: int = knob("Simulations of the network's moves.", low=1, high=1_000_000)
    rollouts_first: int = knob("Rollouts of the baseline's moves at the start.", low=1, high=10_000_000)
    rollouts_step: int = knob("Rollouts added each time the baseline loses every game.", low=1, high=10_000_000)
    time_share: float = knob(
        "Most of the run's wall time that matches may take: one that is not paid for yet waits, at most until the run "
        "is twice as far.",
        low=0.0, high=1.0,
    )  # fmt: skip


@dataclasses.dataclass(frozen=True, kw_only=True)
class EvaluationParams(Params):
    group: ClassVar[str] = "evaluation"

    sets: tuple[str, ...] = knob(
        "Labelled sets of a full report: dev, and the six cells begin-easy to begin-hard, or cells for all six. Small "
        "boards have dev alone, large boards of Gomoku only forced, wins by fours and threes. What a game has not "
        "is left out."
    )
    simulations: tuple[int, ...] = knob(
        "Budgets of a full report (evaluate.py alone); 0 is the bare network. The largest decides on the book of "
        "failures.",
        low=0, high=1_000_000,
    )  # fmt: skip
    trees: int = knob("Positions searched at the same time. Higher: larger batches, more memory.", low=1, high=100_000)
    threads: int = knob("Threads that walk the trees of a group.", low=1, high=256)
    cache_megabytes: float = knob(
        "Memory for the evaluations that are kept while a set is searched, as selfplay.cache_megabytes.",
        low=0.0, high=1e6, unit="MiB",
    )  # fmt: skip
    ply_band: int = knob("Plies in one band of a figure by ply (evaluate.py alone).", low=1, high=1000, unit="plies")
    calibration_bins: int = knob("Bins of the calibration curve.", low=2, high=1000)
    ablation_simulations: int = knob(
        "Budget at which the moves-left utility is switched off and on (evaluate.py alone); 0: no ablation.",
        low=0, high=1_000_000,
    )  # fmt: skip
    mlh_slopes: tuple[float, ...] = knob(
        "Slopes of the table over slope and cap (evaluate.py mode=mlh).", low=0.0, high=1.0
    )
    mlh_caps: tuple[float, ...] = knob(
        "Caps of the table over slope and cap (evaluate.py mode=mlh).", low=0.0, high=2.0
    )
    worst: int = knob("Errors that a report shows on boards.", low=0, high=1000)
    failures: str | None = knob(
        "File for the book of failures: positions still wrong at the largest budget (evaluate.py alone); null: not "
        "written."
    )
    openings: str | None = knob(
        "Book of failures whose positions begin some games of self-play (selfplay.book_probability); null: none."
    )
    audit_games: int = knob(
        "Games that evaluate.py mode=audit has a player play against itself, as in its run; 0: only those that the "
        "run has kept.",
        low=0, high=1_000_000,
    )  # fmt: skip
    duel_simulations: int = knob(
        "Budget of the two games against perfect play from the empty board (evaluate.py alone); 0: not played.",
        low=0, high=1_000_000,
    )  # fmt: skip
    grading: GradingParams
    baseline: BaselineParams

    def __post_init__(self) -> None:
        super().__post_init__()
        if unknown := [name for name in self.sets if name not in SETS]:
            raise ValueError(f"evaluation.sets={unknown[0]} is not allowed: a list, each one of: {', '.join(SETS)}")
        if not self.simulations:
            raise ValueError("evaluation.simulations=[] is not allowed: at least one budget, such as [0,600]")
