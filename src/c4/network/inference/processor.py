"""What this machine's processor can do, as far as engines care."""

from __future__ import annotations

import os

import torch

from c4.params.inference import Precision


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor_precision(wanted: Precision) -> Precision:
    """The number format on a CPU: auto is bf16 only where the processor multiplies in it."""
    if wanted is Precision.AUTO:
        return Precision.BFLOAT16 if _multiplies_bfloat16() else Precision.FLOAT32
    return wanted


def _multiplies_bfloat16() -> bool:
    checks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, check, lambda: False)() for check in checks)
