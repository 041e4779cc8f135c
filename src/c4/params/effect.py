"""Which knobs have no effect beside the others, so that one who turns such a knob is told.

What a knob `needs` of its own group stands with the knob. What else keeps it idle its group says, or one above it, as
`in_vain`: reasons by key, below that group. A key stands for all that is below it and is not named itself; without a
reason it counts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from c4.params.knob import Params
from c4.params.plain import as_plain
from c4.params.walk import as_typed


def without_effect(config: Any, typed: Iterable[str]) -> list[str]:
    """A sentence for each typed key whose value changes nothing. `config` has groups of knobs by name."""
    said = {key: _sentence(config, key) for key in typed}
    return [sentence for sentence in said.values() if sentence]


def _sentence(config: Any, key: str) -> str | None:
    if why := _why_in_vain(config, key):
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
    one = field.metadata.get("instead") if missing[0] == next(iter(needs)) else None
    instead = "" if one is None else f"; {prefix}{one} is what counts there"
    return f"{key} has no effect while {now}{instead}"


def holds(value: Any, wanted: Any) -> bool:
    """`wanted` is a value, or "not VALUE" for all others; enums by their text."""
    if isinstance(wanted, str) and wanted.startswith("not "):
        return as_typed(value) != wanted.removeprefix("not ")
    return bool(value == wanted)


def _why_in_vain(config: Any, key: str) -> str | None:
    steps, group = key.split("."), config
    for depth, step in enumerate(steps):
        reasons = getattr(group, "in_vain", {})
        named = [".".join(steps[depth:end]) for end in range(len(steps), depth, -1)]
        if why := next((reasons[name] for name in named if name in reasons), None):
            return str(why)
        group = getattr(group, step, None)
    return None


def _group_of(config: Any, key: str) -> tuple[Params | None, str]:
    *path, name = key.split(".")
    group = config
    for step in path:
        group = getattr(group, step, None)
    return (group, name) if isinstance(group, Params) else (None, name)
