"""Saves a run after each generation, so that it can be killed at any moment, and the players that come out of it."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import Checkpoint
from typing_extensions import override

from c4.callbacks.periodic_measurement import Late
from c4.datamodule import datamodule_of
from c4.ledger import Phase
from c4.params.callbacks import CheckpointParams, Direction
from c4.params.errors import nearest_of
from c4.phases import PhaseCallback
from c4.ranks import Ranks
from c4.run.clock import take_clock, timeless, write_clock
from c4.run.folder import RunFolder, generation_of
from c4.run.state import DATA, FORMAT, KEPT

if TYPE_CHECKING:
    from c4.lightning_module import C4Module

log = logging.getLogger(__name__)


class RunCheckpoint(PhaseCallback, Checkpoint):
    """Lightning calls callbacks of the second base last, when a generation's metrics are known."""

    phase = Phase.SAVE

    def __init__(
        self,
        *,
        params: CheckpointParams,
        folder: RunFolder,
        header: Mapping[str, Any],
        card: Mapping[str, Any],
        graded_late: bool,
    ) -> None:
        """`header` is what a state says of its run; `card` what a player does, beside what it has reached.
        `graded_late`: what is monitored may come when other generations have followed.
        """
        self.best: float | None = None  # of the monitored metric
        self.best_generation = 0
        self._params, self._folder, self._header, self._card = params, folder, header, card
        self._clock: Path | None = None  # where it goes that a clock says; where others save, it is in what they save
        self._graded_late = graded_late
        self._oldest_needed = 0  # generation whose samples the newest state needs

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Else a run that is killed in every other generation would never remove any samples."""
        self._oldest_needed = datamodule_of(trainer).oldest_needed()

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        data = datamodule_of(trainer)
        generation = data.ledger.generation
        if not Ranks.here().is_first:
            trainer.save_checkpoint(
                self._folder.state(generation), weights_only=False
            )  # adds what it has, writes nothing
            return
        self._folder.checkpoints.mkdir(parents=True, exist_ok=True)
        self._save_players(trainer, cast("C4Module", pl_module), generation=generation)
        self._save_state(trainer, generation=generation)
        for state in self._folder.states():
            if not generation - KEPT < generation_of(state) <= generation:
                state.unlink()
        self._folder.remove_lone_clocks()
        self._folder.archive.drop_before(self._oldest_needed)
        self._oldest_needed = data.oldest_needed()

    def complete(self, module: C4Module, *, generation: int, reached: Mapping[str, float]) -> None:
        """Writes the players that a resumed run should have and has not: those that there were are of another line."""
        card = self._card_of(generation, reached)
        if not self._folder.player("best").exists():
            self.best, self.best_generation = None, generation
            self._is_best(reached)
            module.save_player(self._folder.player("best"), card=card)
        if not self._folder.player("last").exists():
            module.save_player(self._folder.player("last"), card=card)

    def graded(self, late: Late, *, module: C4Module) -> None:
        """What was found out about older weights may make them the best player so far."""
        reached = {**late.reached, **late.figures}
        if self._params.monitor in late.figures and self._is_best(reached):
            self.best_generation = late.generation
            card = self._card_of(late.generation, reached)
            module.save_player(self._folder.player("best"), card=card, weights=late.weights)

    @override
    def on_save_checkpoint(self, trainer: Trainer, pl_module: LightningModule, checkpoint: dict[str, Any]) -> None:
        metrics = _metrics(trainer)  # the loggers get them only after this
        checkpoint["c4"] = {**self._header, "format": FORMAT, "metrics": metrics}
        if self._clock is not None:
            write_clock(self._clock, take_clock(checkpoint["c4"], checkpoint[DATA]["ledger"]))

    @override
    def state_dict(self) -> dict[str, Any]:
        return {"best": self.best, "best_generation": self.best_generation}

    @override
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.best, self.best_generation = state_dict["best"], state_dict["best_generation"]

    def _save_state(self, trainer: Trainer, *, generation: int) -> None:
        path = self._folder.state(generation)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        self._clock = self._folder.clock(path)
        try:
            trainer.save_checkpoint(beside, weights_only=False)
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError as error:  # Lightning writes to a temporary folder first, and its error would name that
            raise OSError(error.errno, error.strerror, str(path)) from error
        finally:
            self._clock = None
            beside.unlink(missing_ok=True)

    def _save_players(self, trainer: Trainer, module: C4Module, *, generation: int) -> None:
        reached = _metrics(trainer)
        card = self._card_of(generation, reached)
        monitor = self._params.monitor
        if generation == 1 and monitor is not None and monitor not in reached and not self._graded_late:
            nearest = nearest_of(monitor, reached)
            hint = f"; did you mean {nearest}?" if nearest else ""
            log.warning("callbacks.checkpoint.monitor=%s: generation 1 has no such metric%s", monitor, hint)
        if self._is_best(reached):
            self.best_generation = generation
            module.save_player(self._folder.player("best"), card=card)
        module.save_player(self._folder.player("last"), card=card)
        if self._params.every and generation % self._params.every == 0:
            module.save_player(self._folder.player(generation), card=card)

    def _card_of(self, generation: int, reached: Mapping[str, float]) -> dict[str, Any]:
        """Nothing that a clock says, or that is measured only where there is time for it: the same seed gives the same
        file. metrics.csv has the rest."""
        return {**self._card, "generation": generation, "metrics": timeless(reached)}

    def _is_best(self, reached: Mapping[str, float]) -> bool:
        if self._params.monitor is None:
            return True
        value = reached.get(self._params.monitor)
        if value is None or math.isnan(value):
            return self.best is None
        sign = 1.0 if self._params.direction is Direction.MAX else -1.0
        if self.best is not None and sign * value < sign * self.best:
            return False
        self.best = value
        return True


def _metrics(trainer: Trainer) -> dict[str, float]:
    return {name: float(value) for name, value in trainer.callback_metrics.items() if name != "step"}
