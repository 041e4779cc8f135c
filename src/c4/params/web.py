"""Where the page is served, and how much of this machine a visitor may take."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from c4.params.knob import Params, knob


@dataclasses.dataclass(frozen=True, kw_only=True)
class WebParams(Params):
    group: ClassVar[str] = "web"

    host: str = knob("Address to listen on. 127.0.0.1: this machine only; 0.0.0.0: everybody who can reach it.")
    port: int = knob("Port to listen on; 0: any that is free.", low=0, high=65535)
    checkpoints: tuple[str, ...] = knob(
        "Networks offered beside `checkpoint`, to compare and to play with: paths as there, of any game."
    )
    runs: str | None = knob("Folder of runs that the page may watch; null: none.")
    sessions: int = knob("Most visitors at once; the next is told to come back later.", low=1, high=10_000)
    sessions_each: int = knob(
        "Most visitors from one address at once, and most requests of programs: a class behind one router is one "
        "address. Behind a reverse proxy the address is the one that it names (X-Forwarded-For).",
        low=1, high=10_000,
    )  # fmt: skip
    connections: int = knob(
        "Most connections at once; a browser opens up to seven. Who has not asked for anything yet makes room.",
        low=1, high=100_000,
    )  # fmt: skip
    connections_each: int = knob(
        "Most connections from one address at once. A reverse proxy is one address, and counts for itself.",
        low=1, high=100_000,
    )  # fmt: skip
    patience_seconds: float = knob(
        "Time for a request to arrive whole, and for what waits for a visitor to be taken; who is slower is dropped.",
        low=0.1, high=3600.0, unit="seconds",
    )  # fmt: skip
    idle_seconds: float = knob(
        "Time after which an idle visitor is disconnected; the page reconnects by itself.",
        low=1.0, high=1e6, unit="seconds",
    )  # fmt: skip
    message_bytes: int = knob("Longest message or request body.", low=1024, high=1 << 24, unit="bytes")
    most_simulations: int = knob(
        "Most simulations of one move, and most visits of an analysis that is to end by itself; one that is not ends "
        "with `tree_megabytes`.",
        low=1, high=10_000_000,
    )  # fmt: skip
    most_seconds: float = knob("Most time of one move.", low=0.01, high=3600.0, unit="seconds")
    tree_megabytes: int = knob(
        "Memory of one search tree, at which an analysis stops growing. A visitor has up to four trees.",
        low=1, high=1 << 16, unit="MiB",
    )  # fmt: skip
    trees_megabytes: int = knob(
        "Memory of all trees of all visitors. Beyond it those make room that nobody thinks in, the longest idle first, "
        "and an analysis that has more than an equal share stops growing.",
        low=1, high=1 << 20, unit="MiB",
    )  # fmt: skip
    cache_megabytes: float = knob(
        "Memory for the evaluations that each tree keeps, as selfplay.cache_megabytes. Higher: fewer repeated "
        "evaluations, more memory for each visitor.",
        low=0.0, high=1e6, unit="MiB",
    )  # fmt: skip
    chunk: int = knob(
        "Simulations that a search gets before another visitor's turn. Higher: less overhead; lower: quicker to stop "
        "and fairer.",
        low=1, high=100_000,
    )  # fmt: skip
    workers: int = knob(
        "Threads that searches take turns on. Higher: larger batches for the network when many visitors think.",
        low=1, high=256,
    )  # fmt: skip
    truth_seconds: float = knob("Longest wait for an answer of the solver.", low=0.01, high=3600.0, unit="seconds")
    update_seconds: float = knob("Time between two updates of a running analysis.", low=0.0, high=10.0, unit="seconds")
    pause_seconds: float = knob(
        "Pause between the moves of a game that the program plays itself.", low=0.0, high=60.0, unit="seconds"
    )
    review_simulations: int = knob("Simulations for each position when a game is reviewed.", low=1, high=1_000_000)
