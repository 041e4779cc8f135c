"""What auto takes, and what it says about it. Rates are told by a clock of our own: no test here depends on speed."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.network.shapes import CONNECT4, SMALL, UNTRAINED

from c4.network.inference import auto, processor
from c4.network.inference.auto import Choice, choose, suited
from c4.network.inference.engine import EngineUnavailableError, Evaluations
from c4.network.inference.factory import make_engine
from c4.network.tower import Tower
from c4.params.inference import EngineName, InferenceParams, Precision

AUTO = InferenceParams(
    engine=EngineName.AUTO,
    precision=Precision.FLOAT32,
    streams=1,
    buckets=(16,),
    average_symmetries=False,
    auto_seconds=6.0,
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Timed:
    """An engine whose batches take a known time of a clock."""

    def __init__(self, name: EngineName, clock: Clock, *, seconds: float, log: list[EngineName]) -> None:
        self.name, self.streams = name, 1
        self._clock, self._seconds, self._log = clock, seconds, log
        self.most = self.flying = 0
        self.closed = self.loaded = False

    def load(self, state: object) -> None:
        self.loaded = state is not None

    def submit(self, planes: np.ndarray) -> Timed:
        assert self.loaded
        assert planes.shape == (100, 3, 6, 7)
        self.flying += 1
        self.most = max(self.most, self.flying)
        return self

    def result(self) -> Evaluations:
        self.flying -= 1
        self._clock.now += self._seconds
        self._log.append(self.name)
        nothing = np.zeros(0, np.float32)
        return Evaluations(nothing, nothing, nothing)

    def evaluate(self, planes: np.ndarray) -> Evaluations:
        return self.submit(planes).result()

    def close(self) -> None:
        self.closed = True


Race = tuple[dict[EngineName, Timed], list[EngineName], Clock]


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch) -> Race:
    clock: Clock = Clock()
    log: list[EngineName] = []
    engines = {
        EngineName.TORCH: Timed(EngineName.TORCH, clock, seconds=0.2, log=log),
        EngineName.OPENVINO: Timed(EngineName.OPENVINO, clock, seconds=0.1, log=log),
    }
    monkeypatch.setattr(auto, "available", lambda: list(engines))
    monkeypatch.setattr(auto, "make_engine", lambda params, **_: engines[params.engine])
    return engines, log, clock


def test_the_fastest_is_taken_and_the_line_says_why(race: Race) -> None:
    engines, _, clock = race
    choice = choose(AUTO, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2, clock=clock)
    assert choice.params == dataclasses.replace(AUTO, engine=EngineName.OPENVINO)
    assert str(choice) == (
        "inference: openvino in f32, the fastest at 100 rows a batch (evaluations/s: openvino 1,000, torch 500)"
    )
    assert all(engine.closed for engine in engines.values())


def test_engines_take_turns_with_the_batches_in_flight_that_they_will_have(race: Race) -> None:
    engines, log, clock = race
    choose(AUTO, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=3, clock=clock)
    assert [engine.most for engine in engines.values()] == [3, 3]
    turns = [name for i, name in enumerate(log[2:]) if i == 0 or name is not log[2:][i - 1]]
    assert turns == [EngineName.TORCH, EngineName.OPENVINO] * auto.ROUNDS
    assert clock.now == pytest.approx(AUTO.auto_seconds + 0.3, abs=3 * auto.ROUNDS)


def refuse(monkeypatch: pytest.MonkeyPatch, engines: dict[EngineName, Timed], *names: EngineName) -> None:
    def make(params: InferenceParams, **_: object) -> Timed:
        if params.engine in names:
            raise EngineUnavailableError(f"no {params.engine.value} for this network")
        return engines[params.engine]

    monkeypatch.setattr(auto, "make_engine", make)


def test_an_engine_that_cannot_run_the_network_is_left_out(race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    engines, log, clock = race
    refuse(monkeypatch, engines, EngineName.OPENVINO)
    choice = choose(AUTO, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2, clock=clock)
    assert choice.params == dataclasses.replace(AUTO, engine=EngineName.TORCH)
    assert str(choice) == "inference: torch in f32, no openvino for this network"
    assert engines[EngineName.TORCH].closed
    engines[EngineName.CUDA] = Timed(EngineName.CUDA, clock, seconds=0.05, log=log)
    choice = choose(AUTO, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2, clock=clock)
    assert str(choice) == (
        "inference: cuda in f32, the fastest at 100 rows a batch (evaluations/s: cuda 2,000, torch 500); "
        "no openvino for this network"
    )


def test_where_none_can_run_the_network_it_is_refused(race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, race[0], *race[0])
    with pytest.raises(EngineUnavailableError, match="no torch for this network"):
        choose(AUTO, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2, clock=race[2])


def test_a_named_engine_is_taken_as_it_is(race: Race) -> None:
    _, log, _ = race
    wanted = dataclasses.replace(AUTO, engine=EngineName.TORCH)
    choice = choose(wanted, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=1)
    assert choice == Choice(params=wanted, rates={}, why="")
    assert str(choice) == "inference: torch in f32"
    assert log == []


def test_what_was_chosen_can_be_asked_for_again(race: Race) -> None:
    clock = race[2]
    first = choose(AUTO, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2, clock=clock)
    again = choose(first.params, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2)
    assert again.params == first.params


def test_eight_bits_are_timed_too_where_the_fastest_is_asked_for(race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    engines, log, clock = race
    eight = Timed(EngineName.OPENVINO, clock, seconds=0.05, log=log)
    monkeypatch.setattr(
        auto,
        "make_engine",
        lambda params, **_: eight if params.precision is Precision.INT8 else engines[params.engine],
    )
    fastest = dataclasses.replace(AUTO, precision=Precision.FASTEST)
    choice = choose(fastest, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2, clock=clock)
    assert (choice.params.engine, choice.params.precision) == (EngineName.OPENVINO, Precision.INT8)
    assert "openvino int8 2,000, openvino 1,000, torch 500" in str(choice)
    named = dataclasses.replace(fastest, engine=EngineName.TORCH)
    alone = choose(named, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2, clock=clock)
    assert (alone.params.engine, alone.rates) == (EngineName.TORCH, {})
    assert alone.params.precision is not Precision.FASTEST


def test_half_precision_leaves_the_gpu_only(race: Race) -> None:
    choice = choose(
        dataclasses.replace(AUTO, precision=Precision.FLOAT16),
        spec=CONNECT4,
        network=UNTRAINED,
        rows=100,
        in_flight=1,
    )
    assert choice.params == dataclasses.replace(
        AUTO, engine=EngineName.CUDA, precision=Precision.FLOAT16, buckets=(16, 256, 1024)
    ), "in passes as large as those of inference=cuda"
    assert str(choice) == "inference: cuda in f16, the only engine that has f16"


def test_machines_with_a_gpu_and_others_that_play_together_have_an_engine_each(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [EngineName.TORCH, EngineName.OPENVINO]
    monkeypatch.setattr(auto, "available", lambda: there)
    on_processors = dataclasses.replace(AUTO, engine=EngineName.OPENVINO, precision=Precision.INT8)
    assert suited(on_processors, on_gpu=False) == on_processors
    on_gpu = suited(on_processors, on_gpu=True)
    assert (on_gpu.engine, on_gpu.precision, on_gpu.buckets) == (EngineName.CUDA, Precision.FLOAT16, (16, 256, 1024))
    assert suited(on_gpu, on_gpu=True) == on_gpu
    for engine in reversed(list(there)):
        beside = suited(on_gpu, on_gpu=False)
        assert (beside.engine, beside.precision) == (engine, processor.processor_precision(Precision.AUTO))
        there.pop()


@pytest.mark.parametrize(("able", "precision"), [(True, Precision.BFLOAT16), (False, Precision.FLOAT32)])
def test_auto_precision_is_bf16_only_where_the_processor_has_it(
    race: Race, monkeypatch: pytest.MonkeyPatch, able: bool, precision: Precision
) -> None:
    monkeypatch.setattr(processor, "multiplies_bfloat16", lambda: able)
    wanted = dataclasses.replace(AUTO, engine=EngineName.TORCH, precision=Precision.AUTO)
    choice = choose(wanted, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=1)
    assert choice.params.precision is precision


def test_real_engines_can_be_timed() -> None:
    choice = choose(
        dataclasses.replace(AUTO, auto_seconds=0.02),
        spec=CONNECT4,
        network=UNTRAINED,
        rows=20,
        in_flight=2,
    )
    assert choice.params.engine in auto.available()
    engine = make_engine(choice.params, spec=CONNECT4, network=UNTRAINED)
    assert engine.name is choice.params.engine
    engine.close()


def test_without_openvino_torch_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    choice = choose(AUTO, spec=CONNECT4, network=UNTRAINED, rows=20, in_flight=2)
    assert choice.params.engine is EngineName.TORCH
    assert str(choice) == (
        "inference: torch in f32, the only engine on this machine; OpenVINO is often faster: "
        'pip install -c constraints.txt -e ".[openvino]"'
    )


def test_openvino_that_is_not_installed_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    with pytest.raises(EngineUnavailableError, match=r"needs OpenVINO: pip install .*\[openvino\]"):
        make_engine(dataclasses.replace(AUTO, engine=EngineName.OPENVINO), spec=CONNECT4, network=UNTRAINED)


@pytest.mark.parametrize(
    "words", [{"engine": EngineName.AUTO}, {"engine": EngineName.OPENVINO, "precision": Precision.FASTEST}]
)
def test_what_is_still_to_be_timed_is_no_engine(words: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="leaves something to be timed"):
        make_engine(dataclasses.replace(AUTO, **words), spec=CONNECT4, network=UNTRAINED)


def asked_again(race: Race, **changes: Any) -> Choice:
    question = {"spec": CONNECT4, "network": UNTRAINED, "rows": 100, "in_flight": 2} | changes
    return choose(AUTO, clock=race[2], **question)


def test_it_is_timed_once_and_then_no_race(race: Race) -> None:
    engines, log, _ = race
    assert asked_again(race).params.engine is EngineName.OPENVINO
    engines[EngineName.OPENVINO]._seconds = 9.0  # a busy moment
    timed = len(log)
    again = asked_again(race)
    assert (again.params.engine, len(log)) == (EngineName.OPENVINO, timed)
    assert "when they were timed on" in str(again)
    assert "(evaluations/s: openvino 1,000, torch 500; python -m c4.engines shows and clears)" in str(again)


@pytest.mark.parametrize(
    "changes", [{"in_flight": 3}, {"network": Tower(CONNECT4, dataclasses.replace(SMALL, width=12))}]
)
def test_another_question_is_timed_for_itself(race: Race, changes: dict[str, Any]) -> None:
    engines, _, _ = race
    asked_again(race)
    engines[EngineName.OPENVINO]._seconds = 9.0
    assert asked_again(race, **changes).params.engine is EngineName.TORCH


def test_another_version_of_an_engine_is_timed_anew(race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_again(race)
    race[0][EngineName.OPENVINO]._seconds = 9.0
    monkeypatch.setattr(auto.metadata, "version", lambda _: "99")
    assert asked_again(race).params.engine is EngineName.TORCH


def test_rates_that_are_close_are_decided_without_a_clock(race: Race) -> None:
    engines, _, _ = race
    engines[EngineName.TORCH]._seconds = 0.098
    assert asked_again(race).params.engine is EngineName.OPENVINO


def test_jobs_that_begin_at_once_take_the_same(tmp_path: Path) -> None:
    code = """
import random, sys
from tests.network.inference.test_auto import AUTO, CONNECT4, UNTRAINED, Clock, EngineName, Timed, auto, choose
clock = Clock()
engines = {name: Timed(name, clock, seconds=random.uniform(0.01, 9), log=[])
           for name in (EngineName.TORCH, EngineName.OPENVINO)}
auto.available = lambda: list(engines)
auto.make_engine = lambda params, **_: engines[params.engine]
print(choose(AUTO, spec=CONNECT4, network=UNTRAINED, rows=100, in_flight=2, clock=clock).rates)
"""
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    jobs = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(3)
    ]
    assert len({job.communicate()[0] for job in jobs}) == 1
    assert [job.returncode for job in jobs] == [0, 0, 0]
