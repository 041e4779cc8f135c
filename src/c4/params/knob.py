"""What a knob is: one typed, documented, range-checked field of a frozen class. No default values live here."""

from __future__ import annotations

import dataclasses
import math
from enum import Enum
from typing import Any, ClassVar


def knob(meaning: str, *, low: float | None = None, high: float | None = None, unit: str = "") -> Any:
    """A field without a default: its value stands in conf/, its meaning and its range (both ends allowed) here."""
    return dataclasses.field(metadata={"meaning": meaning, "low": low, "high": high, "unit": unit})


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
        for field in dataclasses.fields(self):
            check_range(field, getattr(self, field.name), group=self.group)


def allowed_text(field: dataclasses.Field[Any]) -> str:
    """The range of a knob as a person reads it: "from 0 to 1", "at least 1", "one of: adamw, sgd"."""
    low, high = field.metadata.get("low"), field.metadata.get("high")
    if isinstance(field.type, type) and issubclass(field.type, Enum):
        return "one of: " + ", ".join(str(member.value) for member in field.type)
    if low is not None and high is not None:
        return f"from {low:g} to {high:g}"
    if low is not None:
        return f"at least {low:g}"
    if high is not None:
        return f"at most {high:g}"
    return "any value"


def check_range(field: dataclasses.Field[Any], value: Any, *, group: str) -> None:
    """Raises OutOfRangeError when a number is not finite or leaves the knob's range."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    low, high = field.metadata.get("low"), field.metadata.get("high")
    too_low = low is not None and value < low
    too_high = high is not None and value > high
    if too_low or too_high or not math.isfinite(value):
        key = f"{group}.{field.name}" if group else field.name
        raise OutOfRangeError(key=key, value=value, allowed=allowed_text(field))
