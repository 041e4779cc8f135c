"""The knobs of the machine that training runs on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar

from c4.params.errors import ConfigError
from c4.params.knob import Params, knob, own

BUDGET = "a run ends with its budget: budget.generations, budget.games or budget.minutes"
GRADING = "there is no validation loop: evaluation.grading says what is measured, and how often"
ONE_MACHINE = "a run trains on one machine, and shares it among trainer.devices"
SAVING = "a run saves itself after each generation: callbacks.checkpoint"
CLIPPING = "model.gradient_clip does it"

OURS = {
    "max_epochs": BUDGET,
    "min_epochs": BUDGET,
    "max_steps": BUDGET,
    "min_steps": BUDGET,
    "max_time": BUDGET,
    "callbacks": "a callback of your own is callbacks.NAME._target_=my_module.MyCallback",
    "logger": "a logger is logger=wandb, or logger.NAME._target_=my_module.MyLogger",
    "default_root_dir": "paths.runs is where runs are kept",
    "enable_checkpointing": SAVING,
    "enable_progress_bar": "callbacks.progress shows how far a run is",
    "reload_dataloaders_every_n_epochs": "each generation has batches of its own",
    "gradient_clip_val": CLIPPING,
    "gradient_clip_algorithm": CLIPPING,
    "overfit_batches": "each generation has batches of its own; debug=overfit learns one batch by heart",
    "num_nodes": ONE_MACHINE,
    "num_sanity_val_steps": GRADING,
    "val_check_interval": GRADING,
    "check_val_every_n_epoch": GRADING,
    "limit_val_batches": GRADING,
    "limit_test_batches": GRADING,
    "limit_predict_batches": GRADING,
}
"""Arguments of Lightning's Trainer that a run sets itself, and what is to be set instead."""


class Accelerator(Enum):
    AUTO = "auto"
    CPU = "cpu"
    GPU = "gpu"


class Precision(Enum):
    """Lightning's names, and auto: mixed bf16 where the hardware multiplies in it, float32 elsewhere."""

    AUTO = "auto"
    FLOAT32 = "32-true"
    BFLOAT16_MIXED = "bf16-mixed"
    FLOAT16_MIXED = "16-mixed"


class Strategy(Enum):
    """Lightning's names, and auto: ddp where there are several devices. The last is for networks of one's own that do
    not use all of their weights in each step.
    """

    AUTO = "auto"
    DDP = "ddp"
    DDP_UNUSED = "ddp_find_unused_parameters_true"


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainerParams(Params):
    group: ClassVar[str] = "trainer"

    accelerator: Accelerator = knob("Where training runs; auto takes a GPU where there is one.")
    precision: Precision = knob("Number format of training. Mixed formats are faster where the hardware has them.")
    threads: int = knob(
        "Threads of one training step; 0: one for each core. Runs are repeated bit for bit only with the same number.",
        low=0, high=1024,
    )  # fmt: skip
    devices: int = knob(
        "How many devices share a run, a process each: all play a part of every generation, and learn from a part of "
        "every batch. What is learned is the same but for the games; more are quicker where each has a GPU of its own.",
        low=1, high=1024,
    )  # fmt: skip
    strategy: Strategy = knob("How they share it.")
    deterministic: bool = knob(
        "Whether only algorithms that repeat bit for bit are allowed. Off may be faster on GPUs."
    )
    others: Mapping[str, Any] = own(
        "Anything else that Lightning's Trainer takes: profiler, limit_train_batches, detect_anomaly, ..."
    )

    @property
    def shared_by(self) -> Strategy:
        """The strategy, with auto replaced where several share a run."""
        return Strategy.DDP if self.strategy is Strategy.AUTO and self.devices > 1 else self.strategy

    def __post_init__(self) -> None:
        super().__post_init__()
        if ours := sorted({*self.others} & {*OURS}):
            raise ConfigError(f"trainer.{ours[0]} is not allowed: {OURS[ours[0]]}")
