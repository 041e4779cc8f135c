"""The search itself: takes trials from the study, has Hydra's launcher run them, tells the study how they ended.

Knows a job by its folder only: its outcome says how it ended, a saved state that it can be resumed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.utils import JobReturn, JobStatus
from hydra.plugins.launcher import Launcher
from omegaconf import DictConfig, OmegaConf

from c4 import multirun
from c4.cli import SweepError
from c4.evaluation.sets import set_names
from c4.params.errors import ConfigError, nearest_of
from c4.params.metrics import TRUTH
from c4.params.plain import from_plain
from c4.params.sweeper import SweeperParams
from c4.run.folder import RunFolder
from c4.run.outcome import Ending, read_outcome
from c4.sweeps.progress import Progress
from c4.sweeps.space import assignment, parse_space
from c4.sweeps.study import DIRECTIONS, Claim, Worker, folder_of


def sweep(
    arguments: list[str],
    *,
    settings: Mapping[str, Any],
    config: DictConfig,
    launcher: Launcher,
) -> None:
    """Works on the study until all its trials have been run. Raises SweepError when any has failed."""
    params, objectives = _params(settings), _objectives(settings, config=config)
    left_out = multirun.left_out()
    space, shared = parse_space({k: one for k, one in settings["params"].items() if k not in left_out}, arguments)
    if not space:
        raise ConfigError("the search has no space: hparams_search=NAME has one, or type KEY='interval(1,4)'")
    _check_known([*objectives, params.watched or ""], config=config)
    folder = Path(config.hydra.sweep.dir)
    configured = {one.key: OmegaConf.select(config, one.key, throw_on_missing=False) for one in space}
    worker = Worker(folder, params=params, objectives=objectives, space=space, shared=shared, configured=configured)
    OmegaConf.save(config, folder / "multirun.yaml")
    with worker:
        progress = Progress(study=worker.study, params=params, objectives=objectives, folder=folder)
        search = _Search(worker, folder=folder, objectives=objectives, shared=shared, launcher=launcher)
        try:
            while claims := search.claims(most=params.at_once):
                progress.begun(claims)
                search.run(claims)
                progress.ended(claims)
                if search.failed_in_a_row >= params.failures_in_a_row:
                    progress.stopped()
                    break
        except (KeyboardInterrupt, SystemExit):
            progress.stopped()
            raise
        if failed := progress.finished():
            raise SweepError(failed)


class _Search:
    def __init__(
        self,
        worker: Worker,
        *,
        folder: Path,
        objectives: Mapping[str, str],
        shared: Sequence[str],
        launcher: Launcher,
    ) -> None:
        self._worker, self._folder, self._objectives = worker, folder, objectives
        self._shared, self._launcher = list(shared), launcher
        self.failed_in_a_row = 0

    def claims(self, *, most: int) -> list[Claim]:
        """Trials with consecutive numbers: the launcher counts its jobs on from the first."""
        found: list[Claim] = []
        while len(found) < most:
            claim = self._worker.claim(number=found[-1].number + 1 if found else None)
            if claim is None:
                break
            found.append(claim)
        return found

    def run(self, claims: Sequence[Claim]) -> None:
        waiting = [claim for claim in claims if not self._is_over(claim)]
        for claim in waiting:
            self._job(claim).outcome.unlink(missing_ok=True)
            if claim.again and not self._job(claim).states():  # it begins anew, and must not meet what is left of it
                self._job(claim).clear()
        for claim, result in zip(waiting, self._launch(waiting), strict=True):
            if result.status is JobStatus.FAILED and claim.again:  # of what the killed one had left, perhaps
                self._job(claim).clear()
                (result,) = self._launch([claim])
            if result.status is JobStatus.FAILED:
                self._fail(claim, reason=_first_line(result._return_value))
            else:
                self._conclude(claim)

    def _launch(self, claims: Sequence[Claim]) -> Sequence[JobReturn]:
        """Neighbours together; a gap is left where a trial was over already."""
        results: list[JobReturn] = []
        start = 0
        for end in range(1, len(claims) + 1):
            if end == len(claims) or claims[end].number != claims[end - 1].number + 1:
                jobs = [self._overrides(claim) for claim in claims[start:end]]
                results += self._launcher.launch(jobs, initial_job_idx=claims[start].number)
                start = end
        return results

    def _overrides(self, claim: Claim) -> list[str]:
        words = [*self._shared, *(assignment(key, value) for key, value in claim.values.items())]
        if claim.again and (job := self._job(claim)).states():
            words.append(f"resume='{job.path}'")
        return words

    def _is_over(self, claim: Claim) -> bool:
        """Whether the job had ended before its worker was killed; what it left is told then."""
        outcome = read_outcome(self._job(claim)) if claim.again else None
        if outcome is None or outcome.ending not in {Ending.FINISHED, Ending.PRUNED}:
            return False
        self._conclude(claim)
        return True

    def _conclude(self, claim: Claim) -> None:
        outcome = read_outcome(self._job(claim))
        if outcome is not None and outcome.ending is Ending.PRUNED:
            self.failed_in_a_row = 0
            self._worker.prune(claim.number)
            return
        metrics = {} if outcome is None else outcome.metrics
        for name in self._objectives:
            value = metrics.get(name)
            if value is None or not math.isfinite(value):
                nearest = nearest_of(name, metrics)
                hint = f"; did you mean {nearest}?" if nearest and value is None else ""
                what = "is not among its metrics" if value is None else f"is {value}"
                self._fail(claim, reason=f"{name} {what}{hint}")
                return
        self.failed_in_a_row = 0
        self._worker.finish(claim.number, [float(metrics[name]) for name in self._objectives])

    def _fail(self, claim: Claim, *, reason: str) -> None:
        self.failed_in_a_row += 1
        self._worker.fail(claim.number, reason=reason)

    def _job(self, claim: Claim) -> RunFolder:
        return RunFolder(path=folder_of(self._folder, claim.number))


def _params(settings: Mapping[str, Any]) -> SweeperParams:
    plain = {key: value for key, value in settings.items() if key not in {"objectives", "params"}}
    try:
        return from_plain(SweeperParams, plain)
    except ConfigError as error:
        raise ConfigError(f"hydra.sweeper.{error}") from error


def _objectives(settings: Mapping[str, Any], *, config: DictConfig) -> dict[str, str]:
    objectives = {str(name): direction for name, direction in settings["objectives"].items()}
    if not objectives:
        monitored = OmegaConf.select(config, "callbacks.checkpoint.monitor")
        if monitored is None:
            raise ConfigError("hydra.sweeper.objectives names nothing to seek")
        objectives = {monitored: config.callbacks.checkpoint.direction}
    for name, direction in objectives.items():
        if direction not in DIRECTIONS:
            raise ConfigError(f"hydra.sweeper.objectives: {name}: {direction} is not allowed: one of: max, min")
    return objectives


def _check_known(names: Sequence[str], *, config: DictConfig) -> None:
    """Raises ConfigError where a search that trains goes by the truth about a game that nobody has solved."""
    if "budget" not in config or set_names(config.game.name):
        return
    if name := next((name for name in names if name.startswith(TRUTH)), None):
        raise ConfigError(
            f"a search by {name}: perfect play is not known for {config.game.name}; evaluation=baseline with "
            "callbacks.checkpoint.monitor=baseline/strength measures any game"
        )


def _first_line(error: Any) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
