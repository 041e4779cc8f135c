"""The whole configuration of `evaluate.py`, as conf/evaluate.yaml composes it."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import ClassVar

from c4.params.arena import ArenaParams
from c4.params.evaluation import EvaluationParams
from c4.params.game import GameParams
from c4.params.inference import InferenceParams
from c4.params.knob import knob
from c4.params.paths import PathsParams
from c4.params.search import VAIN_IN_PLAY, SearchParams
from c4.params.target import Target
from c4.params.trusted import TrustingConfig


class Mode(Enum):
    REPORT = "report"
    MLH = "mlh"
    ARENA = "arena"
    AUDIT = "audit"


class Output(Enum):
    TABLE = "table"
    JSON = "json"
    HTML = "html"
    NONE = "none"
    CHAMPION = "champion"


@dataclasses.dataclass(frozen=True, kw_only=True)
class EvaluateConfig(TrustingConfig):
    in_vain: ClassVar[tuple[str, ...]] = VAIN_IN_PLAY

    mode: Mode = knob(
        "report: every figure. mlh: the moves-left utility over slope and cap. arena: matches. audit: a run's games of "
        "self-play against the truth, ply by ply."
    )
    checkpoint: tuple[str, ...] = knob("Players to judge: one path, or a list of them.")
    positions: str | None = knob(
        "File of labelled positions, or folder of *.jsonl, that replaces evaluation.sets; null: the carried sets."
    )
    output: Output = knob(
        "table for people; json, alone on stdout; html, a page written to `file`; champion, the player and its card, "
        "written to the folder `file`; none, for sweeps."
    )
    file: str = knob("Where the page or the champion goes.")
    game: GameParams
    search: SearchParams
    inference: InferenceParams
    evaluation: EvaluationParams
    arena: ArenaParams
    player: Target = knob("What words in arena.players leave out, for players of its kind.")
    paths: PathsParams
