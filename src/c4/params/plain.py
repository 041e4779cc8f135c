"""A group of knobs as plain values, for files that outlive the program, and back with every check."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeVar

from c4.params.knob import Params
from c4.params.target import Target
from c4.params.walk import typed

Group = TypeVar("Group", bound=Params)


def as_plain(params: Params | Target) -> dict[str, Any]:
    """Numbers, texts, lists, mappings and None only."""
    if isinstance(params, Target):
        return params.as_plain()
    values = {field.name: _plain(getattr(params, field.name)) for field in dataclasses.fields(params)}
    for field in dataclasses.fields(params):
        if field.metadata.get("own"):  # beside the knobs, as it was typed
            values |= values.pop(field.name)
    return values


def from_plain(cls: type[Group], values: Mapping[str, Any]) -> Group:
    """Raises ConfigError for an unknown or missing key, a wrong type, a value out of range."""
    return typed(cls, values)


def _plain(value: Any) -> Any:
    if isinstance(value, Params | Target):
        return as_plain(value)
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, Enum):
        return value.value
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
