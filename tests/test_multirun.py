"""What the jobs of a grid say of themselves, in whatever process: which of how many, and how long the rest takes."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode

from c4 import multirun
from c4.multirun import Grid, duration, expect, failures, grid_of, is_swept, note_failure, told

BASIC = {"_target_": "hydra._internal.core_plugins.basic_sweeper.BasicSweeper", "params": {"seed": "1,2"}}
OURS = {"_target_": "hydra_plugins.c4_optuna.OptunaSweeper", "params": {"search.cpuct": "interval(1,4)"}}


@pytest.fixture(autouse=True)
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    time = SimpleNamespace(now=100.0)
    time.monotonic = lambda: time.now
    monkeypatch.setattr(multirun, "time", time)
    monkeypatch.setenv(multirun.NOTES, "")  # so that it is put back
    multirun.keep_notes(tmp_path)
    return time


def begin(number: int, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    job = SimpleNamespace(
        mode=RunMode.MULTIRUN,
        job=SimpleNamespace(num=number),
        overrides=SimpleNamespace(task=words),
        sweep=SimpleNamespace(dir="runs/grid"),
    )
    monkeypatch.setattr(HydraConfig, "get", lambda: job)


@pytest.mark.parametrize(
    ("words", "jobs", "swept"),
    [
        (["search.cpuct=1,2,4", "search.mlh_slope=0,0.02", "name=a"], 12, ["seed", "search.cpuct", "search.mlh_slope"]),
        (["seed=range(1,4)"], 3, ["seed"]),
        (["seed=7", "network=choice(small,medium)"], 2, ["network"]),
        (["seed=7", "evaluation.sets=[a,b]"], 1, []),
    ],
)
def test_a_grid_has_a_job_for_each_combination(words: list[str], jobs: int, swept: list[str]) -> None:
    assert grid_of(words, sweeper=BASIC) == Grid(jobs=jobs, swept=swept)


def test_a_search_is_no_grid() -> None:
    assert grid_of(["search.cpuct=1,2"], sweeper=OURS) is None


def test_each_job_says_its_place_and_what_is_left(
    monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    expect(Grid(jobs=4, swept=["seed", "search.cpuct"]))
    for number in range(4):
        begin(number, monkeypatch, "experiment=tiny", f"seed={number}", "+search.cpuct=2")
        with told():
            clock.now += 60
    said = capsys.readouterr().err.splitlines()
    assert said[:3] == [
        "job 0 (1 of 4): seed=0 +search.cpuct=2",
        "job 0 took 60 seconds",
        "job 1 (2 of 4): seed=1 +search.cpuct=2; 1 finished, about 3 minutes left",
    ]
    assert said[-2] == "job 3 (4 of 4): seed=3 +search.cpuct=2; 3 finished, about 60 seconds left"
    assert multirun.folder_of_grid() == "runs/grid"
    assert is_swept("seed")
    assert not is_swept("experiment")


def test_two_at_once_take_half_as_long(
    monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    expect(Grid(jobs=6, swept=["seed"]))
    begin(0, monkeypatch)
    with told():
        begin(1, monkeypatch)
        with told():
            clock.now += 100
        begin(2, monkeypatch)
        with told():
            clock.now += 0
    assert re.search(r"job 2 \(3 of 6\).*; 1 finished, about 4 minutes left", capsys.readouterr().err)  # 5 * 100 s / 2


def test_a_job_that_failed_is_over_and_tells_nothing_of_the_time_of_others(
    monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    expect(Grid(jobs=3, swept=["seed"]))
    begin(1, monkeypatch)
    with suppress(ValueError), told():
        clock.now += 1
        raise ValueError("no luck")
    note_failure("no\nluck")
    begin(0, monkeypatch)
    note_failure("nor here")
    with told():
        clock.now += 100
    begin(2, monkeypatch)
    with told():
        clock.now += 100
    said = capsys.readouterr().err
    assert "job 1 failed after 1 second\njob 0 (1 of 3): as configured\n" in said
    assert "2 finished, about 2 minutes left" in said
    assert failures() == ["job 0: nor here", "job 1: no luck"]


def test_a_search_and_a_run_alone_say_nothing_here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(0, monkeypatch)
    with told():
        assert not is_swept("seed")
    assert capsys.readouterr().err == ""
    assert failures() == []


def test_a_duration_is_said_in_its_unit() -> None:
    assert [duration(each) for each in (1, 0.2, 89, 90, 3600, 7200)] == [
        "1 second", "0 seconds", "89 seconds", "2 minutes", "60 minutes", "2.0 hours"
    ]  # fmt: skip
