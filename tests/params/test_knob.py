"""Knobs check themselves: ranges, lists, optional values, and the text that says what is allowed."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import ClassVar

import pytest

from c4.params.knob import OutOfRangeError, Params, allowed_text, field_types, knob


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Example(Params):
    group: ClassVar[str] = "example"

    share: float = knob("A share.", low=0.0, high=1.0)
    limit: int | None = knob("A limit.", low=1)
    steps: tuple[int, ...] = knob("Steps.", low=0, high=10)
    colour: Colour = knob("A colour.")


GOOD = {"share": 0.5, "limit": None, "steps": (1, 2), "colour": Colour.RED}


def test_good_values_stand() -> None:
    assert Example(**GOOD).limit is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("share", 1.5, "a number from 0 to 1"),
        ("share", float("nan"), "a number from 0 to 1"),
        ("share", float("inf"), "a number from 0 to 1"),
        ("limit", 0, "a whole number of at least 1, or null"),
        ("steps", (1, 11), "a list, each a whole number from 0 to 10"),
    ],
)
def test_values_out_of_range_are_refused_with_key_and_range(name: str, value: object, allowed: str) -> None:
    with pytest.raises(OutOfRangeError) as caught:
        Example(**(GOOD | {name: value}))  # type: ignore[arg-type]
    assert caught.value.key == f"example.{name}"
    assert caught.value.allowed == allowed


def test_both_ends_of_a_range_are_allowed() -> None:
    for share in (0.0, 1.0):
        assert Example(**(GOOD | {"share": share})).share == share  # type: ignore[arg-type]


def test_what_is_allowed_names_the_choices() -> None:
    fields = {field.name: field for field in dataclasses.fields(Example)}
    assert allowed_text(fields["colour"], hint=field_types(Example)["colour"]) == "one of: red, blue"
