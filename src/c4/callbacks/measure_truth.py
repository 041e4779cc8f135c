"""Grades the newest weights against perfect play while a run trains, within a share of its time.

What it learns about positions goes to the loggers and nowhere else. Games that nobody has solved have no truth: the
baseline measures those (callbacks/baseline.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.callbacks.periodic_measurement import Beside, PeriodicMeasurement
from c4.datamodule import datamodule_of
from c4.evaluation.beside import truth_job
from c4.evaluation.gradings import Grading
from c4.evaluation.judges import calm_search
from c4.evaluation.labels import LabelledSet
from c4.evaluation.report import Report, final_figures, set_figures
from c4.evaluation.schedule import TimeShare
from c4.evaluation.selfplay_audit import audit_figures, game_records, selfplay_audit, spread
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
        beside: Beside | None,
    ) -> None:
        """`search` grades; `played_with` is self-play's, which its games are audited by. `report` is given every
        grading as a whole, for trackers; None where there are none.
        """
        super().__init__(every=params.grading.every, time_share=params.grading.time_share, beside=beside)
        self._game, self._judge, self._params = game, judge, params
        self._search, self._played_with = search, played_with
        self._opening_plies, self._report = opening_plies, report
        self._dev: LabelledSet | None = None
        self._audits = params.grading.games > 0
        self._audit_share = TimeShare(params.grading.time_share * AUDITS_PART)

    @override
    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self._dev = self._grading.dev_set()
        self._audit_share = TimeShare(self._params.grading.time_share * AUDITS_PART)
        super().on_train_start(trainer, pl_module)

    @override
    def judge(self, generation: int) -> Report | None:
        return None if self._dev is None else self._grading.of_generation(self._dev, judge=self._judge)

    @override
    def job(self, generation: int) -> Mapping[str, Any] | None:
        return None if self._dev is None else truth_job()

    @override
    def figures(self, found: Report, *, generation: int) -> dict[str, float]:
        assert self._dev is not None
        self._tell(found, generation=generation)
        return set_figures(found, self._dev.name, prefix="truth/")

    @override
    def measure_besides(self, trainer: Trainer) -> dict[str, float]:
        """The audit: it needs the games."""
        if self._dev is None or not (self._audits and self._audit_share.is_paid()):
            return {}
        with self._audit_share.paying():
            return self._audit(trainer)

    @override
    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        super().on_train_end(trainer, pl_module)
        if self._dev is None or not self._params.grading.at_end or not Ranks.here().is_first:
            return
        data = datamodule_of(trainer)
        data.publish()
        report = self._grading.of_run(judge=self._judge)
        self._tell(report, generation=data.ledger.generation)
        for logger in trainer.loggers:  # a module cannot log any more once training has ended
            logger.log_metrics(final_figures(report), step=data.ledger.generation)

    @property
    def _grading(self) -> Grading:
        return Grading(game=self._game, search=self._search, params=self._params)

    def _tell(self, report: Report, *, generation: int) -> None:
        if self._report is not None and report["simulations"]:
            self._report(report, generation)

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
                    game=self._game, judge=self._judge, search=self._played_with, budgets=self._grading.budgets
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
