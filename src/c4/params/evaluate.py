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
from c4.params.search import SearchParams, vain_where_graded
from c4.params.target import Target
from c4.params.trusted import TrustingConfig


class Mode(Enum):
    REPORT = "report"
    MLH = "mlh"
    ARENA = "arena"
    AUDIT = "audit"
    TREE = "tree"
    CHECK = "check"


ONLY_IN = {
    "arena": (Mode.ARENA,),
    "arena.seed": (Mode.ARENA, Mode.AUDIT),
    "evaluation.ablation_simulations": (Mode.REPORT, Mode.MLH),
    "evaluation.audit_games": (Mode.AUDIT,),
    "evaluation.baseline": (Mode.REPORT,),
    "evaluation.calibration_bins": (Mode.REPORT,),
    "evaluation.duel_simulations": (Mode.REPORT,),
    "evaluation.failures": (Mode.REPORT,),
    "evaluation.mlh_caps": (Mode.MLH,),
    "evaluation.mlh_slopes": (Mode.REPORT, Mode.MLH),
    "evaluation.ply_band": (Mode.REPORT,),
    "evaluation.sets": (Mode.REPORT, Mode.MLH),
    "evaluation.simulations": (Mode.REPORT,),
    "evaluation.worst": (Mode.REPORT,),
    "player": (Mode.ARENA,),
    "position": (Mode.TREE, Mode.CHECK),
    "positions": (Mode.REPORT, Mode.MLH),
    "simulations": (Mode.TREE, Mode.CHECK),
}
"""Keys, with all that is below them, that other modes do not read."""

OF_TRAINING = (
    "grading",
    "openings",
    *(f"baseline.{name}" for name in ("every", "simulations", "rollouts_step", "time_share")),
)
"""Of `evaluation`."""

BUDGET = {
    Mode.REPORT: "evaluation.simulations",
    Mode.MLH: "evaluation.ablation_simulations",
    Mode.ARENA: "each word in arena.players",
    Mode.TREE: "simulations",
    Mode.CHECK: "simulations",
}


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
        here = f"mode={self.mode.value}"
        said = {
            key: "" if self.mode in modes else f"{here} does not read it; it is for {' and '.join(map(_typed, modes))}"
            for key, modes in ONLY_IN.items()
        }
        said |= {f"evaluation.{key}": "it is for runs that train" for key in OF_TRAINING}
        if self.positions is not None:
            said["evaluation.sets"] = "positions takes their place"
        if not (self.output in (Output.HTML, Output.CHAMPION) or (self.mode, self.output) == (Mode.TREE, Output.TABLE)):
            said["file"] = f"output={self.output.value} with {here} goes to the terminal"
        if self.mode is Mode.AUDIT:
            return said | dict.fromkeys(("search", "as_trained"), "a run's own search is audited")
        said |= vain_where_graded("search", budget=BUDGET[self.mode], as_trained=self.as_trained)
        if self.mode in (Mode.MLH, Mode.TREE, Mode.CHECK):
            said["search.reuse_tree"] = "each position is searched anew"
        if self.mode is Mode.MLH:
            said |= {f"search.{name}": f"the table has evaluation.{name}s" for name in ("mlh_slope", "mlh_cap")}
        return said


def _typed(mode: Mode) -> str:
    return f"mode={mode.value}"
