"""From a composed configuration to typed classes: every key known, every value of its type and in its range.

Knows the classes only by their fields; which keys exist and what they mean is said there.
"""

from __future__ import annotations

import dataclasses
import difflib
import typing
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, TypeVar

from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from c4.params.knob import OutOfRangeError, allowed_text, field_types, without_none

T = TypeVar("T")


class ConfigError(ValueError):
    """What a person asked for cannot be done as asked; the text is the whole message."""


def build(cls: type[T], config: DictConfig, *, ignore: Iterable[str] = ()) -> T:
    """The typed form of a composed configuration. Raises ConfigError for the first thing that is wrong.

    Keys in `ignore` are allowed at the top and belong to somebody else.
    """
    try:
        plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        raise ConfigError(f"{getattr(error, 'full_key', None) or 'configuration'}: {_first_line(error)}") from error
    if not isinstance(plain, dict):
        raise ConfigError("the configuration is not a mapping")
    skipped = set(ignore)
    mapping = {str(key): value for key, value in plain.items() if key not in skipped}
    return typing.cast("T", _build(cls, mapping, prefix="", known=sorted(keys(cls))))


def keys(cls: type[Any], *, prefix: str = "") -> Iterator[str]:
    """Every key of a class, nested ones with dots, groups before what is in them."""
    for name, hint in field_types(cls).items():
        yield prefix + name
        inner, _ = without_none(hint)
        if dataclasses.is_dataclass(inner):
            yield from keys(typing.cast("type[Any]", inner), prefix=f"{prefix}{name}.")


def unknown_key(key: str, *, known: Iterable[str]) -> ConfigError:
    """The message for a key that is not there, with the nearest that is."""
    nearest = nearest_of(key, known)
    hint = f"; did you mean {nearest}?" if nearest else ""
    return ConfigError(f"{key}: there is no such key{hint}")


def nearest_of(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a typing person most likely meant: by its whole name, else by its last part."""
    pool = list(candidates)
    whole = difflib.get_close_matches(word, pool, n=1, cutoff=0.75)
    if whole:
        return whole[0]
    last = {name.rpartition(".")[2]: name for name in pool}
    part = difflib.get_close_matches(word.rpartition(".")[2], last, n=1, cutoff=0.6)
    return last[part[0]] if part else None


def _build(cls: Any, mapping: Mapping[str, Any], *, prefix: str, known: list[str]) -> Any:
    hints = field_types(cls)
    fields = {field.name: field for field in dataclasses.fields(cls)}
    for key in mapping:
        if key not in fields:
            raise unknown_key(prefix + key, known=known)
    values = {}
    for name, field in fields.items():
        key = prefix + name
        if name not in mapping:
            raise ConfigError(f"{key} has no value; allowed: {allowed_text(field, hint=hints[name])}")
        inner, optional = without_none(hints[name])
        value = mapping[name]
        if dataclasses.is_dataclass(inner) and not (optional and value is None):
            if not isinstance(value, Mapping):
                raise ConfigError(f"{key}={value} is not allowed: it is a group of keys, such as {key}.{_first(inner)}")
            values[name] = _build(inner, value, prefix=f"{key}.", known=known)
        else:
            values[name] = _leaf(
                value, inner, optional=optional, key=key, allowed=allowed_text(field, hint=hints[name])
            )
    try:
        return cls(**values)
    except OutOfRangeError as error:
        name = error.key.rpartition(".")[2]
        raise ConfigError(f"{prefix}{name}={as_typed(error.value)} is not allowed: {error.allowed}") from error
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _leaf(value: Any, hint: Any, *, optional: bool, key: str, allowed: str) -> Any:
    if value is None and optional:
        return None
    if typing.get_origin(hint) is tuple:
        member = typing.get_args(hint)[0]
        if value is not None and not isinstance(value, list | tuple | ListConfig | Mapping):
            value = [value]  # one stands for a list of one
        if isinstance(value, list | tuple | ListConfig):
            return tuple(_leaf(item, member, optional=False, key=key, allowed=allowed) for item in value)
    elif isinstance(hint, type) and issubclass(hint, Enum):
        for choice in hint:
            if value == choice.value or (isinstance(value, hint) and value is choice):
                return choice
    elif hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    elif hint is str and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    elif isinstance(hint, type) and isinstance(value, hint) and isinstance(value, bool) == (hint is bool):
        return value
    raise ConfigError(f"{key}={as_typed(value)} is not allowed: {allowed}")


def as_typed(value: Any) -> str:
    """A value as it is written on the command line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _first(cls: Any) -> str:
    return next(iter(field_types(cls)), "...")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
