"""Composition root of a training run: makes its parts from the configuration, puts them together, says how it ended."""

from __future__ import annotations

import dataclasses
import logging
import signal
import uuid
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Protocol

import torch
from hydra.core.hydra_config import HydraConfig
from lightning_fabric.utilities.exceptions import MisconfigurationException
from omegaconf import DictConfig
from pytorch_lightning import Callback, Trainer
from pytorch_lightning.loggers.logger import Logger

from c4.callbacks.keep_games import KeepGames
from c4.callbacks.log_generation import LogGeneration
from c4.callbacks.measure_baseline import MeasureBaseline
from c4.callbacks.measure_own import MeasureOwn
from c4.callbacks.measure_truth import MeasureTruth, TakeReport
from c4.callbacks.prune_trial import PrunedRun, PruneTrial
from c4.callbacks.run_checkpoint import RunCheckpoint
from c4.callbacks.show_progress import ShowProgress
from c4.callbacks.stop_on_signal import InterruptedRun, StopOnSignal
from c4.callbacks.watch_health import UnhealthyError, WatchHealth
from c4.cli import USAGE, RunError
from c4.datamodule import C4DataModule
from c4.evaluation.failures import BookError, read_openings
from c4.evaluation.report import Report
from c4.games import UnknownGameError, game_spec
from c4.ledger import BudgetSpentError, Ledger
from c4.lightning_module import C4Module
from c4.network.inference.auto import choose, precise
from c4.network.inference.engine import EngineUnavailableError, InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.inference.processor import check_accelerator, cores, training_format
from c4.network.inference.symmetric import SymmetricEngine
from c4.network.network import make_network, of_its_own
from c4.network.weights import save_player
from c4.own import own_parts
from c4.params.callbacks import ProgressParams
from c4.params.inference import EngineName, InferenceParams
from c4.params.plain import as_plain, from_plain
from c4.params.target import trusting
from c4.params.train import TrainConfig
from c4.params.walk import ConfigError, build
from c4.replay.window import Window
from c4.run.about import read_facts, run_facts, write_about
from c4.run.claim import check_unused
from c4.run.finding import run_named
from c4.run.folder import RunFolder, StateError
from c4.run.kept import keep_mistakes
from c4.run.lock import alone_in
from c4.run.outcome import Ending, has_finished, write_outcome
from c4.run.result import how_to_go_on, result_lines
from c4.run.state import RunState, check_fit, newest_whole
from c4.run.train_log import logging_into
from c4.selfplay.local import LocalSource
from c4.selfplay.source import Watch
from c4.sweeps.jobs import of_a_sweep, report_of
from c4.tracking.delivery import Delivery
from c4.tracking.loggers import LoggerError, Loggers, tracking_id
from c4.tracking.metrics_csv import MetricsCsv
from c4.tracking.view import View

log = logging.getLogger(__name__)


class OpenView(Protocol):
    """Makes what a person sees of a run."""

    def __call__(self, *, params: ProgressParams, title: str) -> View: ...


ASKED_WRONGLY = (BookError, ConfigError, EngineUnavailableError)
REFUSED = (*ASKED_WRONGLY, BudgetSpentError, LoggerError, StateError)
"""Errors that come before anything is done."""

SAID_ALREADY = (*REFUSED, MisconfigurationException, UnknownGameError)
"""Errors whose text is all that a person needs."""


def train(composed: DictConfig, *, started: float, open_view: OpenView) -> float | None:
    """Runs to the end of the budget and returns the best of the monitored metric.

    Raises RunError when the run cannot go on, SystemExit when it was asked to stop. `started` is when the process
    began, on the monotonic clock.
    """
    config = build(TrainConfig, composed)
    folder = RunFolder(path=Path(HydraConfig.get().runtime.output_dir))
    view = open_view(params=config.callbacks.progress, title=f"c4 · {config.name}")
    try:
        with alone_in(folder), logging_into(folder.log, say=view.say):
            check_accelerator(config.trainer.accelerator)
            return _Run(config, folder=folder, view=view).train(started=started)
    except (*SAID_ALREADY, UnhealthyError, OSError) as error:
        reason, needs = str(error).splitlines()[0], trusting(as_plain(config))
        if isinstance(error, OSError) and error.strerror:
            reason = f"{error.strerror}: {error.filename or folder.path}"
        if not (isinstance(error, REFUSED) and folder.has_config()):  # what stands there of an earlier end still holds
            with suppress(OSError):  # where the disk is full there is no room for this either
                write_outcome(folder, ending=Ending.FAILED, reason=reason, metrics={})
        if isinstance(error, UnhealthyError):  # the same again would end the same
            slower = f"model.learning_rate={config.model.learning_rate / 2:g}"
            reason += f"; {how_to_go_on(folder, change=slower, needs=needs)}"
        if isinstance(error, OSError):
            reason += f"; {how_to_go_on(folder, needs=needs)}"
        raise RunError(reason, code=USAGE if isinstance(error, ASKED_WRONGLY) else 1) from error
    finally:
        view.close()


class _Run:
    """One run, new or gone on with."""

    def __init__(self, config: TrainConfig, *, folder: RunFolder, view: View) -> None:
        config = dataclasses.replace(config, network=of_its_own(config.network))
        self._config, self._folder, self._view = config, folder, view
        torch.manual_seed(config.seed)  # something of a person's own may draw what it begins with
        self._own = own_parts(config)
        self._game = game_spec(config.game.name)
        self._state = _state_of(config, folder=folder)
        book = config.evaluation.openings
        self._openings = None if book is None else read_openings(Path(book), game=self._game.name)
        self._network = make_network(self._game, config.network)
        self._inference = self._choose_engine()
        header = self._state.header if self._state else {}
        self._precision = training_format(config.trainer, kept=header.get("precision"))
        self._header = {
            "game": self._game.name,
            "network": as_plain(config.network),
            "inference": as_plain(self._inference),
            "precision": self._precision,
            "run_id": header.get("run_id") or _kept_id(config, folder=folder) or tracking_id() or uuid.uuid4().hex[:8],
        }

    def train(self, *, started: float) -> float | None:
        ledger = Ledger(self._config.budget, started=started)
        if self._state is not None:
            ledger.load_state_dict(self._state.ledger)
            if has_finished(self._folder):
                ledger.check_unspent()
        one_image = dataclasses.replace(self._inference, average_symmetries=False)  # self-play's
        with closing(make_engine(one_image, spec=self._game, network=self._network)) as engine:
            return self._tracked(engine, ledger)

    def _tracked(self, engine: InferenceEngine, ledger: Ledger) -> float | None:
        config, folder = self._config, self._folder
        run_id = str(self._header["run_id"])
        words = HydraConfig.get().overrides.task
        facts = run_facts(seed=config.seed, engine=self._inference.engine.value, run_id=run_id, words=words)
        loggers = Loggers(
            of_a_sweep(config.logger),
            folder=folder.path,
            name=config.name,
            run_id=run_id,
            commit=str(facts["commit"]),
            first_step=ledger.generation + 1,
            others=self._own.loggers,
        )
        write_about(folder, config=as_plain(config), facts=facts)  # late: what is refused changes no run
        delivery, ended = Delivery(loggers, folder=folder), False
        try:
            loggers.log_settings({**as_plain(config), "facts": facts})
            for hint in loggers.hints:
                log.info("%s", hint)
            best = self._fit(engine, loggers, delivery, ledger)
            ended = True
            return best
        except SystemExit:  # as it was asked to
            ended = True
            raise
        finally:
            delivery.conclude(failed=not ended)

    def _fit(self, engine: InferenceEngine, loggers: Loggers, delivery: Delivery, ledger: Ledger) -> float | None:
        config, table = self._config, loggers.table
        if self._state and len(table.rows) < ledger.generation:  # killed between saving and logging
            table.log_metrics(self._state.header["metrics"], step=ledger.generation)
        if self._state:
            loggers.tell_again()
        interrupts = StopOnSignal(say=self._view.say)
        progress = ShowProgress(view=self._view, ledger=ledger, table=table, params=config.callbacks.progress)
        data = self._data(engine, ledger=ledger, watches=[interrupts.watch, progress.watch])
        torch.set_num_threads(1)  # steps are shared by workers instead: c4/shards.py
        torch.set_flush_denormal(True)
        torch.manual_seed(config.seed)
        module = C4Module(
            spec=self._game,
            network=config.network,
            model=config.model,
            workers=config.trainer.threads or cores(),
            losses=self._own.losses,
        )
        own_metrics = MeasureOwn(self._own.metrics)
        checkpoint = RunCheckpoint(
            params=config.callbacks.checkpoint,
            folder=self._folder,
            header=self._header,
            save_player=lambda path, reached: save_player(
                path,
                spec=self._game,
                design=config.network,
                state=module.play_weights(),
                card={
                    "run": config.name,
                    "seed": config.seed,
                    "generation": ledger.generation,
                    "metrics": dict(reached),
                },
            ),
        )

        def take_report(report: Report, generation: int) -> None:
            keep_mistakes(self._folder, report["worst"], generation=generation)
            own_metrics.graded(report, generation)
            if loggers.wants_exhibits():
                delivery.graded(report, generation)

        trainer = self._trainer(
            loggers.all(),
            [
                interrupts,
                WatchHealth(params=config.callbacks.health, root_selection=config.search.root_selection),
                LogGeneration(),
                progress,
                KeepGames(params=config.callbacks.keeping, folder=self._folder),
                *self._measurements(engine, report=take_report),
                own_metrics,
                *self._own.callbacks,
                checkpoint,
                *([PruneTrial(table=table, report=report)] if (report := report_of(self._folder.path)) else []),
            ],
        )
        try:
            trainer.fit(module, datamodule=data, ckpt_path=self._state.path if self._state else None, weights_only=True)
        except (InterruptedRun, EngineUnavailableError) as stop:
            if interrupts.received is None:
                raise  # else Ctrl-C has ended a compiler too
            self._stopped(interrupts.received)
            raise SystemExit(128 + interrupts.received) from stop
        except PrunedRun:
            self._pruned(table)
            return checkpoint.best
        finally:
            interrupts.remove()
        self._finished(table, checkpoint)
        return checkpoint.best

    def _data(self, engine: InferenceEngine, *, ledger: Ledger, watches: list[Watch]) -> C4DataModule:
        config = self._config
        source = LocalSource(
            game=self._game, search=config.search, selfplay=config.selfplay, engine=engine, seed=config.seed
        )
        return C4DataModule(
            params=config.data,
            source=source,
            window=Window(game=self._game.name, params=config.data),
            archive=self._state.archive if self._state else self._folder.archive,
            ledger=ledger,
            seed=config.seed,
            watches=watches,
            openings=self._openings,
        )

    def _measurements(self, engine: InferenceEngine, *, report: TakeReport | None) -> list[Callback]:
        if self._inference.average_symmetries:
            engine = SymmetricEngine(engine, spec=self._game)
        config, game = self._config, self._game.name
        return [
            MeasureTruth(
                game=game,
                judge=engine,
                search=config.grading_search,
                played_with=config.search,
                params=config.evaluation,
                opening_plies=config.callbacks.health.opening_plies,
                report=report,
            ),
            MeasureBaseline(game=game, judge=engine, search=config.search, params=config.evaluation, seed=config.seed),
        ]

    def _trainer(self, loggers: list[Logger], callbacks: list[Callback]) -> Trainer:
        params = self._config.trainer
        ours: dict[str, Any] = {
            "accelerator": params.accelerator.value,
            "devices": 1,
            "precision": self._precision,
            "deterministic": params.deterministic,
            "max_epochs": -1,
            "reload_dataloaders_every_n_epochs": 1,
            "num_sanity_val_steps": 0,
            "log_every_n_steps": 1,
            "callbacks": callbacks,
            "logger": loggers,
            "enable_progress_bar": False,
            "enable_model_summary": False,
            "default_root_dir": self._folder.path,
        }
        try:
            return Trainer(**{**ours, **self._own.trainer})
        except (MisconfigurationException, TypeError, ValueError) as error:  # of a value that Lightning does not take
            raise ConfigError(f"trainer: {' '.join(str(error).split())}") from error

    def _choose_engine(self) -> InferenceParams:
        """A run keeps the engine it began with: engines round differently."""
        wanted, selfplay = self._config.inference, self._config.selfplay
        if self._state is not None:
            check_fit(self._state, game=self._game.name, network=as_plain(self._config.network))
            kept = from_plain(InferenceParams, self._state.header["inference"])
            if wanted.engine is EngineName.AUTO:
                wanted = dataclasses.replace(precise(wanted, kept.engine), precision=kept.precision)
        choice = choose(
            wanted,
            spec=self._game,
            network=self._network,
            rows=selfplay.games_per_group * self._config.search.leaves_per_batch,
            in_flight=selfplay.groups,
        )
        log.info("%s", choice)
        return choice.params

    def _stopped(self, received: signal.Signals) -> None:
        sentence = how_to_go_on(self._folder, needs=trusting(as_plain(self._config)))
        write_outcome(self._folder, ending=Ending.STOPPED, reason=received.name, metrics={})
        self._view.close()
        self._view.say(f"stopped by {received.name}: {sentence}")

    def _pruned(self, table: MetricsCsv) -> None:
        write_outcome(self._folder, ending=Ending.PRUNED, reason="", metrics=table.rows[-1])
        self._view.close()
        self._view.say(f"ended early after generation {len(table.rows)}")

    def _finished(self, table: MetricsCsv, checkpoint: RunCheckpoint) -> None:
        rows = table.rows
        write_outcome(self._folder, ending=Ending.FINISHED, reason="", metrics=rows[-1] if rows else {})
        monitor = self._config.callbacks.checkpoint.monitor
        if monitor is not None and checkpoint.best is None:
            log.warning("callbacks.checkpoint.monitor=%s was never logged: the best player is the newest", monitor)
        self._view.close()
        for line in result_lines(
            rows,
            title=self._game.title,
            folder=self._folder,
            best_generation=checkpoint.best_generation,
            needs=trusting(as_plain(self._config.network)),
        ):
            self._view.say(line)


def _kept_id(config: TrainConfig, *, folder: RunFolder) -> str | None:
    known = None if config.resume is None else read_facts(folder).get("run_id")
    return None if known is None else str(known)


def _state_of(config: TrainConfig, *, folder: RunFolder) -> RunState | None:
    """Where the run in this folder goes on from; says which newer states were passed over and why."""
    if config.resume is None:
        check_unused(folder)
        return None
    begun, state = run_named(config.resume)
    if not begun.path.samefile(folder.path):
        raise StateError(f"resume={config.resume}: a run goes on in its own folder only, and not by multirun (-m)")
    folder.remove_leftovers()
    if not folder.states():
        log.info("nothing was saved of this run yet: it begins again")
        return None
    found = newest_whole(folder, upto=state)
    for problem in found.problems:
        log.warning("%s: going on from %s instead", problem, found.path.name)
    return found
