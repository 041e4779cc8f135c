"""What every rank of a run is made of: the callbacks that all of them need, in one order, their data and their Trainer.

Only the first rank writes files, grades, logs and speaks; what it adds to this is in training.py. The others follow.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import torch
from lightning_fabric.plugins.environments.lightning import LightningEnvironment
from lightning_fabric.utilities.exceptions import MisconfigurationException
from pytorch_lightning import Callback, Trainer
from pytorch_lightning.loggers.logger import Logger

from c4.callbacks.log_generation import LogGeneration
from c4.callbacks.measure_baseline import MeasureBaseline
from c4.callbacks.measure_own import MeasureOwn
from c4.callbacks.measure_truth import MeasureTruth, TakeReport
from c4.callbacks.periodic_measurement import Beside
from c4.callbacks.prune_trial import PruneTrial
from c4.callbacks.run_checkpoint import RunCheckpoint
from c4.callbacks.stop_on_signal import StopOnSignal
from c4.callbacks.watch_health import WatchHealth
from c4.datamodule import C4DataModule
from c4.evaluation.beside import Graders, contract_of
from c4.games import game_spec
from c4.ledger import Ledger
from c4.lightning_module import C4Module
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.symmetric import SymmetricEngine
from c4.network.network import make_network
from c4.own import Own, own_parts
from c4.params.errors import ConfigError
from c4.params.train import TrainConfig
from c4.params.trainer import Accelerator
from c4.run.archive import Archive
from c4.run.folder import RunFolder
from c4.run.train_log import LIGHTNING
from c4.selfplay.engine import selfplay_engine
from c4.selfplay.source import Watch


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    """What a rank must be told: plain enough to be sent."""

    config: TrainConfig  # as it is used
    folder: RunFolder
    header: Mapping[str, Any]  # of the run's states
    card: Mapping[str, Any]  # of its players
    state: Path | None  # to go on from
    ledger: Mapping[str, Any] | None  # as it was then, with what the clock said
    openings: Sequence[Sequence[int]] | None
    prunes: bool  # whether a search may end the run early


class Fitting:
    """One rank's."""

    def __init__(self, plan: Plan, *, own: Own, engine: InferenceEngine, tell: Callable[[int], None]) -> None:
        """`tell` passes a signal on."""
        self._plan, self._own, self._engine = plan, own, engine
        self.signals = StopOnSignal(tell=tell)
        self.checkpoint = RunCheckpoint(
            params=plan.config.callbacks.checkpoint,
            folder=plan.folder,
            header=plan.header,
            card=plan.card,
            graded_late=plan.config.selfplay.grades_beside,
        )
        self.own_metrics = MeasureOwn(own.metrics)
        self.module = C4Module.of(plan.config, losses=own.losses)

    def fit(
        self,
        *,
        ledger: Ledger,
        archive: Archive,
        report: TakeReport | None,
        callbacks: Sequence[Callback],
        loggers: Sequence[Logger] = (),
        watches: Sequence[Watch] = (),
    ) -> None:
        """`callbacks` are those of this rank alone; `report` is given each grading."""
        config = self._plan.config
        data = C4DataModule.of(
            config,
            engine=self._engine,
            ledger=ledger,
            archive=archive,
            watches=[self.signals.watch, *watches],
            openings=self._plan.openings,
        )
        everywhere = [
            self.signals,
            WatchHealth(params=config.callbacks.health, root_selection=config.search.root_selection),
            LogGeneration(),
            *self._measurements(report),
            self.own_metrics,
            *self._own.callbacks,
            self.checkpoint,
        ]
        trainer = self._trainer([*everywhere, *callbacks], loggers)
        try:
            trainer.fit(self.module, datamodule=data, ckpt_path=self._plan.state, weights_only=True)
        finally:
            data.source.close()

    def _measurements(self, report: TakeReport | None) -> list[Callback]:
        config, game, engine = self._plan.config, self._plan.config.game.name, self._engine
        if config.inference.average_symmetries:
            engine = SymmetricEngine(engine, spec=game_spec(game))
        beside = self._beside()
        return [
            MeasureTruth(
                game=game,
                judge=engine,
                search=config.grading_search,
                played_with=config.search,
                params=config.evaluation,
                opening_plies=config.callbacks.health.opening_plies,
                report=report,
                beside=beside,
            ),
            MeasureBaseline(
                game=game,
                judge=engine,
                search=config.search,
                params=config.evaluation,
                seed=config.seed,
                beside=beside,
            ),
        ]

    def _beside(self) -> Beside | None:
        config = self._plan.config
        if not config.selfplay.grades_beside:
            return None
        graders = Graders(contract_of(config), params=config.selfplay)
        return Beside(graders=graders, take=lambda late: self.checkpoint.graded(late, module=self.module))

    def _trainer(self, callbacks: Sequence[Callback], loggers: Sequence[Logger]) -> Trainer:
        params = self._plan.config.trainer
        ours: dict[str, Any] = {
            "accelerator": params.accelerator.value,
            "devices": params.devices,
            "strategy": params.shared_by.value,
            "plugins": [LightningEnvironment()] if params.devices > 1 else None,
            "precision": params.precision.value,
            "deterministic": params.deterministic,
            "max_epochs": -1,
            "num_sanity_val_steps": 0,
            "log_every_n_steps": 1,
            "callbacks": [*callbacks],
            "logger": [*loggers],
            "enable_progress_bar": False,
            "enable_model_summary": False,
            "default_root_dir": self._plan.folder.path,
        }
        try:
            return Trainer(**{**ours, **self._own.trainer})
        except (MisconfigurationException, TypeError, ValueError) as error:  # of a value that Lightning does not take
            raise ConfigError(f"trainer: {' '.join(str(error).split())}") from error


def follow(plan: Plan) -> None:
    """What a rank does that is not the first: it plays and learns its share, and says nothing."""
    for name in ("", *LIGHTNING):  # the first rank says the same
        logging.getLogger(name).handlers = [logging.NullHandler()]
    warnings.simplefilter("ignore")
    config = plan.config
    torch.manual_seed(config.seed)
    if config.trainer.accelerator is not Accelerator.CPU and torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    own, network = own_parts(config), make_network(game_spec(config.game.name), config.network)
    with closing(selfplay_engine(config, config.inference, network=network)) as engine:
        fitting = Fitting(plan, own=own, engine=engine, tell=lambda _: None)
        heard = [PruneTrial(table=None, report=None)] if plan.prunes else []
        ledger = Ledger(config.budget)
        if plan.ledger is not None:
            ledger.load_state_dict(plan.ledger)
        fitting.fit(ledger=ledger, archive=plan.folder.archive, report=None, callbacks=heard)
