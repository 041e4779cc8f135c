"""The knobs of the self-play generator: how many games at once, and which of their moves make samples."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from c4.params.knob import Params, knob


@dataclasses.dataclass(frozen=True, kw_only=True)
class SelfplayParams(Params):
    group: ClassVar[str] = "selfplay"

    games_per_group: int = knob(
        "Games whose leaves share one batch. Higher: larger batches, more memory, games that span more weights.",
        low=1, high=1_000_000,
    )  # fmt: skip
    groups: int = knob(
        "Groups of games. The trees of one are walked while the network works on the others: one more than the "
        "inference engine's streams keeps both busy.",
        low=1, high=64,
    )  # fmt: skip
    num_threads: int = knob(
        "Threads that walk the trees of a group. The network is the cost: 1 is enough on a few cores without a GPU.",
        low=1, high=256,
    )  # fmt: skip
    cache_megabytes: float = knob(
        "Most memory for evaluations that all games share until the weights change. Of a position of Connect Four 64 "
        "bytes are kept, on a board of 15 x 15 936; their number is a power of two, and memory is used as it fills. "
        "Higher: fewer repeated evaluations; what is searched does not change. 0: nothing is kept.",
        low=0.0, high=1e6, unit="MiB",
    )  # fmt: skip
    full_search_probability: float = knob(
        "Share of moves searched with num_simulations and noise and recorded as samples; the others get "
        "fast_simulations, no noise, and are recorded by record_fast. 1: every move is searched fully.",
        low=0.0, high=1.0,
    )  # fmt: skip
    fast_simulations: int = knob(
        "Simulations of a move that is not searched fully.",
        low=1,
        high=10_000_000,
        needs={"full_search_probability": "not 1.0"},
    )
    random_opening_probability: float = knob(
        "Share of games that begin with random plies, where the book is not used. Higher: openings that good play "
        "would never reach are learned. As 0 plies are drawn too, with n = random_opening_plies a share of "
        "random_opening_probability * (1 - book_probability) * n / (n + 1) begins with at least one.",
        low=0.0, high=1.0,
    )  # fmt: skip
    random_opening_plies: int = knob(
        "Most random plies at the start of such a game; their number is uniform from 0 to this.",
        low=0,
        high=1000,
        needs={"random_opening_probability": "not 0.0"},
    )
    book_probability: float = knob(
        "Share of games that begin from a position of the book of openings, when there is one. The book goes before "
        "random plies: such a game has none.",
        low=0.0, high=1.0,
    )  # fmt: skip
    value_trace: float | None = knob(
        "Lambda of the value trace, which takes the place of the result in the value target: going back from the end, "
        "1 - lambda of what the search found at each ply is mixed in, and where a worse move than its own was played "
        "the trace goes on from the root value alone. Lower: less blame for later blunders, more of the network's own "
        "errors learned again; 1: nothing is mixed in, worse moves still cut; null: the result of the game.",
        low=0.0, high=1.0,
    )  # fmt: skip
    trace_tolerance: float = knob(
        "How much worse than the search's own move, by the search's values, a move may be without cutting the value "
        "trace.",
        low=0.0, high=2.0, unit="value",
        needs={"value_trace": "not null"},
    )  # fmt: skip
    record_fast: float = knob(
        "Share of the fast searches that are recorded too, for the value and the plies left: such samples have no "
        "policy target. They count as samples everywhere else. Higher: more positions of each game, more alike.",
        low=0.0, high=1.0,
        needs={"full_search_probability": "not 1.0"},
    )  # fmt: skip
