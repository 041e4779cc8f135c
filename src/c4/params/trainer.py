"""The knobs of the machine that training runs on."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob


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


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainerParams(Params):
    group: ClassVar[str] = "trainer"

    accelerator: Accelerator = knob("Where training runs; auto takes a GPU where there is one.")
    precision: Precision = knob("Number format of training. Mixed formats are faster where the hardware has them.")
    threads: int = knob(
        "Threads of one training step; 0: one for each core. Runs are repeated bit for bit only with the same number.",
        low=0, high=1024,
    )  # fmt: skip
    deterministic: bool = knob(
        "Whether only algorithms that repeat bit for bit are allowed. Off may be faster on GPUs."
    )
