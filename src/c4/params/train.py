"""The whole configuration of a training run, as conf/train.yaml composes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import PurePath
from typing import ClassVar

from c4.params.budget import BudgetParams
from c4.params.callbacks import CallbacksParams
from c4.params.data import DataParams
from c4.params.evaluation import EvaluationParams
from c4.params.game import GameParams
from c4.params.inference import InferenceParams
from c4.params.knob import knob
from c4.params.logger import LoggerParams
from c4.params.model import ModelParams
from c4.params.network import NetworkDesign
from c4.params.paths import PathsParams
from c4.params.search import SearchParams, vain_in_play
from c4.params.source import SourceParams
from c4.params.trainer import TrainerParams
from c4.params.trusted import TrustingConfig


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainConfig(TrustingConfig):
    in_vain: ClassVar[Mapping[str, str]] = vain_in_play("grading_search")

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

    def __post_init__(self) -> None:
        super().__post_init__()
        path = PurePath(self.name)
        if path.is_absolute() or ".." in path.parts:  # the run would lie outside of the folder of all runs
            raise ValueError(f"name={self.name} is not allowed: a name without .., in which / leads further down")
