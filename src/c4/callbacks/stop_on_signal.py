"""Ctrl-C, a terminal that is closed, or another program: the first signal ends the run at a place that it can go on
from, the second ends it at once.

While games are played nothing is lost by stopping at once, since the generation is played again in the same way.
While the network is trained the generation is finished first, which is a matter of seconds.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.ledger import Phase
from c4.phases import PhaseCallback
from c4.ranks import Ranks
from c4.selfplay.source import Glance

log = logging.getLogger(__name__)


class InterruptedRun(Exception):  # noqa: N818 - it is no error
    """The run was asked to stop, and has."""


class StopOnSignal(PhaseCallback):
    """Catches the signals from the start of training to `remove`."""

    phase = Phase.PLAY

    SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

    def __init__(self, *, tell: Callable[[int], None]) -> None:
        """`tell` passes a signal on to the other ranks, which a terminal does not know."""
        self._tell = tell
        self.received: signal.Signals | None = None
        self._handlers: dict[signal.Signals, Any] = {}
        self._training = False

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Lightning has set its own handlers by now; its SIGTERM would end a generation half-way."""
        for number in self.SIGNALS:
            if not (number is signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN):  # nohup: it is to go on
                self._handlers[number] = signal.signal(number, self._receive)

    def remove(self) -> None:
        """Puts the handlers back that were there."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()

    def watch(self, glance: Glance) -> bool:  # noqa: ARG002
        """Sees the playing, and ends it without a harvest once a signal has come."""
        if self.received is not None:
            raise InterruptedRun
        return False

    @override
    def on_train_batch_start(self, trainer: Trainer, pl_module: LightningModule, batch: Any, batch_idx: int) -> None:
        self._training = True

    @override
    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """The generation before is saved and logged by now."""
        self._training = False
        if Ranks.here().any(self.received is not None):
            raise InterruptedRun

    def _receive(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.received is not None:
            raise InterruptedRun  # wherever it is
        self.received = signal.Signals(number)
        self._tell(number)
        if self._training:
            log.info(
                "stopping: this generation's training will be finished and saved first; a second Ctrl-C stops at once"
            )
        else:
            log.info("stopping")
