"""The knobs of a search as a person at the board names, reads and changes them. Knows no search that runs."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from c4.params.effect import holds
from c4.params.errors import ConfigError
from c4.params.knob import allowed_text, field_types
from c4.params.play import LevelParams, PlayConfig
from c4.params.search import OFF_IN_PLAY, SearchParams
from c4.params.walk import as_typed, typed
from c4.ui.session import SessionError

T = TypeVar("T")

GROUP = f"{SearchParams.group}."
ALIASES: Mapping[str, tuple[str, ...]] = {  # word -> the knobs that it sets
    "temperature": ("temperature_start", "temperature_end"),
    "noise": ("noise_epsilon",),
}
SAME = {"num_simulations": "simulations"}  # of a move in play, whoever says it
WITH_NOISE = {"noise_epsilon", "dirichlet_alpha"}  # a person at the board may ask for noise
VAIN = {*OFF_IN_PLAY, "policy_target_temperature"} - WITH_NOISE
LEVEL = tuple(field.name for field in dataclasses.fields(LevelParams))
SEARCH = tuple(field.name for field in dataclasses.fields(SearchParams))
KNOBS = (*LEVEL, *ALIASES, *(name for name in SEARCH if name not in VAIN))
AT_THE_START = tuple(field.name for field in dataclasses.fields(PlayConfig) if field.name not in (*LEVEL, "position"))

ASSIGNMENT = re.compile(r"(?P<key>[a-z_][\w.]*)\s*(?:=|\s)\s*(?P<value>\S.*)")


def split(line: str) -> tuple[str, str] | None:
    """The name and the value in `search.cpuct=2`, `cpuct=2` or `cpuct 2`; None when it names no knob."""
    said = ASSIGNMENT.fullmatch(line.strip())
    if said is None:
        return None
    key = name_of(said["key"])
    known = key in (*KNOBS, *VAIN, *SAME)
    return (SAME.get(key, key), said["value"].strip()) if known else None


def name_of(key: str) -> str:
    """Without its group: cpuct of search.cpuct."""
    return key.lower().removeprefix(GROUP)


def is_knob(key: str) -> bool:
    return name_of(key) in (*KNOBS, *VAIN, *SAME)


def changed_level(level: LevelParams, *, name: str, text: str) -> LevelParams:
    """By simulations or by time, whichever was said last. Raises SessionError."""
    changes: dict[str, Any] = {name: _value(text, LevelParams, name)}
    if name == "simulations":
        changes["seconds"] = None
    return _typed(LevelParams, level, changes, prefix="")


def changed_search(params: SearchParams, *, name: str, text: str) -> SearchParams:
    """Raises SessionError, also for what would have no effect at a board."""
    if name in VAIN:
        raise SessionError(f"{GROUP}{name} has no effect in play: it serves self-play only")
    names = ALIASES.get(name, (name,))
    return _typed(SearchParams, params, {each: _value(text, SearchParams, each) for each in names}, prefix=GROUP)


def confirmation(before: Any, after: Any, *, name: str) -> str:
    """What was changed, from what to what, and what keeps it from having an effect."""
    first = ALIASES.get(name, (name,))[0]
    was, now = _said(getattr(before, first)), _said(getattr(after, first))
    idle = next((reason for each in ALIASES.get(name, (name,)) if (reason := idle_text(after, each))), "")
    return (f"{name} is {now} already" if was == now else f"{name} is now {now} (it was {was})") + idle


def idle_text(params: Any, name: str) -> str:
    """The end of a sentence about a knob that other knobs keep from having an effect; empty where none does."""
    field = next(field for field in dataclasses.fields(params) if field.name == name)
    for other, wanted in (field.metadata.get("needs") or {}).items():
        if name in WITH_NOISE and other == "noise_epsilon":
            continue
        if not holds(value := getattr(params, other), wanted):
            return f"; it has no effect while {other} is {_said(value)}"
    return ""


def about(key: str, *, level: LevelParams, params: SearchParams) -> str:
    """What a knob means, in a line: its value, what is allowed, its meaning."""
    name = name_of(key)
    name = SAME.get(name, name)
    first = ALIASES.get(name, (name,))[0]
    owner: Any = level if name in LEVEL else params
    field = next(field for field in dataclasses.fields(owner) if field.name == first)
    allowed = allowed_text(field, hint=field_types(type(owner))[first])
    return f"{name} is {_said(getattr(owner, first))} ({allowed}): {field.metadata['meaning']}"


def _said(value: Any) -> str:
    """As a person would type it."""
    return f"{value:.6g}" if isinstance(value, float) else as_typed(value)


def _value(text: str, cls: type[Any], name: str) -> Any:
    """As it would be read on the command line."""
    words = {"true": True, "false": False, "on": True, "off": False, "null": None, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() and field_types(cls)[name] is int else number


def _typed(cls: type[T], now: Any, changes: Mapping[str, Any], *, prefix: str) -> T:
    plain = {field.name: getattr(now, field.name) for field in dataclasses.fields(now)}
    try:
        return typed(cls, {**plain, **changes}, prefix=prefix)
    except ConfigError as error:
        raise SessionError(str(error)) from error
