"""The knobs of the tree search. The formulas stand in reference/mcts.py."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from c4.params.knob import Params, knob


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchParams(Params):
    group: ClassVar[str] = "search"

    cpuct: float = knob(
        "Weight of the prior against the value in selection. Higher: wider, trusts the network's policy for longer; "
        "lower: deeper, trusts the values found so far.",
        low=0.0, high=100.0,
    )  # fmt: skip
    fpu_reduction: float = knob(
        "How far below its parent an unvisited move is assumed to be, times the root of the prior already visited. "
        "Higher: fewer moves tried; 0: an unvisited move counts as good as its parent.",
        low=0.0, high=10.0,
    )  # fmt: skip
    mlh_slope: float = knob(
        "Utility of a ply sooner (when winning) or later (when losing), by the moves-left head. Higher: faster wins "
        "and slower losses, at some risk to the result; 0: the head is not used at all.",
        low=0.0, high=1.0, unit="value per ply",
    )  # fmt: skip
    mlh_cap: float = knob(
        "Most that the moves-left utility can add to or take from a move. Higher: length matters against the value.",
        low=0.0, high=2.0, unit="value",
    )  # fmt: skip
    noise_epsilon: float = knob(
        "Share of Dirichlet noise in the priors of the root. Higher: more exploration in self-play; 0: none, as in "
        "play.",
        low=0.0, high=1.0,
    )  # fmt: skip
    dirichlet_alpha: float = knob(
        "Concentration of the root noise. Lower: it falls on few moves; higher: it is spread evenly.",
        low=0.001, high=1000.0,
    )  # fmt: skip
    discount: float = knob(
        "Factor on a value for each ply it is backed up. Below 1, distant results count less; 1: the plain result.",
        low=0.01, high=1.0,
    )  # fmt: skip
    num_simulations: int = knob(
        "New simulations for each move (visits kept by reuse_tree come on top). Higher: stronger and slower.",
        low=1, high=10_000_000,
    )  # fmt: skip
    virtual_loss: float = knob(
        "Lost visits that a leaf in flight counts for on its path. Higher: leaves of one batch spread further apart. "
        "Without effect when leaves_per_batch is 1.",
        low=0.0, high=100.0, unit="visits",
    )  # fmt: skip
    leaves_per_batch: int = knob(
        "Leaves of one tree that wait for the network at once. Higher: better batches for few trees, slightly worse "
        "choice of leaves; self-play with many games wants 1.",
        low=1, high=255,
    )  # fmt: skip
    reuse_tree: bool = knob("Whether the subtree of the move played is kept for the next move.")
    proven_results: bool = knob(
        "Whether wins, draws and losses proven by finished games in the tree are kept as bounds: a proven move is "
        "played, and no simulation is spent on what is settled. Off: the plain search.",
    )  # fmt: skip
    forced_playouts: float = knob(
        "k in the least visits sqrt(k * P * N) of a root move that has been visited once, taken out of the policy "
        "target again unless earned. Higher: noise is explored more, targets stay clean. Only where there is root "
        "noise; 0: off.",
        low=0.0, high=100.0,
    )  # fmt: skip
    early_stop: bool = knob(
        "Whether a search ends once the second most visited root move cannot overtake the first any more.",
    )
    temperature_start: float = knob(
        "Temperature of the move choice at ply 0. Higher: more varied games; 0: the most visited move.",
        low=0.0, high=100.0,
    )  # fmt: skip
    temperature_end: float = knob(
        "Temperature from ply temperature_plies on; in between it falls linearly.", low=0.0, high=100.0
    )
    temperature_plies: int = knob("Ply at which temperature_end is reached; 0: from the start.", low=0, high=1000)
    policy_target_temperature: float = knob(
        "Temperature of the policy target, softmax(log N / T). Below 1: sharper than the visits; 0: the most visited.",
        low=0.0, high=100.0,
    )  # fmt: skip
