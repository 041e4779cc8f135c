"""What this machine's processors can do, as far as engines and training care."""

from __future__ import annotations

import logging
from typing import Literal, cast

import torch

from c4.params import trainer
from c4.params.errors import ConfigError
from c4.params.inference import Precision

log = logging.getLogger(__name__)

TrainingFormat = Literal["32-true", "bf16-mixed", "16-mixed"]
"""Lightning's names of number formats."""


def processor_precision(wanted: Precision) -> Precision:
    """The number format on a CPU: auto is bf16 only where the processor multiplies in it."""
    if wanted is Precision.AUTO:
        return Precision.BFLOAT16 if multiplies_bfloat16() else Precision.FLOAT32
    return wanted


def multiplies_bfloat16() -> bool:
    """Whether bf16 has instructions of its own here; elsewhere it is slower than float32."""
    checks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, check, lambda: False)() for check in checks)


def check_accelerator(wanted: trainer.Accelerator) -> None:
    """Raises ConfigError when training is to run where it cannot."""
    if wanted is trainer.Accelerator.GPU and not (torch.cuda.is_available() or torch.backends.mps.is_available()):
        raise ConfigError(
            "trainer.accelerator=gpu: torch finds no GPU on this machine; trainer=auto takes one if it can"
        )


def training_format(params: trainer.TrainerParams, *, kept: str | None) -> TrainingFormat:
    """What `trainer.precision` stands for on this machine; auto keeps what a run that is resumed was `kept` in."""
    if params.precision is not trainer.Precision.AUTO:
        return cast("TrainingFormat", params.precision.value)
    if kept is not None:
        return cast("TrainingFormat", trainer.Precision(kept).value)
    on_card = params.accelerator is not trainer.Accelerator.CPU and torch.cuda.is_available()
    native = torch.cuda.is_bf16_supported(including_emulation=False) if on_card else multiplies_bfloat16()
    where = "graphics card" if on_card else "processor"
    chosen: TrainingFormat = "bf16-mixed" if native else "32-true"
    log.info("training in %s: this %s has %s bf16", chosen, where, "native" if native else "no native")
    return chosen
