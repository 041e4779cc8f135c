"""The whole configuration of `play.py`, as conf/play.yaml composes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum

from c4.params.game import GameParams
from c4.params.inference import InferenceParams
from c4.params.knob import Params, knob
from c4.params.paths import PathsParams
from c4.params.search import SearchParams, vain_in_play
from c4.params.target import Target
from c4.params.terminal import TerminalParams
from c4.params.trusted import TrustingConfig
from c4.params.web import WebParams


class Seat(Enum):
    """Who the person is. none: a spectator."""

    FIRST = "first"
    SECOND = "second"
    NONE = "none"


class Interface(Enum):
    AUTO = "auto"
    TERMINAL = "terminal"
    TEXT = "text"
    WEB = "web"


@dataclasses.dataclass(frozen=True, kw_only=True)
class LevelParams(Params):
    """How long the program thinks."""

    simulations: int = knob("Simulations per move. Higher: stronger and slower.", low=1, high=10_000_000)
    seconds: float | None = knob(
        "Time per move, in place of simulations; null: by simulations.", low=0.01, high=3600.0, unit="seconds"
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayConfig(LevelParams, TrustingConfig):
    checkpoint: str | None = knob(
        "The network: champion, a run's folder, a .safetensors or a .ckpt. It judges for other opponents too; null: "
        "rollouts judge for them.",
    )
    position: str = knob("Where the game begins, as the plies that led there: 4453, or h8 i9.")
    me: Seat = knob("Who the person is: first or second player, or none to watch the program play itself.")
    truth: bool = knob("Whether the exact score of each move may be shown, where perfect play is known.")
    seed: int = knob("Seed of all chance.", low=0, high=(1 << 31) - 1)
    ui: Interface = knob(
        "terminal: a board with colours; text: lines in and out; auto: text where there is no terminal; "
        "web: a page for the browser."
    )
    cache_megabytes: float = knob(
        "Memory for the evaluations of positions that are kept, as selfplay.cache_megabytes.",
        low=0.0, high=1e6, unit="MiB",
    )  # fmt: skip
    as_trained: bool = knob(
        "Whether each player searches as its run trained it to, in place of `search`; how moves are chosen stays as it "
        "is. search=run says so."
    )
    game: GameParams
    opponent: Target = knob("Who plays against the person: a file of the group player, or a class of one's own.")
    search: SearchParams
    inference: InferenceParams
    paths: PathsParams
    terminal: TerminalParams
    web: WebParams

    @property
    def in_vain(self) -> Mapping[str, str]:
        said = vain_in_play("search", budget="simulations", as_trained=self.as_trained)
        if self.ui is Interface.WEB:
            return said | {
                "terminal": "it is about the board on a terminal",
                "cache_megabytes": "web.cache_megabytes is what counts on the page",
            }
        said["web"] = "it is about the page, ui=web"
        if self.ui is Interface.TEXT:
            said["terminal"] = "it is about the board on a terminal, ui=terminal"
        if self.seconds is not None:
            said["simulations"] = f"seconds is {self.seconds:g}, which takes its place"
        return said
