"""The knobs of the engines that evaluate positions. Engines round differently: a resumed run keeps the one it had."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob


class EngineName(Enum):
    """auto: the fastest of those this machine has, measured when it is first asked for, and kept."""

    AUTO = "auto"
    TORCH = "torch"
    TORCH_COMPILE = "torch_compile"
    OPENVINO = "openvino"
    CUDA = "cuda"


class Precision(Enum):
    """Number format of weights and activations. Sums and the outputs are float32 in all of them."""

    AUTO = "auto"
    FASTEST = "fastest"
    FLOAT32 = "f32"
    BFLOAT16 = "bf16"
    FLOAT16 = "f16"
    INT8 = "int8"


@dataclasses.dataclass(frozen=True, kw_only=True)
class InferenceParams(Params):
    group: ClassVar[str] = "inference"

    engine: EngineName = knob(
        "auto: the fastest, timed once for each machine, network and batch, then kept. torch and torch_compile (CPU), "
        "openvino (CPU, an extra), cuda."
    )
    precision: Precision = knob(
        "auto: f16 on a GPU, bf16 on processors that have it (about twice as fast), else f32. f16 is for GPUs only. "
        "int8: OpenVINO only, convolutions in 8 bits, up to twice as fast again on processors with VNNI; rounds more. "
        "fastest: as auto, and where OpenVINO is there int8 is timed with the others."
    )
    streams: int = knob(
        "Passes through the network at once: one-thread workers on a CPU, CUDA streams on a GPU. 0: one for each core, "
        "or two on a GPU.",
        low=0, high=256,
    )  # fmt: skip
    # From 16 rows on, libraries take the same kernels for any number of them: a row's evaluation is the same bits.
    buckets: tuple[int, ...] = knob(
        "Numbers of rows in one pass, rising: a batch is cut into passes of the largest, its rest padded to the "
        "smallest that holds it. Larger: fewer calls; more of them: less padding, more to prepare at each "
        "change of weights. A GPU that engine=auto chooses gets 256 and 1024 too.",
        low=16, high=1 << 16, unit="rows",
    )  # fmt: skip
    average_symmetries: bool = knob(
        "Whether play and grading judge a position by the mean over all of its symmetric images. Stronger, at as many "
        "evaluations as there are symmetries: 2 on Connect Four's board, 8 on Gomoku's. Self-play looks at one image."
    )
    auto_seconds: float = knob(
        "Time that auto takes to time all engines, when it is first asked.", low=0.0, high=60.0, unit="seconds"
    )

    @property
    def in_vain(self) -> Mapping[str, str]:
        if self.engine is EngineName.AUTO or self.precision is Precision.FASTEST:
            return {}
        return {"auto_seconds": f"inference.engine is {self.engine.value}: nothing is timed"}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.buckets or list(self.buckets) != sorted(set(self.buckets)):
            raise ValueError(f"inference.buckets={list(self.buckets)} is not allowed: rising numbers, at least one")
