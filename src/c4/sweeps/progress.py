"""What a person hears of a search while it goes on: what is tried, how it ended, the best so far, the time left."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import optuna
from optuna.trial import FrozenTrial, TrialState

from c4 import printed
from c4.cli import short_path
from c4.invocation import as_typed_here
from c4.multirun import duration
from c4.params.sweeper import SweeperParams
from c4.sweeps.space import Value, assignment
from c4.sweeps.study import REASON, Claim
from c4.sweeps.words import figure, metric_name, sought_words


class Progress:
    def __init__(
        self, *, study: optuna.Study, params: SweeperParams, objectives: Mapping[str, str], folder: Path
    ) -> None:
        self._study, self._params, self._names, self._folder = study, params, list(objectives), folder
        self._seconds: list[float] = []  # of a trial, for those that were run here
        self._began = 0.0
        over = sum(trial.state.is_finished() for trial in self._trials())
        where = short_path(str(folder))
        _say(f"search {params.study}: {params.trials} trials in {where}, for the {sought_words(objectives)}")
        if over:
            _say(f"{over} of them have ended already")

    def begun(self, claims: Sequence[Claim]) -> None:
        self._began = time.monotonic()
        for claim in claims:
            values = " ".join(assignment(key, _rounded(value)) for key, value in claim.values.items())
            place = f"trial {claim.number} ({claim.number + 1} of {self._params.trials})"
            _say(f"{place}: {values}{', begun anew' if claim.again else ''}")

    def ended(self, claims: Sequence[Claim]) -> None:
        self._seconds += [(time.monotonic() - self._began) / len(claims)] * len(claims)
        trials = self._trials()
        for claim in claims:
            _say(f"trial {claim.number}: {_ending(trials[claim.number], self._names)}")
        over = sum(trial.state.is_finished() for trial in trials)
        _say(f"{over} of {self._params.trials} trials have ended{self._left(trials)}; {self._best()}")

    def stopped(self) -> None:
        _say("stopped: the same command continues the search")

    def finished(self) -> list[str]:
        """The last words; returns a sentence for each trial that has failed."""
        trials = self._trials()
        running = sum(trial.state is TrialState.RUNNING for trial in trials)
        if running:
            _say(f"nothing is left to begin; other workers are still running {running} trials")
        _say(self._best())
        _say(f"report: {as_typed_here('python -m c4.sweeps report')} {short_path(str(self._folder))}")
        return [
            f"trial {trial.number}: {trial.user_attrs.get(REASON, 'failed')}"
            for trial in trials
            if trial.state is TrialState.FAIL
        ]

    def _trials(self) -> list[FrozenTrial]:
        return self._study.get_trials(deepcopy=False)

    def _left(self, trials: Sequence[FrozenTrial]) -> str:
        to_come = self._params.trials - sum(trial.state.is_finished() for trial in trials)
        workers = 1 + sum(trial.state is TrialState.RUNNING for trial in trials)
        if not to_come:
            return ""
        return f", about {duration(to_come * statistics.median(self._seconds) / workers)} left"

    def _best(self) -> str:
        if not any(trial.state is TrialState.COMPLETE for trial in self._trials()):
            return "none has finished yet"
        best = self._study.best_trials
        if len(self._names) == 1:
            tied = [str(one.number) for one in self._trials() if one.values == best[0].values and one is not best[0]]
            equal = f" (tied with {', '.join(tied)})" if tied else ""
            return f"best: trial {best[0].number}{equal}, {_values(best[0], self._names)}"
        return f"beaten by none in all objectives: trials {', '.join(str(trial.number) for trial in best)}"


def _ending(trial: FrozenTrial, names: Sequence[str]) -> str:
    if trial.state is TrialState.COMPLETE:
        return _values(trial, names)
    if trial.state is TrialState.PRUNED:
        return f"ended early, after generation {trial.last_step}"
    return f"failed: {trial.user_attrs.get(REASON, '')}"


def _values(trial: FrozenTrial, names: Sequence[str]) -> str:
    return ", ".join(
        f"{metric_name(name)} {figure(name, value)}" for name, value in zip(names, trial.values, strict=True)
    )


def _rounded(value: Value) -> Value:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _say(sentence: str) -> None:
    printed.err(sentence + "\n")
