"""A study on the disk: who works on which trial, what is tried next, how each ended. Knows nothing of what a job does.

A trial that was running when its worker was killed is put back: the same trial, with the same values, is begun again by
whoever comes next. So a study ends with as many trials as it was to have, none lost and none twice.
"""

from __future__ import annotations

import dataclasses
import json
import uuid
import warnings
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, Self

import optuna
from optuna.trial import FrozenTrial, TrialState

from c4.files import write_beside
from c4.params.errors import ConfigError
from c4.params.plain import as_plain
from c4.params.sweeper import Pruner, Sampler, SweeperParams
from c4.sweeps.jobs import TRIAL
from c4.sweeps.journal import locked, open_journal
from c4.sweeps.space import Dimension, Kind, Value

JOURNAL = "study.journal"
WORKER, ATTEMPTS, REASON = "worker", "attempts", "reason"
DIRECTIONS: dict[str, Literal["maximize", "minimize"]] = {"max": "maximize", "min": "minimize"}

optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Claim:
    """A trial that this worker is to run."""

    number: int
    values: Mapping[str, Value]
    again: bool  # whether it was begun before


def folder_of(study: Path, number: int) -> Path:
    """Where the job of a trial writes."""
    return study / str(number)


def read_study(folder: Path) -> optuna.Study:
    """The study of a folder, with the pruner it was made with."""
    storage = open_journal(folder / JOURNAL)
    (name,) = (study.study_name for study in storage.get_all_studies())
    attributes = optuna.load_study(study_name=name, storage=storage).user_attrs
    return optuna.load_study(study_name=name, storage=storage, pruner=_pruner(attributes["settings"]))


def trial_of(study: optuna.Study, number: int) -> optuna.Trial:
    return optuna.Trial(study, study.get_trials(deepcopy=False)[number]._trial_id)


def has_study(folder: Path) -> bool:
    return (folder / JOURNAL).is_file()


class Worker:
    """One of the processes that work on a study; a context manager, for what it holds while it lives."""

    def __init__(
        self,
        folder: Path,
        *,
        params: SweeperParams,
        objectives: Mapping[str, str],
        space: Sequence[Dimension],
        shared: Sequence[str],
        configured: Mapping[str, Any],
    ) -> None:
        """`shared` are the overrides of all jobs; `configured` the values that knobs have without the search.

        Raises ConfigError when the study is there and was made for something else.
        """
        self._folder, self._params, self._space = folder, params, list(space)
        self._name = uuid.uuid4().hex
        self._held = ExitStack()
        (folder / "workers").mkdir(parents=True, exist_ok=True)
        with self._alone():
            self.study = optuna.create_study(
                study_name=params.study,
                storage=open_journal(folder / JOURNAL),
                directions=[DIRECTIONS[direction] for direction in objectives.values()],
                load_if_exists=True,
            )
            self._check_same({"objectives": dict(objectives), "shared": list(shared)})
            self.study.set_user_attr("settings", as_plain(params))
            if params.as_configured and not self.study.get_trials(deepcopy=False):
                values = {one.key: configured[one.key] for one in space if one.holds(configured.get(one.key))}
                self.study.enqueue_trial(values)

    def __enter__(self) -> Self:
        self._held.enter_context(locked(self._lock_of(self._name)))
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()
        self._lock_of(self._name).unlink(missing_ok=True)

    def claim(self, *, number: int | None = None) -> Claim | None:
        """The next trial to run: one whose worker is gone, else a new one, or None when all have been begun.

        With `number`, that trial or none.
        """
        with self._alone():
            trials = self.study.get_trials(deepcopy=False)
            for trial in trials:
                if trial.state is TrialState.RUNNING and number in {None, trial.number} and self._is_abandoned(trial):
                    attempts = int(trial.user_attrs.get(ATTEMPTS, 1))
                    if attempts < self._params.attempts:
                        return self._take(trial, attempts=attempts + 1)
                    self.fail(trial.number, reason=f"its process was killed {attempts} times")
            begun = sum(trial.state is not TrialState.WAITING for trial in trials)
            if begun >= self._params.trials or number not in {None, begun}:
                return None
            self.study.sampler = _sampler(self._params, number=begun)
            asked = self.study.ask()
            return self._take(self.study.get_trials(deepcopy=False)[asked.number], attempts=1)

    def finish(self, number: int, values: Sequence[float]) -> None:
        self.study.tell(number, list(values))

    def prune(self, number: int) -> None:
        """It was ended early: what it had reached last is what it is worth."""
        self.study.tell(number, state=TrialState.PRUNED)

    def fail(self, number: int, *, reason: str) -> None:
        trial_of(self.study, number).set_user_attr(REASON, reason)
        self.study.tell(number, state=TrialState.FAIL)

    def _take(self, frozen: FrozenTrial, *, attempts: int) -> Claim:
        trial = trial_of(self.study, frozen.number)
        trial.set_user_attr(WORKER, self._name)
        trial.set_user_attr(ATTEMPTS, attempts)
        values = {one.key: _value(trial, one) for one in self._space}
        folder = folder_of(self._folder, trial.number)
        folder.mkdir(exist_ok=True)
        about = {"number": trial.number, "values": values}
        write_beside(folder / TRIAL, json.dumps(about, indent=2).encode() + b"\n")
        return Claim(number=trial.number, values=values, again=attempts > 1)

    def _is_abandoned(self, trial: FrozenTrial) -> bool:
        """A worker holds its lock for as long as it lives."""
        name = trial.user_attrs.get(WORKER)
        if name is None:
            return True
        if name == self._name:
            return False
        with locked(self._lock_of(name), wait=False) as free:
            if free:
                self._lock_of(name).unlink(missing_ok=True)
            return free

    def _lock_of(self, name: str) -> Path:
        return self._folder / "workers" / f"{name}.lock"

    def _alone(self) -> Any:
        """Choosing a trial and taking it is one step."""
        return locked(self._folder / "workers" / "claims.lock")

    def _check_same(self, about: Mapping[str, Any]) -> None:
        before = self.study.user_attrs.get("about")
        if before is None:
            self.study.set_user_attr("about", dict(about))
        elif before != about:
            differs = next(key for key in about if about[key] != before.get(key))
            was, now = before.get(differs), about[differs]
            words = {"objectives": "seeks", "shared": "was begun with"}[differs]
            raise ConfigError(
                f"the study in {self._folder} {words} {_listed(was)}, not {_listed(now)}: "
                f"hydra.sweeper.study=NAME begins another one"
            )


def _listed(words: Any) -> str:
    if isinstance(words, Mapping):
        words = [f"{key}: {value}" for key, value in words.items()]
    return " ".join(words) or "nothing"


def _value(trial: optuna.Trial, one: Dimension) -> Value:
    """What the trial has at this dimension; chosen now if it has nothing yet."""
    if one.kind is Kind.CHOICE:
        return trial.suggest_categorical(one.key, one.choices)
    if one.kind is Kind.INT:
        return trial.suggest_int(one.key, int(one.low), int(one.high), step=int(one.step or 1), log=one.log)
    return trial.suggest_float(one.key, one.low, one.high, step=one.step, log=one.log)


def _sampler(params: SweeperParams, *, number: int) -> optuna.samplers.BaseSampler:
    """Made anew for each trial, from the seed and its number: a search that was killed chooses as it would have."""
    seed = params.seed * 1_000_003 + number
    if params.sampler is Sampler.RANDOM:
        return optuna.samplers.RandomSampler(seed=seed)
    return optuna.samplers.TPESampler(
        seed=seed, n_startup_trials=params.startup_trials, multivariate=True, constant_liar=True
    )


def _pruner(settings: Mapping[str, Any]) -> optuna.pruners.BasePruner:
    kind = Pruner(settings["pruner"])
    if kind is Pruner.MEDIAN:
        return optuna.pruners.MedianPruner(
            n_startup_trials=settings["pruner_startup_trials"], n_warmup_steps=settings["pruner_warmup"]
        )
    if kind is Pruner.HYPERBAND:
        return optuna.pruners.HyperbandPruner(min_resource=max(1, settings["pruner_warmup"]))
    return optuna.pruners.NopPruner()
