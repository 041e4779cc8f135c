"""The whole configuration of `evaluate.py`, as conf/evaluate.yaml composes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum

from c4.params.arena import ArenaParams
from c4.params.evaluation import EvaluationParams
from c4.params.game import GameParams
from c4.params.inference import InferenceParams
from c4.params.knob import knob
from c4.params.paths import PathsParams
from c4.params.search import SearchParams, vain_in_play
from c4.params.target import Target
from c4.params.trusted import TrustingConfig


class Mode(Enum):
    REPORT = "report"
    MLH = "mlh"
    ARENA = "arena"
    AUDIT = "audit"
    TREE = "tree"
    CHECK = "check"


class Output(Enum):
    TABLE = "table"
    JSON = "json"
    HTML = "html"
    NONE = "none"
    CHAMPION = "champion"


@dataclasses.dataclass(frozen=True, kw_only=True)
class EvaluateConfig(TrustingConfig):
    mode: Mode = knob(
        "report: every figure. mlh: the moves-left utility over slope and cap. arena: matches. audit: a run's games of "
        "self-play against the truth, ply by ply. tree: the search tree of a position, as a picture. check: what a "
        "search makes of known positions, beside the truth."
    )
    checkpoint: tuple[str, ...] = knob(
        "Players to judge: one path, or a list of them. None: the champion, in mode=tree and mode=check."
    )
    position: str | None = knob(
        "The position of mode=tree and mode=check, as the plies that led there: 4453, or h8 i9; null: the empty board, "
        "and some known positions."
    )
    simulations: int = knob("Simulations of mode=tree and mode=check.", low=1, high=1_000_000)
    positions: str | None = knob(
        "File of labelled positions, or folder of *.jsonl, that replaces evaluation.sets; null: the carried sets."
    )
    output: Output = knob(
        "table for people; json, alone on stdout; html, a page written to `file`; champion, the player and its card, "
        "written to the folder `file`; none, for sweeps."
    )
    file: str = knob("Where the page, the champion or the picture goes; mode=tree writes .svg and .png.")
    as_trained: bool = knob(
        "Whether each player searches as its run trained it to, in place of `search`; how moves are chosen stays as it "
        "is. search=run says so."
    )
    game: GameParams
    search: SearchParams
    inference: InferenceParams
    evaluation: EvaluationParams
    arena: ArenaParams
    player: Target = knob("What words in arena.players leave out, for players of its kind.")
    paths: PathsParams

    @property
    def in_vain(self) -> Mapping[str, str]:
        return vain_in_play("search", as_trained=self.as_trained)
