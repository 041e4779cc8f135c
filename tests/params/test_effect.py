"""A knob that is turned in vain is named, with what stands in its way."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from c4.params.effect import holds, without_effect
from c4.params.knob import Params, knob
from c4.params.train import TrainConfig


@dataclasses.dataclass(frozen=True, kw_only=True)
class Engine(Params):
    group = "engine"
    kind: str = knob("...")
    boost: float = knob("...", needs={"kind": "petrol"}, instead="volts")
    volts: float = knob("...", needs={"kind": "not petrol"})
    trim: float = knob("...", needs={"kind": "petrol", "boost": "not 0.0"})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Car(Params):
    seats: int = knob("...")
    engine: Engine


def car(*, kind: str, boost: float = 1.0) -> Car:
    return Car(seats=4, engine=Engine(kind=kind, boost=boost, volts=12.0, trim=0.5))


def test_a_knob_without_effect_says_what_counts_instead() -> None:
    said = without_effect(car(kind="electric"), ["engine.boost"])
    assert said == ["engine.boost has no effect while engine.kind is electric; engine.volts is what counts there"]


def test_all_that_a_knob_needs_must_hold() -> None:
    assert without_effect(car(kind="petrol"), ["engine.trim", "engine.boost"]) == []
    assert without_effect(car(kind="petrol", boost=0.0), ["engine.trim"]) == [
        "engine.trim has no effect while engine.boost is 0.0"
    ]


def test_each_knob_is_named_once_and_other_words_are_none() -> None:
    said = without_effect(
        car(kind="petrol"), ["engine.volts", "engine.volts", "seats", "engine", "hydra.verbose", "x.y"]
    )
    assert said == ["engine.volts has no effect while engine.kind is petrol"]


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        (True, True, True),
        (False, True, False),
        (None, "not null", False),
        (0.9, "not null", True),
        (1, "not 1", False),
        ("puct", "puct", True),
        (0.0, 0.0, True),
    ],
)
def test_a_need_is_a_value_or_all_others(value: Any, wanted: Any, expected: bool) -> None:
    assert holds(value, wanted) is expected


def groups() -> Iterator[type[Params]]:
    waiting: list[type[Params]] = [Params]
    while waiting:
        found = waiting.pop().__subclasses__()
        waiting += found
        yield from (one for one in found if one.__module__.startswith("c4."))


def test_what_a_knob_needs_are_knobs_of_its_group() -> None:
    assert TrainConfig in set(groups())
    for group in groups():
        names = {field.name for field in dataclasses.fields(group)}
        for field in dataclasses.fields(group):
            assert set(field.metadata.get("needs") or {}) <= names, (group, field.name)
            assert (field.metadata.get("instead") or field.name) in names, (group, field.name)
