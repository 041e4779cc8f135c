"""Composition root of a training run: makes its parts from the configuration, puts them together, says how it ended."""

from __future__ import annotations

import dataclasses
import logging
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Protocol, cast

import torch
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig
from pytorch_lightning import Callback, LightningModule

from c4.callbacks.begin_run import BeginRun
from c4.callbacks.keep_games import KeepGames
from c4.callbacks.log_steps import LogSteps
from c4.callbacks.prune_trial import PrunedRun, PruneTrial
from c4.callbacks.show_progress import ShowProgress
from c4.callbacks.stop_on_signal import InterruptedRun
from c4.cli import RunError
from c4.endings import Endings, one_sentence, reason_of
from c4.evaluation.failures import read_openings
from c4.evaluation.report import Report
from c4.fitting import Fitting, Plan, follow
from c4.games import game_spec
from c4.ledger import Ledger
from c4.lightning_module import C4Module
from c4.network.inference.engine import EngineUnavailableError, InferenceEngine
from c4.network.inference.processor import check_accelerator, training_format
from c4.network.network import make_network, of_its_own
from c4.network.weights import SEARCH_OF_RUN
from c4.others import Others, check_launch
from c4.own import own_parts
from c4.params.callbacks import ProgressParams
from c4.params.effect import without_effect
from c4.params.inference import InferenceParams
from c4.params.monitors import logged_by
from c4.params.plain import as_plain, from_plain
from c4.params.train import TrainConfig
from c4.params.trainer import Precision
from c4.params.walk import build
from c4.run.about import Facts, read_facts, run_facts
from c4.run.begin import begin
from c4.run.disk import DiskNeed, need_of, say_need
from c4.run.folder import RunFolder, StateError
from c4.run.kept import keep_mistakes
from c4.run.lock import alone_in
from c4.run.outcome import has_finished
from c4.run.state import check_fit, state_to_go_on_from
from c4.run.train_log import SHOWN, logging_into
from c4.selfplay.engine import chosen_engine, selfplay_engine
from c4.sweeps.jobs import of_a_sweep, report_of
from c4.tracking.delivery import Delivery
from c4.tracking.loggers import Loggers, tracking_id
from c4.tracking.view import View

log = logging.getLogger(__name__)


class OpenView(Protocol):
    """Makes what a person sees of a run."""

    def __call__(self, *, params: ProgressParams, title: str) -> View: ...


def train(composed: DictConfig, *, started: float, open_view: OpenView) -> float | None:
    """Runs to the end of the budget and returns the best of the monitored metric.

    Raises RunError when the run cannot go on, SystemExit when it was asked to stop. `started` is when the process
    began, on the monotonic clock.
    """
    config = build(TrainConfig, composed)
    folder = RunFolder(path=Path(HydraConfig.get().runtime.output_dir))
    view, begun = open_view(params=config.callbacks.progress, title=f"c4 · {config.name}"), Event()
    said = one_sentence(config, folder=folder, begun=begun)
    try:
        with alone_in(folder), logging_into(folder.log, say=view.say), said:
            check_launch()
            check_accelerator(config.trainer.accelerator)
            return _Run(config, folder=folder, view=view, begun=begun).train(started=started)
    except (StateError, OSError) as error:  # somebody else is in the folder, or nobody may be
        raise RunError(reason_of(error, folder=folder)) from error
    finally:
        view.close()


class _Run:
    """One run, new or resumed."""

    def __init__(self, config: TrainConfig, *, folder: RunFolder, view: View, begun: Event) -> None:
        """Sets `begun` when the run can no longer be refused, and changes its folder."""
        config = dataclasses.replace(config, network=of_its_own(config.network))
        self._config, self._folder, self._view, self._begun = config, folder, view, begun
        torch.manual_seed(config.seed)  # something of a person's own may draw what it begins with
        self._own = own_parts(config)
        self._game = game_spec(config.game.name)
        self._state = state_to_go_on_from(config.resume, folder=folder)
        book = config.evaluation.openings
        self._openings = None if book is None else read_openings(Path(book), game=self._game.name)
        self._network = make_network(self._game, config.network)
        header, kept = {}, None
        if self._state is not None:
            check_fit(self._state, game=self._game.name, network=as_plain(config.network))
            header = self._state.header
            kept = from_plain(InferenceParams, header["inference"])
        self._inference = chosen_engine(config, network=self._network, kept=kept)
        self._precision = training_format(config.trainer, kept=header.get("precision"))
        self._config = dataclasses.replace(  # as they are used
            config,
            inference=self._inference,
            trainer=dataclasses.replace(config.trainer, precision=Precision(self._precision)),
        )
        begun_as = None if config.resume is None else read_facts(folder).get("run_id")
        self._header = {
            "game": self._game.name,
            "network": as_plain(config.network),
            "inference": as_plain(self._inference),
            "precision": self._precision,
            "run_id": header.get("run_id") or begun_as or tracking_id() or uuid.uuid4().hex[:8],
        }

    def train(self, *, started: float) -> float | None:
        ledger = Ledger(self._config.budget, started=started)
        if self._state is not None:
            ledger.load_state_dict(self._state.ledger)
            if has_finished(self._folder):
                ledger.check_unspent()
        with closing(selfplay_engine(self._config, self._inference, network=self._network)) as engine:
            return self._tracked(engine, ledger)

    def _tracked(self, engine: InferenceEngine, ledger: Ledger) -> float | None:
        config, folder, run_id = self._config, self._folder, str(self._header["run_id"])
        words, inference = HydraConfig.get().overrides.task, self._inference
        formats = {"engine": inference.precision.value, "training": self._precision}
        facts = run_facts(seed=config.seed, engine=inference.engine.value, formats=formats, run_id=run_id, words=words)
        loggers = Loggers(
            of_a_sweep(config.logger),
            folder=folder.path,
            name=config.name,
            run_id=run_id,
            commit=str(facts["commit"]),
            typed=words,
            metrics=logged_by(config).names(at_end=False),
            others=self._own.loggers,
        )
        delivery, ended = Delivery(loggers, folder=folder), False
        try:
            best = self._fit(engine, loggers, delivery, ledger, facts=facts)
            ended = True
            return best
        except SystemExit:  # as it was asked to
            ended = True
            raise
        finally:
            delivery.conclude(failed=not ended)

    def _fit(
        self, engine: InferenceEngine, loggers: Loggers, delivery: Delivery, ledger: Ledger, *, facts: Facts
    ) -> float | None:
        config, folder, table = self._config, self._folder, loggers.table
        plan = Plan(
            config=config,
            folder=folder,
            header=self._header,
            card={"run": config.name, "seed": config.seed, SEARCH_OF_RUN: as_plain(config.search)},
            state=None if self._state is None else self._state.path,
            ledger=None if self._state is None else self._state.ledger,
            openings=self._openings,
            prunes=report_of(folder.path) is not None,
        )
        others = Others(config.trainer.devices - 1)
        fitting = Fitting(plan, own=self._own, engine=engine, tell=others.tell)
        checkpoint, own_metrics = fitting.checkpoint, fitting.own_metrics
        progress = ShowProgress(view=self._view, ledger=ledger, table=table, params=config.callbacks.progress)

        def begin_run(module: LightningModule) -> None:
            plain, words = as_plain(config), HydraConfig.get().overrides.task
            rows = begin(folder, state=self._state, config=plain, facts=facts, words=words)
            self._begun.set()
            log.info("%s, of commit %s", facts["command"], facts["commit"], extra=SHOWN)
            for sentence in without_effect(config, (word.lstrip("+").partition("=")[0] for word in words)):
                log.warning("%s", sentence, extra=SHOWN)
            say_need(_disk_need(config, cast("C4Module", module)), folder=folder)
            loggers.log_settings({**plain, "facts": facts})
            for hint in loggers.hints:
                log.info("%s", hint)
            if self._state is not None:
                loggers.go_on(rows)
                reached = self._state.header["metrics"]
                checkpoint.complete(cast("C4Module", module), generation=self._state.generation, reached=reached)

        def take_report(report: Report, generation: int) -> None:
            keep_mistakes(folder, report["worst"], generation=generation)
            own_metrics.graded(report, generation)
            if loggers.wants_exhibits():
                delivery.graded(report, generation)

        mine: list[Callback] = [  # beside those that all ranks have, in any order: c4/phases.py
            BeginRun(begin_run),
            progress,
            KeepGames(params=config.callbacks.keeping, folder=folder),
        ]
        mine += self._told(loggers)
        endings = Endings(config, folder=folder, view=self._view)
        signals = fitting.signals
        try:
            loggers.log_graph(fitting.module)
            with others.at_work(follow, plan):
                fitting.fit(
                    ledger=ledger,
                    archive=folder.archive if self._state is None else self._state.archive,
                    report=take_report,
                    callbacks=mine,
                    loggers=loggers.all(),
                    watches=[progress.watch],
                )
            if tree := config.evaluation.grading.tree:
                engine.load(fitting.module.play_weights())
                delivery.searched(engine, game=self._game.name, search=config.grading_search, simulations=tree)
        except (InterruptedRun, EngineUnavailableError) as stop:
            if signals.received is None:
                raise  # else Ctrl-C has ended a compiler too
            endings.stopped(by=signals.received.name)
            raise SystemExit(128 + signals.received) from stop
        except PrunedRun:
            endings.pruned(table.rows)
        else:
            endings.finished(table.rows, checkpoint=checkpoint)
        finally:
            signals.remove()
        return checkpoint.best

    def _told(self, loggers: Loggers) -> Iterator[Callback]:
        """Those that tell somebody else of this run how it goes."""
        if (every := self._config.logger.every_steps) and loggers.wants_exhibits():
            yield LogSteps(every=every, tell=loggers.log_steps)
        if report := report_of(self._folder.path):
            yield PruneTrial(table=loggers.table, report=report)


def _disk_need(config: TrainConfig, module: C4Module) -> DiskNeed:
    """An optimizer keeps two moments of a weight at most."""
    moments = 2 * sum(weight.nbytes for weight in module.parameters() if weight.requires_grad)
    learning = sum(tensor.nbytes for tensor in module.state_dict().values()) + moments
    weights = sum(tensor.nbytes for tensor in module.play_weights().values())
    return need_of(config, weights=weights, learning=learning)
