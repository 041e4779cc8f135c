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
    cache_entries: int = knob(
        "Evaluations kept for all games until the weights change, rounded up to a power of two; 0: no cache.",
        low=0, high=1 << 28,
    )  # fmt: skip
    full_search_probability: float = knob(
        "Share of moves searched with num_simulations and noise and recorded as samples; the others get "
        "fast_simulations, no noise, and are not recorded. 1: every move is searched fully.",
        low=0.0, high=1.0,
    )  # fmt: skip
    fast_simulations: int = knob("Simulations of a move that is not searched fully.", low=1, high=10_000_000)
    random_opening_probability: float = knob(
        "Share of games that begin with random plies. Higher: openings that good play would never reach are learned.",
        low=0.0, high=1.0,
    )  # fmt: skip
    random_opening_plies: int = knob(
        "Most random plies at the start of such a game; their number is uniform from 0 to this.", low=0, high=1000
    )
    book_probability: float = knob(
        "Share of games that begin from a position of the book of openings, when there is one.", low=0.0, high=1.0
    )
