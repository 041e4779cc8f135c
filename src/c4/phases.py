"""What makes the phases of a generation come in their order, however callbacks stand in a list.

Each of our callbacks says in which phase it belongs, and puts all of a trainer's callbacks in order before it begins:
ours by their phase, people's own after the measurements and before the saving. Nothing depends on the order within a
phase. Lightning itself sees to it that what saves or stops by a metric comes after everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Protocol, cast

from pytorch_lightning import Callback, LightningModule, Trainer
from typing_extensions import override

from c4.ledger import Ledger, Phase
from c4.ranks import Ranks


class PhaseCallback(Callback):
    """One of ours."""

    phase: ClassVar[Phase]

    @override
    def setup(self, trainer: Trainer, pl_module: LightningModule, stage: str) -> None:
        trainer.callbacks = in_order(trainer.callbacks)  # type: ignore[attr-defined]


def in_order(callbacks: Iterable[Callback]) -> list[Callback]:
    """The same callbacks by their phases."""
    places = list(Phase)

    def place(callback: Callback) -> tuple[int, bool, str]:
        if isinstance(callback, PhaseCallback):
            return places.index(callback.phase), False, type(callback).__name__
        return places.index(Phase.OWN), True, ""  # sorting leaves equals as they stand

    return sorted(callbacks, key=place)


class Closes(Protocol):
    """What a module does once the steps of a generation are over."""

    ledger: Ledger

    def close_generation(self) -> None:
        """Logs what its training was like."""


class CloseGeneration(PhaseCallback):
    """Ends a generation's training before anybody looks at it, and the run when its budget is spent.

    A module brings it itself (configure_callbacks): its own hooks come too late, after all callbacks'.
    """

    phase = Phase.TRAIN

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Nothing is left but the end, when a run was killed while that was graded."""
        spent = Ranks.here().agreed(cast("Closes", pl_module).ledger.is_spent())
        trainer.should_stop = trainer.should_stop or bool(spent)

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        module = cast("Closes", pl_module)
        module.close_generation()
        module.ledger.close()
        spent = Ranks.here().agreed(module.ledger.is_spent())
        trainer.should_stop = trainer.should_stop or bool(spent)
