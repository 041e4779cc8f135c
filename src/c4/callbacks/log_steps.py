"""Tells trackers the losses within a generation, so that their curves have more to say than a point for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from pytorch_lightning import LightningModule, Trainer
from torch import Tensor
from typing_extensions import override

from c4.ledger import Phase
from c4.phases import PhaseCallback

Tell = Callable[[Mapping[str, float], int], None]
"""Takes figures by name, and how many steps the optimizer has made."""


class _Measures(Protocol):
    step_figures: Mapping[str, Tensor]  # of the newest batch


class LogSteps(PhaseCallback):
    """The mean of every so many steps, and the learning rate at the last of them."""

    phase = Phase.TRAIN

    def __init__(self, *, every: int, tell: Tell) -> None:
        self._every, self._tell = every, tell
        self._sums: dict[str, Tensor] = {}
        self._batches = self._told = 0

    @override
    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        for name, value in cast("_Measures", pl_module).step_figures.items():
            if name.startswith("loss/"):
                self._sums[name] = self._sums[name] + value if name in self._sums else value
        self._batches += 1
        steps = trainer.global_step
        if steps == self._told or steps % self._every or trainer.fast_dev_run:  # type: ignore[attr-defined]
            return
        figures = {name: float(total) / self._batches for name, total in self._sums.items()}
        self._tell(figures | {"optim/lr": float(trainer.optimizers[0].param_groups[0]["lr"])}, steps)
        self._sums, self._batches, self._told = {}, 0, steps
