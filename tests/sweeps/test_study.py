"""Trials are counted in all, put back when their worker is gone, chosen alike however often it was killed."""

from __future__ import annotations

import json
import multiprocessing
import os
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest
from tests.sweeps.kit import CAP, CPUCT, TRUTH, worker

from c4.params.errors import ConfigError
from c4.sweeps.jobs import TRIAL, report_of
from c4.sweeps.journal import open_journal
from c4.sweeps.study import ATTEMPTS, JOURNAL, REASON, read_study


def states(folder: Path) -> list[str]:
    return [trial.state.name for trial in read_study(folder).get_trials(deepcopy=False)]


def test_a_study_has_as_many_trials_as_it_is_to_have(tmp_path: Path) -> None:
    for upto in (3, 3, 5):
        with worker(tmp_path, trials=upto) as one:
            while claim := one.claim():
                one.finish(claim.number, [0.5])
        assert states(tmp_path) == ["COMPLETE"] * upto


def test_a_trial_whose_worker_is_gone_is_begun_again_with_its_values(tmp_path: Path) -> None:
    gone = worker(tmp_path, trials=2)
    with gone:
        first = gone.claim()
        assert first is not None
        assert not first.again
        with worker(tmp_path, trials=2) as other:
            second = other.claim()
            assert second is not None
            assert second.number == 1  # the first is being worked on
            assert other.claim() is None
    with worker(tmp_path, trials=2) as heir:
        claims = [heir.claim(), heir.claim(), heir.claim()]
        assert [(claim.number, claim.again) for claim in claims if claim] == [(0, True), (1, True)]
        assert claims[0] is not None
        assert claims[0].values == first.values
    assert states(tmp_path) == ["RUNNING", "RUNNING"]


def test_a_trial_that_kills_its_process_again_and_again_has_failed(tmp_path: Path) -> None:
    for attempt in (1, 2, 3):
        with worker(tmp_path, trials=1) as one:
            claim = one.claim()
            assert claim is not None
            assert claim.again == (attempt > 1)
    with worker(tmp_path, trials=1) as one:
        assert one.claim() is None
    (trial,) = read_study(tmp_path).trials
    assert trial.state.name == "FAIL"
    assert trial.user_attrs[REASON] == "its process was killed 3 times"


def test_a_search_that_was_killed_chooses_as_one_that_never_was(tmp_path: Path) -> None:
    def chosen(folder: Path, *, killed_at: int) -> list[object]:
        found: list[object] = []
        for upto in (killed_at, 9):
            with worker(folder, trials=9) as one:
                while len(found) < upto and (claim := one.claim()):
                    if len(found) == killed_at - 1 and not claim.again:
                        break
                    one.finish(claim.number, [float(claim.values["search.cpuct"])])  # type: ignore[arg-type]
                    found.append(claim.values)
        return found

    for name in ("never", "killed"):
        (tmp_path / name).mkdir()
    never = chosen(tmp_path / "never", killed_at=99)
    assert never == chosen(tmp_path / "killed", killed_at=6)
    assert len({repr(values) for values in never}) == len(never)


def test_the_first_trial_is_the_configuration_as_it_stands(tmp_path: Path) -> None:
    configured = {"search.cpuct": 2.5, "search.mlh_cap": 7.0, "network.value_head": "wdl"}
    with worker(tmp_path, as_configured=True, configured=configured) as one:
        claim = one.claim()
        assert claim is not None
        assert claim.number == 0
        assert claim.values["search.cpuct"] == 2.5
        assert claim.values["network.value_head"] == "wdl"
        assert 0.0 <= float(claim.values["search.mlh_cap"]) <= 1.0  # type: ignore[arg-type] # 7 is outside of its space
        following = one.claim()
        assert following is not None
        assert following.values["search.cpuct"] != 2.5


def test_a_study_of_something_else_is_not_gone_on_with(tmp_path: Path) -> None:
    with worker(tmp_path, shared=["seed=1"]):
        pass
    for changes in ({"shared": ["seed=2"]}, {"shared": ["seed=1"], "objectives": {"loss/total": "max"}}):
        with pytest.raises(ConfigError, match=r"hydra\.sweeper\.study=NAME begins another one"):
            worker(tmp_path, **changes)
    with worker(tmp_path, shared=["seed=1"], trials=99, space=[CPUCT]):
        pass  # more trials, or another space: the same search


def work(folder: Path) -> None:
    with worker(folder, trials=20, space=[CPUCT, CAP]) as one:
        while claim := one.claim():
            one.finish(claim.number, [0.5])


def test_several_workers_share_the_trials(tmp_path: Path) -> None:
    with worker(tmp_path, trials=20, space=[CPUCT, CAP]):
        pass
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, args=(tmp_path,)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    trials = read_study(tmp_path).trials
    assert [trial.state.name for trial in trials] == ["COMPLETE"] * 20
    assert [trial.user_attrs[ATTEMPTS] for trial in trials] == [1] * 20
    assert [path.name for path in (tmp_path / "workers").iterdir()] == ["claims.lock"]


def test_a_line_that_was_cut_off_is_taken_back(tmp_path: Path) -> None:
    with worker(tmp_path) as one:
        claim = one.claim()
        assert claim is not None
    journal = tmp_path / JOURNAL
    whole = journal.read_bytes()
    with journal.open("ab") as file:
        file.write(b'{"op_code":4,"wor')
    with worker(tmp_path) as heir:
        again = heir.claim()
        assert again is not None
        assert again.number == claim.number
    assert journal.read_bytes().startswith(whole + b"{")
    assert all(json.loads(line) for line in journal.read_text().splitlines())


def test_reading_changes_nothing(tmp_path: Path) -> None:
    with worker(tmp_path) as one:
        one.claim()
    before = (tmp_path / JOURNAL).read_bytes()
    assert len(open_journal(tmp_path / JOURNAL).get_all_studies()) == 1
    assert (tmp_path / JOURNAL).read_bytes() == before


def test_a_job_reports_and_hears_when_to_end(tmp_path: Path) -> None:
    with worker(tmp_path, pruner_startup_trials=1, pruner_warmup=0) as one:
        first, second = one.claim(), one.claim()
        assert first is not None
        assert second is not None
        good, bad = report_of(tmp_path / "0"), report_of(tmp_path / "1")
        assert good is not None
        assert bad is not None
        assert [good(step, {TRUTH: 0.9}) for step in (1, 2)] == [False, False]
        one.finish(first.number, [0.9])
        assert not bad(1, {"loss/total": 1.0})  # not graded yet
        assert not bad(1, {TRUTH: float("nan")})
        assert bad(1, {TRUTH: 0.1})
        assert not bad(1, {TRUTH: 0.1}), "told once"
        one.prune(second.number)
    trial = read_study(tmp_path).trials[1]
    assert trial.state.name == "PRUNED"
    assert trial.intermediate_values == {1: 0.1}


def test_a_resumed_job_reports_nothing_twice(tmp_path: Path) -> None:
    with worker(tmp_path, pruner="none") as one:
        one.claim()
        for _ in range(2):
            report = report_of(tmp_path / "0")
            assert report is not None
            report(1, {TRUTH: 0.5})
    assert read_study(tmp_path).trials[0].intermediate_values == {1: 0.5}


def test_with_several_objectives_nobody_is_reported_to(tmp_path: Path) -> None:
    with worker(tmp_path, objectives={TRUTH: "max", "budget/minutes": "min"}) as one:
        one.claim()
    assert (tmp_path / "0" / TRIAL).is_file()
    assert report_of(tmp_path / "0") is None
    assert report_of(tmp_path) is None


def claim_and_wait(folder: Path, claimed: Event, killed: Event) -> None:
    with worker(folder, trials=1) as one:
        one.claim()
        claimed.set()
        killed.wait()
        os._exit(0)  # nothing is tidied up


def test_the_trial_of_a_living_worker_is_not_taken(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    claimed, killed = context.Event(), context.Event()
    process = context.Process(target=claim_and_wait, args=(tmp_path, claimed, killed))
    process.start()
    claimed.wait()
    with worker(tmp_path, trials=1) as heir:
        assert heir.claim() is None
        killed.set()
        process.join()
        claim = heir.claim()
        assert claim is not None
        assert claim.again
