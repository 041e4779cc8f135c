"""The knobs of the loggers. metrics.csv is always written."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob, own
from c4.params.target import Target


class WandbMode(Enum):
    """auto is online where there is a key, offline otherwise."""

    AUTO = "auto"
    ONLINE = "online"
    OFFLINE = "offline"


@dataclasses.dataclass(frozen=True, kw_only=True)
class WandbParams(Params):
    group: ClassVar[str] = "logger.wandb"

    enabled: bool = knob("Whether the run is tracked with Weights & Biases.")
    mode: WandbMode = knob("Where the run is sent: auto needs no account and stays offline without a key.")
    project: str = knob("Name of the project the run appears in.")
    entity: str | None = knob("Team or user the project belongs to; null: the key's own.")
    run_group: str | None = knob("Name under which runs are grouped, such as the seeds of one setting.")
    tags: tuple[str, ...] = knob("Tags by which runs are found again.")
    name: str | None = knob(
        "Name of the run in W&B; null: the run's with its folder's, and of a sweep's job the sweep, its number and "
        "what differs."
    )
    artifact: bool = knob("Whether the best player is stored with the run.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class LoggerParams(Params):
    group: ClassVar[str] = "logger"

    tensorboard: bool = knob("Whether curves are written for TensorBoard.")
    every_steps: int = knob(
        "Steps of the optimizer between two points of the losses' curves that trackers have beside those of the "
        "generations; 0: none.",
        low=0, high=1_000_000,
    )  # fmt: skip
    wandb: WandbParams
    others: Mapping[str, Target | None] = own("Loggers of your own, Lightning's or anybody's, by any name.")
