"""The whole configuration of a training run, as conf/train.yaml composes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import PurePath

from c4.params.budget import BudgetParams
from c4.params.callbacks import CallbacksParams
from c4.params.data import DataParams
from c4.params.evaluation import OF_A_REPORT, EvaluationParams
from c4.params.game import GameParams
from c4.params.inference import InferenceParams
from c4.params.knob import knob
from c4.params.logger import LoggerParams
from c4.params.model import ModelParams
from c4.params.network import NetworkDesign
from c4.params.paths import PathsParams
from c4.params.search import SearchParams, vain_where_graded
from c4.params.source import SourceParams
from c4.params.trainer import TrainerParams
from c4.params.trusted import TrustingConfig


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainConfig(TrustingConfig):
    name: str = knob("Names the run's folder; an experiment sets it.")
    seed: int = knob(
        "Decides everything random: same seed, same configuration, same machine, same weights.",
        low=0, high=(1 << 31) - 1,
    )  # fmt: skip
    resume: str | None = knob("A run's folder or checkpoint to resume, or auto for the newest; null: a new run.")
    game: GameParams
    search: SearchParams
    grading_search: SearchParams
    selfplay: SourceParams
    network: NetworkDesign
    model: ModelParams
    inference: InferenceParams
    data: DataParams
    budget: BudgetParams
    evaluation: EvaluationParams
    callbacks: CallbacksParams
    trainer: TrainerParams
    logger: LoggerParams
    paths: PathsParams

    @property
    def in_vain(self) -> Mapping[str, str]:
        said = vain_where_graded("grading_search", budget="evaluation.grading.simulations")
        said["grading_search.reuse_tree"] = "each position is searched anew"
        said |= {f"evaluation.{name}": "it is for the report of evaluate.py" for name in OF_A_REPORT}
        if not self.evaluation.grading.at_end:
            said["evaluation.sets"] = (
                "evaluation.grading.at_end is false: a generation is graded on the first set alone"
            )
        if not self.evaluation.baseline.every:
            said |= {"evaluation.baseline": "evaluation.baseline.every is 0", "evaluation.baseline.every": ""}
        if self.evaluation.openings is None:
            said["selfplay.book_probability"] = "evaluation.openings is null: there is no book"
        elif not self.selfplay.book_probability:
            said["evaluation.openings"] = "selfplay.book_probability is 0"
        if not self.logger.is_watched:
            said["evaluation.grading.tree"] = "it is for trackers: logger=tensorboard, wandb or many"
        return said

    def __post_init__(self) -> None:
        super().__post_init__()
        path = PurePath(self.name)
        if path.is_absolute() or ".." in path.parts:  # the run would lie outside of the folder of all runs
            raise ValueError(f"name={self.name} is not allowed: a name without .., in which / leads further down")
