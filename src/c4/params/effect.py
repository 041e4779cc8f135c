"""Which knobs have no effect beside others of their group, so that one who turns such a knob is told."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from c4.params.knob import Params
from c4.params.plain import as_plain
from c4.params.walk import as_typed


def without_effect(config: Params, typed: Iterable[str]) -> list[str]:
    """A sentence for each typed key whose value changes nothing, by what its knob `needs`."""
    said = {key: _sentence(config, key) for key in typed}
    return [sentence for sentence in said.values() if sentence]


def _sentence(config: Params, key: str) -> str | None:
    if why := getattr(config, "in_vain", {}).get(key):
        return f"{key} has no effect here: {why}"
    group, name = _group_of(config, key)
    field = next((one for one in dataclasses.fields(group) if one.name == name), None) if group else None
    if group is None or field is None or not (needs := field.metadata.get("needs")):
        return None
    values, prefix = as_plain(group), key.removesuffix(name)
    missing = [other for other, wanted in needs.items() if not holds(values[other], wanted)]
    if not missing:
        return None
    now = " and ".join(f"{prefix}{other} is {as_typed(values[other])}" for other in missing)
    instead = "" if (one := field.metadata.get("instead")) is None else f"; {prefix}{one} is what counts there"
    return f"{key} has no effect while {now}{instead}"


def holds(value: Any, wanted: Any) -> bool:
    """`wanted` is a value, or "not VALUE" for all others; enums by their text."""
    if isinstance(wanted, str) and wanted.startswith("not "):
        return as_typed(value) != wanted.removeprefix("not ")
    return bool(value == wanted)


def _group_of(config: Params, key: str) -> tuple[Params | None, str]:
    *path, name = key.split(".")
    group: Any = config
    for step in path:
        group = getattr(group, step, None)
    return (group, name) if isinstance(group, Params) else (None, name)
