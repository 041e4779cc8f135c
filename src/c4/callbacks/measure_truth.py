"""Grades the newest weights against perfect play while a run trains, within a share of its time.

What it learns about positions goes to the loggers and nowhere else. Games that nobody has solved have no truth: the
baseline measures those (callbacks/baseline.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.callbacks.periodic_measurement import PeriodicMeasurement
from c4.datamodule import datamodule_of
from c4.evaluation.judges import Budgets, bare_network, calm_search, searched
from c4.evaluation.labels import LabelledSet
from c4.evaluation.report import Graded, Report, brief_report, final_figures, set_figures
from c4.evaluation.schedule import TimeShare
from c4.evaluation.selfplay_audit import audit_figures, game_records, selfplay_audit, spread
from c4.evaluation.sets import chosen_sets, labelled_set, set_names, subset
from c4.network.inference.engine import Judge
from c4.params.evaluation import EvaluationParams
from c4.params.search import SearchParams
from c4.players.oracle import NoOracleError, oracle
from c4.ranks import Ranks
from c4.run.folder import RunFolder
from c4.run.kept import keep_audit

log = logging.getLogger(__name__)

TakeReport = Callable[[Report, int], None]
"""Takes a grading and the generation that it is of."""

AUDITS_PART = 0.4  # of the time for grading: audits are costly, and the main figure matters more


class MeasureTruth(PeriodicMeasurement):
    """`judge` is the engine that plays."""

    def __init__(
        self,
        *,
        game: str,
        judge: Judge,
        search: SearchParams,
        played_with: SearchParams,
        params: EvaluationParams,
        opening_plies: int,
        report: TakeReport | None,
    ) -> None:
        """`search` grades; `played_with` is self-play's, which its games are audited by. `report` is given every
        grading as a whole, for trackers; None where there are none.
        """
        super().__init__(every=params.grading.every, time_share=params.grading.time_share)
        self._game, self._judge, self._params = game, judge, params
        self._search, self._played_with = search, played_with
        self._opening_plies, self._report = opening_plies, report
        self._mechanics = Budgets(trees=params.trees, threads=params.threads, cache_megabytes=params.cache_megabytes)
        self._dev: LabelledSet | None = None
        self._audits = params.grading.games > 0
        self._audit_share = TimeShare(params.grading.time_share * AUDITS_PART)

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if names := set_names(self._game):
            self._dev = labelled_set(names[0], game=self._game)
        self._audit_share = TimeShare(self._params.grading.time_share * AUDITS_PART)
        super().on_train_start(trainer, pl_module)

    @override
    def measure(self, trainer: Trainer) -> dict[str, float]:
        if self._dev is None:
            return {}
        small = subset(self._dev, count=self._params.grading.positions)
        report = self._told(self._graded(self._dev, searched_on=small), trainer=trainer)
        metrics = set_figures(report, self._dev.name, prefix="truth/")
        if self._audits and self._audit_share.is_paid():
            with self._audit_share.paying():
                metrics |= self._audit(trainer)
        return metrics

    @override
    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        if self._dev is None or not self._params.grading.at_end or not Ranks.here().is_first:
            return
        data = datamodule_of(trainer)
        data.publish()
        everything: list[Graded] = []
        for labels in chosen_sets(self._params.sets, game=self._game):
            everything += self._graded(labels, searched_on=labels, also=self._params.grading.also_at_end)
        report = self._told(everything, trainer=trainer)
        for logger in trainer.loggers:  # a module cannot log any more once training has ended
            logger.log_metrics(final_figures(report), step=data.ledger.generation)

    def _graded(self, labels: LabelledSet, *, searched_on: LabelledSet, also: Sequence[int] = ()) -> list[Graded]:
        budgets = sorted({*self._params.grading.simulations, *also})
        graded = []
        if 0 in budgets:
            graded.append(Graded(labels=labels, simulations=0, judgement=bare_network(labels, self._judge)))
        if thinking := [budget for budget in budgets if budget > 0]:
            found = searched(
                searched_on.positions(), self._judge, params=self._search, simulations=thinking, budgets=self._mechanics
            )
            graded += [Graded(labels=searched_on, simulations=one, judgement=found[one]) for one in thinking]
        return graded

    def _told(self, graded: Sequence[Graded], *, trainer: Trainer) -> Report:
        report = brief_report(graded, game=self._game, search=self._search, params=self._params)
        if self._report is not None and graded:
            self._report(report, datamodule_of(trainer).ledger.generation)
        return report

    def _audit(self, trainer: Trainer) -> dict[str, float]:
        """What the games of this generation owe to the truth, kept with the run; empty without a solver."""
        data = datamodule_of(trainer)
        harvest = data.harvest
        games = spread(harvest.games, count=self._params.grading.games)
        if not games:
            return {}
        try:
            audit = selfplay_audit(
                game=self._game,
                records=game_records(games),
                value=oracle(self._game).value,
                calm_search=calm_search(
                    game=self._game, judge=self._judge, search=self._played_with, budgets=self._mechanics
                ),
                opening_plies=self._opening_plies,
                samples=harvest.samples,
            )
        except NoOracleError as error:
            log.warning("self-play is not audited: %s", error)
            self._audits = False
            return {}
        keep_audit(RunFolder(path=Path(trainer.default_root_dir)), audit, generation=data.ledger.generation)
        return {f"truth/selfplay/{name}": figure for name, figure in audit_figures(audit).items()}
