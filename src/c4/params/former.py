"""What knobs were called in runs that are older than their names. None: what the value said has no successor, and no
result depended on it. Anything else that a run knew and the program does not is refused by whoever reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from c4.params.knob import Params
from c4.params.plain import from_plain

Group = TypeVar("Group", bound=Params)

FORMER: dict[str, str | None] = {
    "search.forced_playouts": "search.forced_visits",
    "selfplay.cache_entries": None,
    "evaluation.cache_entries": None,
}


def by_present_name(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by dotted key, under the names that their knobs have now."""
    named = {FORMER.get(key, key): value for key, value in values.items()}
    return {key: value for key, value in named.items() if key is not None}


def as_today(cls: type[Group], kept: Mapping[str, Any], *, today: Mapping[str, Any]) -> Group:
    """A group that a run kept; knobs that it did not know yet are as they are today. Raises ConfigError."""
    known = by_present_name({f"{cls.group}.{name}": value for name, value in kept.items()})
    return from_plain(cls, {name: known.get(f"{cls.group}.{name}", value) for name, value in today.items()})
