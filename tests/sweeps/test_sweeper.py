"""The loop of a search, with a launcher that runs nothing: what jobs are given, and what becomes of how they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hydra.core.utils import JobReturn, JobStatus
from hydra.plugins.launcher import Launcher
from omegaconf import OmegaConf
from tests.sweeps.kit import CPUCT, TRUTH, leave_job, sweeper_params, worker

from c4.cli import SweepError
from c4.params.errors import ConfigError
from c4.params.plain import as_plain
from c4.sweeps.study import read_study
from c4.sweeps.sweeper import sweep

Job = Callable[[int, list[str]], object]
SPACE = "tag(log,interval(1,4))"


class MadeUp(Launcher):
    """Calls `job` with its number and overrides; what that raises is the job's failure."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.batches: list[list[int]] = []

    def setup(self, **_: Any) -> None:
        """Knows everything already."""

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        numbers = [initial_job_idx + index for index in range(len(job_overrides))]
        self.batches.append(numbers)
        return [self._run(number, list(words)) for number, words in zip(numbers, job_overrides, strict=True)]

    def _run(self, number: int, words: list[str]) -> JobReturn:
        result = JobReturn()
        try:
            self._job(number, words)
            result.status = JobStatus.COMPLETED
        except ValueError as error:
            result.status, result.return_value = JobStatus.FAILED, error
        return result


def search(folder: Path, job: Job, *arguments: str, objectives: dict[str, str] | None = None, **changes: Any) -> MadeUp:
    launcher = MadeUp(job)
    settings = as_plain(sweeper_params(**changes))
    settings |= {"objectives": {TRUTH: "max"} if objectives is None else objectives, "params": {"search.cpuct": SPACE}}
    monitor = {"monitor": TRUTH, "direction": "max"}
    config = OmegaConf.create({"hydra": {"sweep": {"dir": str(folder)}}, "callbacks": {"checkpoint": monitor}})
    sweep(list(arguments), settings=settings, config=config, launcher=launcher)
    return launcher


def states(folder: Path) -> list[str]:
    return [trial.state.name for trial in read_study(folder).trials]


def test_each_job_is_given_what_is_shared_and_its_own_values(tmp_path: Path) -> None:
    seen: dict[int, list[str]] = {}

    def job(number: int, words: list[str]) -> None:
        seen[number] = words
        leave_job(tmp_path, number, metrics={TRUTH: 0.5 + 0.01 * number})

    search(tmp_path, job, "seed=3", trials=4)
    trials = read_study(tmp_path).trials
    assert seen == {n: ["seed=3", f"search.cpuct={trials[n].params['search.cpuct']}"] for n in range(4)}
    assert [trial.values for trial in trials] == [[0.5], [0.51], [0.52], [0.53]]


def test_failures_spoil_nothing_and_are_all_named_at_the_end(tmp_path: Path) -> None:
    def job(number: int, words: list[str]) -> None:
        if number == 1:
            raise ValueError("no disk\nand more")
        value = float("nan") if number == 2 else 0.5
        leave_job(tmp_path, number, metrics={"truth/value_preserving_23" if number == 3 else TRUTH: value})

    with pytest.raises(SweepError) as caught:
        search(tmp_path, job, trials=6)
    assert states(tmp_path) == ["COMPLETE", "FAIL", "FAIL", "FAIL", "COMPLETE", "COMPLETE"]
    assert caught.value.sentences == (
        "trial 1: no disk",
        f"trial 2: {TRUTH} is nan",
        f"trial 3: {TRUTH} is not among its metrics; did you mean truth/value_preserving_23?",
    )
    with pytest.raises(SweepError):  # it is over, and still says so
        search(tmp_path, job, trials=6)


def test_when_everything_fails_it_stops(tmp_path: Path) -> None:
    def job(number: int, words: list[str]) -> None:
        if number != 1:
            raise ValueError("broken")
        leave_job(tmp_path, number, metrics={TRUTH: 0.5})

    with pytest.raises(SweepError):
        search(tmp_path, job, trials=20, failures_in_a_row=3)
    assert states(tmp_path) == ["FAIL", "COMPLETE", "FAIL", "FAIL", "FAIL"]


def test_a_job_that_ended_before_its_worker_was_killed_is_not_run_again(tmp_path: Path) -> None:
    with worker(tmp_path, space=[CPUCT], trials=3) as killed:
        assert [killed.claim(), killed.claim(), killed.claim()].count(None) == 0
    leave_job(tmp_path, 0, metrics={TRUTH: 0.7})
    leave_job(tmp_path, 1, ending="stopped")
    leave_job(tmp_path, 2, metrics={TRUTH: 0.4}, ending="pruned")
    launcher = search(tmp_path, lambda number, _: leave_job(tmp_path, number, metrics={TRUTH: 0.6}), trials=3)
    assert launcher.batches == [[1]]
    assert states(tmp_path) == ["COMPLETE", "COMPLETE", "PRUNED"]
    assert read_study(tmp_path).trials[0].values == [0.7]


def test_a_job_that_was_killed_goes_on_from_what_it_saved_and_anew_if_that_is_no_use(tmp_path: Path) -> None:
    with worker(tmp_path, space=[CPUCT], trials=1) as killed:
        killed.claim()
    state = tmp_path / "0" / "checkpoints" / "state_000003.ckpt"
    state.parent.mkdir()
    state.touch()
    seen: list[str] = []

    def job(number: int, words: list[str]) -> None:
        seen.append(words[-1])
        if state.exists():
            raise ValueError("not whole")
        leave_job(tmp_path, number, metrics={TRUTH: 0.6})

    search(tmp_path, job, trials=1)
    assert seen[0] == f"resume='{tmp_path / '0'}'"
    assert seen[1].startswith("search.cpuct=")
    assert states(tmp_path) == ["COMPLETE"]


def test_several_at_once_are_neighbours(tmp_path: Path) -> None:
    def job(number: int, words: list[str]) -> None:
        leave_job(tmp_path, number, metrics={TRUTH: 0.5})

    launcher = search(tmp_path, job, trials=5, at_once=2)
    assert launcher.batches == [[0, 1], [2, 3], [4]]


def test_a_stop_leaves_the_trial_to_the_next_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def job(number: int, words: list[str]) -> None:
        raise SystemExit(130)

    with pytest.raises(SystemExit):
        search(tmp_path, job, trials=2)
    assert states(tmp_path) == ["RUNNING"]
    assert "the same command continues the search" in capsys.readouterr().err
    search(tmp_path, lambda number, _: leave_job(tmp_path, number, metrics={TRUTH: 0.6}), trials=2)
    assert states(tmp_path) == ["COMPLETE"] * 2


def test_without_an_objective_it_seeks_what_players_are_chosen_by(tmp_path: Path) -> None:
    search(tmp_path, lambda number, _: leave_job(tmp_path, number, metrics={TRUTH: 0.6}), trials=1, objectives={})
    assert read_study(tmp_path).user_attrs["about"]["objectives"] == {TRUTH: "max"}


def test_what_cannot_be_searched_is_one_sentence(tmp_path: Path) -> None:
    def job(number: int, words: list[str]) -> None:
        raise AssertionError

    for changes, words, sentence in (
        ({"objectives": {TRUTH: "up"}}, (), "up is not allowed: one of: max, min"),
        ({}, ("search.cpuct=2",), "the search has no space"),
    ):
        with pytest.raises(ConfigError, match=sentence):
            search(tmp_path, job, *words, **changes)
    assert not list(tmp_path.iterdir())
