"""What a knob is: one typed, documented, range-checked field of a frozen class. No default values live here."""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar

from c4.params.target import TARGET, Target


def knob(
    meaning: str,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    needs: Mapping[str, Any] | None = None,
    instead: str | None = None,
) -> Any:
    """A field without a default: its value stands in conf/, its meaning and its range (both ends allowed) here.

    It has an effect only where other knobs of its group have the values that it `needs` ("not VALUE": any other); where
    the first of them has not, `instead` is the knob for what it would do.
    """
    about = {"meaning": meaning, "low": low, "high": high, "unit": unit, "needs": needs or {}, "instead": instead}
    return dataclasses.field(metadata=about)


def own(meaning: str) -> Any:
    """A field for what a person names himself: its keys stand beside the knobs of the group, and may be none."""
    return dataclasses.field(default_factory=dict, metadata={"meaning": meaning, "own": True})


class OutOfRangeError(ValueError):
    """A knob's value is of the right type but outside of its range."""

    def __init__(self, *, key: str, value: Any, allowed: str) -> None:
        super().__init__(f"{key}={value} is not allowed: {allowed}")
        self.key, self.value, self.allowed = key, value, allowed


@dataclasses.dataclass(frozen=True, kw_only=True)
class Params:
    """Base of all groups of knobs. `group` is the name of the group in conf/."""

    group: ClassVar[str] = ""

    def __post_init__(self) -> None:
        hints = field_types(type(self))
        for field in dataclasses.fields(self):
            check_range(field, getattr(self, field.name), hint=hints[field.name], group=self.group)


def field_types(cls: Any) -> Mapping[str, Any]:
    """The type of each field: annotations are strings in the classes themselves."""
    return _field_types(cls)


@functools.cache  # Python evaluates the annotations anew each time
def _field_types(cls: Any) -> Mapping[str, Any]:
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def kinds_of(hint: Any) -> tuple[list[Any], bool]:
    """What may stand at a field, and whether None is allowed: one type, or a group of knobs and a Target."""
    if typing.get_origin(hint) not in {typing.Union, types.UnionType}:
        return [hint], False
    members = [member for member in typing.get_args(hint) if member is not type(None)]
    if len([member for member in members if member is not Target]) > 1:
        raise TypeError(f"a knob has one type, and may be a target or None beside it: {hint}")
    return members, len(members) < len(typing.get_args(hint))


def allowed_text(field: dataclasses.Field[Any], *, hint: Any) -> str:
    """What may stand at a knob, as a person reads it: "a number from 0 to 1", "one of: adamw, sgd"."""
    return _text(hint, low=field.metadata.get("low"), high=field.metadata.get("high"))


def _text(hint: Any, *, low: float | None, high: float | None) -> str:
    members, optional = kinds_of(hint)
    text = ", or ".join(_text_of_one(member, low=low, high=high) for member in members)
    return f"{text}, or null" if optional else text


def _text_of_one(hint: Any, *, low: float | None, high: float | None) -> str:
    if typing.get_origin(hint) is tuple:
        return "a list, each " + _text(typing.get_args(hint)[0], low=low, high=high)
    if typing.get_origin(hint) is Mapping:
        return "a mapping by name, each " + _text(typing.get_args(hint)[1], low=low, high=high)
    if hint is Target:
        return f"a mapping with {TARGET}: module.Name and its arguments"
    if dataclasses.is_dataclass(hint):
        return "a group of keys"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "one of: " + ", ".join(str(member.value) for member in hint)
    if hint is bool:
        return "true or false"
    if hint is str:
        return "a text"
    noun = "a whole number" if hint is int else "a number"
    if low is not None and high is not None:
        return f"{noun} from {low:.15g} to {high:.15g}"
    if low is not None:
        return f"{noun} of at least {low:.15g}"
    return f"{noun} of at most {high:.15g}" if high is not None else noun


def check_range(field: dataclasses.Field[Any], value: Any, *, hint: Any, group: str) -> None:
    """Raises OutOfRangeError when a number (or one in a list) is not finite or leaves the knob's range."""
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, bool) or not isinstance(number, int | float):
            continue
        low, high = field.metadata.get("low"), field.metadata.get("high")
        too_low = low is not None and number < low
        too_high = high is not None and number > high
        if too_low or too_high or not math.isfinite(number):
            key = f"{group}.{field.name}" if group else field.name
            raise OutOfRangeError(key=key, value=value, allowed=allowed_text(field, hint=hint))
