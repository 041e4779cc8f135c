"""The knobs of the tree search. The formulas stand in reference/mcts.py and reference/gumbel.py."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar

from c4.params.knob import Params, knob


class RootSelection(StrEnum):
    """A text too, so that the native module takes it as it is."""

    PUCT = "puct"
    GUMBEL = "gumbel"


OFF_IN_PLAY: dict[str, Any] = {"noise_epsilon": 0.0, "gumbel_scale": 0.0, "forced_visits": 0.0, "early_stop": False}
"""What serves self-play only: a player that is graded or plays has no noise, no forced visits, and its whole budget."""

OF_PLAY = ("temperature_start", "temperature_end", "temperature_plies", "num_simulations", "leaves_per_batch")
"""How moves are chosen and leaves are gathered: who plays says so, also where all else is as a player was trained."""


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
    policy_temperature: float = knob(
        "What the network's policy logits are divided by before the softmax over the legal moves, below the root. "
        "Higher: flatter priors, more moves are tried; below 1: sharper ones.",
        low=0.01, high=100.0,
    )  # fmt: skip
    root_policy_temperature: float | None = knob(
        "The same at the root, also where the subtree of an earlier move has become the root; null: as "
        "policy_temperature. Higher: more of the root's moves are tried. With gumbel, the moves that are considered "
        "and the policy target follow.",
        low=0.01, high=100.0,
    )  # fmt: skip
    mlh_slope: float = knob(
        "Utility of a ply sooner (when winning) or later (when losing), by the moves-left head. Higher: faster wins "
        "and slower losses, at some risk to the result; 0: the head is not used at all.",
        low=0.0, high=1.0, unit="value per ply",
    )  # fmt: skip
    mlh_cap: float = knob(
        "Most that the moves-left utility can add to or take from a move. Higher: length matters against the value.",
        low=0.0, high=2.0, unit="value",
        needs={"mlh_slope": "not 0.0"},
    )  # fmt: skip
    noise_epsilon: float = knob(
        "Share of Dirichlet noise in the priors of the root. Higher: more exploration in self-play; 0: none, as in "
        "play.",
        low=0.0, high=1.0,
        needs={"root_selection": "puct"}, instead="gumbel_scale",
    )  # fmt: skip
    dirichlet_alpha: float = knob(
        "Concentration of the root noise. Lower: it falls on few moves; higher: it is spread evenly.",
        low=0.001, high=1000.0,
        needs={"root_selection": "puct", "noise_epsilon": "not 0.0"}, instead="gumbel_scale",
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
        "Lost visits that a leaf in flight counts for on its path. Higher: leaves of one batch spread further apart.",
        low=0.0, high=100.0, unit="visits",
        needs={"leaves_per_batch": "not 1"},
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
    proof_nodes: int = knob(
        "Nodes of a small exact search from each new leaf, by the rules alone, before the network is asked: what it "
        "proves is backed up like a finished game. Gomoku is searched for wins by fours and losses to them alone; from "
        "5 plies on perfect play may be quicker than what is proven. Higher: more results are exact, at more time for "
        "each leaf; 0: off.",
        low=0, high=100_000, unit="nodes",
        needs={"proven_results": True},
    )  # fmt: skip
    forced_visits: float = knob(
        "k in the least visits sqrt(k * P * N) of a root move that has been visited once, taken out of the policy "
        "target again unless earned. Higher: noise is explored more, targets stay clean. Only where there is root "
        "noise; 0: off.",
        low=0.0, high=100.0,
        needs={"root_selection": "puct", "noise_epsilon": "not 0.0"},
    )  # fmt: skip
    early_stop: bool = knob(
        "Whether a search ends once the second most visited root move cannot overtake the first any more. Not used "
        "with root_selection=gumbel.",
        needs={"root_selection": "puct"},
    )  # fmt: skip
    root_selection: RootSelection = knob(
        "How simulations are shared among the root's moves. puct: as below the root, with noise. gumbel: evenly among "
        "the likeliest moves, half of which drop out phase by phase, and targets from values in place of visits: for "
        "few simulations. gumbel leaves noise_epsilon, forced_visits and early_stop without use.",
    )  # fmt: skip
    gumbel_considered: int = knob(
        "Root moves that a search by gumbel begins with. Higher: wider; lower: each is looked at more closely.",
        low=1, high=1000,
        needs={"root_selection": "gumbel"},
    )  # fmt: skip
    gumbel_scale: float = knob(
        "Factor on the Gumbel noise in gumbel's ranking of the root's moves, drawn for each full search of self-play. "
        "1: moves are considered and played as the improved policy has them; 0: no noise, always the best by prior "
        "and value.",
        low=0.0, high=100.0,
        needs={"root_selection": "gumbel"}, instead="noise_epsilon",
    )  # fmt: skip
    gumbel_cvisit: float = knob(
        "Visits that gumbel adds to those of the most visited move in sigma(q) = (cvisit + visits) * cscale * q. "
        "Higher: values count more against the prior from the first visit on.",
        low=0.0, high=1e6, unit="visits",
        needs={"root_selection": "gumbel"},
    )  # fmt: skip
    gumbel_cscale: float = knob(
        "Weight of a value against a logit in gumbel's ranking and policy target, per visit. Higher: sharper targets "
        "that trust the search; lower: targets close to the prior.",
        low=0.0, high=100.0, unit="logits per value and visit",
        needs={"root_selection": "gumbel"},
    )  # fmt: skip
    temperature_start: float = knob(
        "Temperature of the move choice at ply 0. Higher: more varied games; 0: the most visited move, with gumbel "
        "the one with the best logit + sigma(q).",
        low=0.0, high=100.0,
        needs={"temperature_plies": "not 0"}, instead="temperature_end",
    )  # fmt: skip
    temperature_end: float = knob(
        "Temperature from ply temperature_plies on; in between it falls linearly.", low=0.0, high=100.0
    )
    temperature_plies: int = knob("Ply at which temperature_end is reached; 0: from the start.", low=0, high=1000)
    policy_target_temperature: float | None = knob(
        "Temperature of the policy target, softmax(log N / T), with gumbel softmax((logit + sigma(q)) / T). Below 1: "
        "sharper; 0: the best alone; null: the temperature of that move, as in the project's first documents. A "
        "constant ships, because a schedule that ends cold makes late targets name one move and forget what the "
        "search found of the others.",
        low=0.0, high=100.0,
    )  # fmt: skip


IDLE_IN_PLAY = dict.fromkeys(
    ("gumbel_scale", "forced_visits", "early_stop", "policy_target_temperature"), "it serves self-play only"
)
"""Noise is not among them, nor how moves are drawn: who plays at a board may want both."""

IDLE_WHERE_GRADED = {
    **IDLE_IN_PLAY,
    **dict.fromkeys(("noise_epsilon", "dirichlet_alpha"), "players are graded, and meet, without noise"),
    **dict.fromkeys(
        ("temperature_start", "temperature_end", "temperature_plies"), "the best move is taken where players are graded"
    ),
}


def vain_in_play(group: str, *, budget: str, as_trained: bool = False) -> dict[str, str]:
    """Why a key of this group has no effect at a board; `budget` says how much a move is thought about there."""
    return _vain(group, IDLE_IN_PLAY, budget=budget, as_trained=as_trained)


def vain_where_graded(group: str, *, budget: str, as_trained: bool = False) -> dict[str, str]:
    """The same where players are graded, and where they meet."""
    return _vain(group, IDLE_WHERE_GRADED, budget=budget, as_trained=as_trained)


def _vain(group: str, idle: Mapping[str, str], *, budget: str, as_trained: bool) -> dict[str, str]:
    said: dict[str, str] = {}
    if as_trained:
        names = {field.name for field in dataclasses.fields(SearchParams)} - {*OF_PLAY}
        said = dict.fromkeys(sorted(names), "each player searches as it was trained to")
    said |= {**idle, "num_simulations": f"{budget} says how much is searched"}
    return {f"{group}.{name}": why for name, why in said.items()}
