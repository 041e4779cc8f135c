"""A search space as it is typed: what each form means, what is refused, and what a job is given."""

from __future__ import annotations

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser

from c4.params.errors import ConfigError
from c4.sweeps.space import Dimension, Kind, Value, assignment, parse_space


def dimension(text: object) -> Dimension:
    (one,), fixed = parse_space({"a.b": text}, [])
    assert fixed == []
    return one


def test_numbers_lie_in_intervals_and_ranges() -> None:
    assert dimension("interval(1, 4)") == Dimension(key="a.b", kind=Kind.FLOAT, low=1.0, high=4.0)
    assert dimension("tag(log, interval(1e-4, 1e-2))") == Dimension(
        key="a.b", kind=Kind.FLOAT, low=1e-4, high=1e-2, log=True
    )
    assert dimension("int(interval(1, 8))") == Dimension(key="a.b", kind=Kind.INT, low=1, high=8)
    assert dimension("range(16, 81, 8)") == Dimension(key="a.b", kind=Kind.INT, low=16, high=80, step=8)
    assert dimension("range(0, 1, 0.25)") == Dimension(key="a.b", kind=Kind.FLOAT, low=0.0, high=0.75, step=0.25)


@pytest.mark.parametrize("text", ["choice(small, medium)", "small,medium", ["small", "medium"], "'small',\"medium\""])
def test_choices_are_told_in_any_way(text: object) -> None:
    assert dimension(text).choices == ("small", "medium")


def test_choices_keep_their_types() -> None:
    assert dimension([None, True, 1, 0.5, "x"]).choices == (None, True, 1, 0.5, "x")


def test_what_is_typed_comes_on_top() -> None:
    params = {"a": "interval(0,1)", "b": "interval(0,1)"}
    space, fixed = parse_space(params, ["a=interval(0,5)", "b=0.5", "seed=3", "c=1,2"])
    assert [(one.key, one.high) for one in space] == [("a", 5.0), ("c", 0.0)]
    assert fixed == ["b=0.5", "seed=3"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3", "a.b=3 is no search space"),
        ("[1,2]", "is no search space"),
        ("interval(4, 1)", "is empty"),
        ("range(4, 1)", "is empty"),
        ("tag(log, interval(0, 1))", "begins above 0"),
    ],
)
def test_what_is_no_space_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        dimension(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("value", [0.1, 1e-7, 3, True, None, "small", -2.5])
def test_a_job_is_given_the_very_value(value: Value) -> None:
    override = OverridesParser.create().parse_override(assignment("a.b", value))
    assert override.value() == value


def test_a_dimension_knows_what_it_holds() -> None:
    assert dimension("interval(1, 4)").holds(2)
    assert not dimension("interval(1, 4)").holds(0.9)
    assert not dimension("int(interval(1, 4))").holds(2.0)
    assert not dimension("interval(1, 4)").holds(None)
    assert dimension("a,b").holds("b")
    assert not dimension("a,b").holds("c")
