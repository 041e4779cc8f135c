"""The loggers of a run. Packages that are not asked for are not imported."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytorch_lightning import LightningModule
from pytorch_lightning.loggers.logger import Logger

from c4.params.logger import LoggerParams
from c4.run.folder import RunFolder
from c4.run.metrics import Rows
from c4.tracking.metrics_csv import MetricsCsv
from c4.tracking.tracker import Conclusion, Exhibit, Tracker

log = logging.getLogger(__name__)

MINUTES = "budget/minutes"
LOST_MINUTES = 1.0  # of a killed process, at most: trackers write their files more often


class LoggerError(RuntimeError):
    """A tracker that was asked for does not answer; the text says what it said."""


class Loggers:
    """metrics.csv and the trackers that were asked for.

    The table is written last: a generation that stands in it has been told to all of them.
    """

    def __init__(
        self,
        params: LoggerParams,
        *,
        folder: Path,
        name: str,
        run_id: str,
        commit: str,
        typed: Sequence[str] = (),
        metrics: Sequence[str] = (),
        others: Sequence[Logger] = (),
    ) -> None:
        """`typed`: the overrides; `metrics`: the names of what may be logged. `others` are told the same numbers,
        exhibits too where they are Trackers. Raises LoggerError, and ConfigError for what the environment says."""
        self.table = MetricsCsv(RunFolder(path=folder))
        self.hints: list[str] = []  # what a person should know of them
        self._trackers: list[Any] = [*others]
        if params.tensorboard:
            from c4.tracking.tensorboard_run import TensorBoardRun

            self._trackers.append(TensorBoardRun(folder=folder, typed=typed, reached=metrics))
            self.hints.append(f"curves: tensorboard --logdir {folder / 'tensorboard'}")
        if tracking_id() is not None and not params.wandb.enabled:
            log.warning("an agent of W&B has started this run, and W&B hears nothing of it without logger=wandb")
        if params.wandb.enabled:
            from c4.tracking.wandb_run import WandbError, WandbRun

            try:
                run = WandbRun(params.wandb, folder=folder, name=name, run_id=run_id, commit=commit)
            except WandbError as error:
                raise LoggerError(str(error)) from error
            self._trackers.append(run)
            if run.given_up:
                log.warning("W&B does not take this run, so it is kept here: %s", run.given_up)
            if run.offline:
                self.hints.append(f"W&B is offline; with a key: wandb sync {folder / 'wandb' / 'offline-run-*'}")

    def all(self) -> list[Logger]:
        return [*self._trackers, self.table]

    def log_settings(self, settings: Mapping[str, Any]) -> None:
        """Tells every logger what the run was made with."""
        for logger in self.all():
            logger.log_hyperparams(dict(settings))

    def log_graph(self, module: LightningModule) -> None:
        for tracker in self._trackers:
            if hasattr(tracker, "log_graph"):
                tracker.log_graph(module)

    def go_on(self, rows: Rows) -> None:
        """Takes over the rows of the generations that a resumed run goes on from, and tells the trackers the newest
        again: a killed process may have told nobody.
        """
        self.table.restore(rows)
        newest = max((row.get(MINUTES, 0.0) for row in rows.values()), default=0.0)
        for step, row in rows.items():
            if row.get(MINUTES, newest) >= newest - LOST_MINUTES:
                for tracker in self._trackers:
                    tracker.log_metrics(row, step=step)

    def log_steps(self, figures: Mapping[str, float], step: int) -> None:
        """Of training within a generation, for those that draw curves. `step`: of the optimizer."""
        for tracker in self._showing():
            if hasattr(tracker, "log_steps"):
                with _without_it(tracker):
                    tracker.log_steps(figures, step=step)

    def show(self, exhibits: Sequence[Exhibit], *, step: int) -> None:
        for tracker in self._showing():
            with _without_it(tracker):
                tracker.show(exhibits, step=step)

    def conclude(self, conclusion: Conclusion) -> None:
        """Ends the run in each, whatever becomes of the others."""
        for tracker in self._showing():
            with _without_it(tracker):
                tracker.conclude(conclusion)

    def wants_exhibits(self) -> bool:
        return bool(self._showing())

    def _showing(self) -> list[Tracker]:
        return [tracker for tracker in self._trackers if hasattr(tracker, "show") and hasattr(tracker, "conclude")]


@contextmanager
def _without_it(tracker: Tracker) -> Iterator[None]:
    """A run goes on, and ends as it would have, without what a tracker could not write."""
    try:
        yield
    except OSError as error:
        log.warning("%s has not everything: %s", type(tracker).__name__, error)


def tracking_id() -> str | None:
    """The id that an agent of `wandb sweep` has given to this process's run."""
    return os.environ.get("WANDB_RUN_ID") if os.environ.get("WANDB_SWEEP_ID") else None
