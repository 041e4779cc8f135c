"""What of Lightning's Trainer cannot mean here what it says, where an epoch plays and trains a generation.

Refused in a sentence before anything is played; all else is as in Lightning's documents (docs/IN_YOUR_OWN_SCRIPT.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from lightning_fabric.utilities.exceptions import MisconfigurationException
from pytorch_lightning import Callback, Trainer
from pytorch_lightning.callbacks import StochasticWeightAveraging, Timer, WeightAveraging
from pytorch_lightning.strategies import DDPStrategy, SingleDeviceStrategy

SHARING = 'several devices share a run by strategy="ddp"'
PRECISIONS = ("32-true", "bf16-mixed", "16-mixed")

AVERAGING = (
    "model.ema_decay averages the weights, and the average is what plays and is saved; "
    "averages of a callback's own would come after all that"
)
OVERFITTING = (
    "each generation plays and has batches of its own; debug=overfit makes a run that learns one batch by heart, "
    'in a script too: load_config("experiment=tiny", "debug=overfit")'
)
GRADING = (
    "there is no loop over batches here: players are graded against perfect play, in training (evaluation.grading), "
    "and by python evaluate.py checkpoint=FILE"
)


def check_trainer(trainer: Trainer) -> None:
    """Before a fit. Raises MisconfigurationException."""
    how = trainer.strategy
    if not isinstance(how, SingleDeviceStrategy | DDPStrategy) or getattr(how, "_start_method", "popen") != "popen":
        raise MisconfigurationException(f"{type(how).__name__} is not allowed: {SHARING}")
    if share := getattr(trainer, "overfit_batches", 0):
        raise MisconfigurationException(f"overfit_batches={share} is not allowed: {OVERFITTING}")
    if trainer.limit_train_batches == 0:
        raise MisconfigurationException("limit_train_batches=0 is not allowed: nothing would be played or learned")
    if trainer.precision not in PRECISIONS:
        raise MisconfigurationException(f"precision={trainer.precision} is not allowed: {', '.join(PRECISIONS)}")
    check_callbacks(trainer.callbacks)  # type: ignore[attr-defined]


def check_callbacks(callbacks: Sequence[Callback]) -> None:
    """Raises MisconfigurationException."""
    for callback in callbacks:
        if isinstance(callback, StochasticWeightAveraging | WeightAveraging):
            raise MisconfigurationException(f"{type(callback).__name__} is not allowed: {AVERAGING}")


def limits_spent(trainer: Trainer) -> float:
    """The share of max_steps and max_time that is spent, from 0 to 1; epochs are the ledger's."""
    shares = [0.0]
    if trainer.max_steps > 0:
        shares.append(trainer.global_step / trainer.max_steps)
    for callback in trainer.callbacks:  # type: ignore[attr-defined]
        if isinstance(callback, Timer) and (left := callback.time_remaining()) is not None:
            spent = callback.time_elapsed()
            shares.append(spent / max(spent + left, 1e-9))
    return min(1.0, max(shares))
