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


IF_TRACKED = {"enabled": True}


@dataclasses.dataclass(frozen=True, kw_only=True)
class WandbParams(Params):
    group: ClassVar[str] = "logger.wandb"

    enabled: bool = knob("Whether the run is tracked with Weights & Biases.")
    mode: WandbMode = knob(
        "Where the run is sent: auto needs no account and stays offline without a key.", needs=IF_TRACKED
    )
    project: str = knob("Name of the project the run appears in.", needs=IF_TRACKED)
    entity: str | None = knob("Team or user the project belongs to; null: the key's own.", needs=IF_TRACKED)
    run_group: str | None = knob(
        "Name under which runs are grouped, such as the seeds of one setting.", needs=IF_TRACKED
    )
    tags: tuple[str, ...] = knob("Tags by which runs are found again.", needs=IF_TRACKED)
    name: str | None = knob(
        "Name of the run in W&B; null: the run's with its folder's, and of a sweep's job the sweep, its number and "
        "what differs.",
        needs=IF_TRACKED,
    )
    artifact: bool = knob("Whether the best player is stored with the run.", needs=IF_TRACKED)


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

    @property
    def is_watched(self) -> bool:
        """Whether anybody may draw what metrics.csv does not hold."""
        return self.tensorboard or self.wandb.enabled or any(one is not None for one in self.others.values())

    @property
    def in_vain(self) -> Mapping[str, str]:
        return {} if self.is_watched else {"every_steps": "it is for trackers: logger=tensorboard, wandb or many"}
