"""From a composed configuration to typed classes: every key known, every value of its type and in its range.

Knows the classes only by their fields; which keys exist and what they mean is said there.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, TypeVar

from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from c4.params.errors import ConfigError, did_you_mean
from c4.params.knob import OutOfRangeError, allowed_text, field_types, kinds_of
from c4.params.target import TARGET, Target, is_target

T = TypeVar("T")


def build(cls: type[T], composed: DictConfig) -> T:
    """The typed form of a composed configuration, without Hydra's own node. Raises ConfigError for the first thing
    that is wrong."""
    try:
        plain = {str(key): _resolved(composed, key) for key in composed if key != "hydra"}
    except OmegaConfBaseException as error:
        raise ConfigError(f"{getattr(error, 'full_key', None) or 'configuration'}: {_first_line(error)}") from error
    return typed(cls, plain)


def typed(cls: type[T], plain: Mapping[str, Any], *, prefix: str = "") -> T:
    """The same for values that are plain already, and stay what they are: nothing in them is resolved.

    `prefix` is where they stand, for messages.
    """
    return typing.cast("T", _build(cls, plain, prefix=prefix, known=sorted(keys(cls, prefix=prefix))))


def keys(cls: type[Any], *, prefix: str = "") -> Iterator[str]:
    """Every key of a class, nested ones with dots, groups before what is in them."""
    for name, hint in field_types(cls).items():
        if name == _own_field(cls):
            continue
        yield prefix + name
        for group in _groups(hint):
            yield from keys(group, prefix=f"{prefix}{name}.")


def is_free(cls: type[Any], key: str) -> bool:
    """Whether a key is a person's own to name: it stands below something of his own, or in a group that takes such."""
    name, _, below = key.partition(".")
    own, hints = _own_field(cls), field_types(cls)
    if name not in hints or name == own:
        return own is not None
    kinds, _ = kinds_of(hints[name])
    if below and (Target in kinds or typing.get_origin(kinds[0]) is Mapping):
        return True
    return bool(below) and any(is_free(group, below) for group in _groups(hints[name]))


def unknown_key(key: str, *, known: Iterable[str]) -> ConfigError:
    """The message for a key that is not there, with the nearest that is."""
    return ConfigError(f"{key}: there is no such key{did_you_mean(key, known)}")


def _build(cls: Any, mapping: Mapping[str, Any], *, prefix: str, known: list[str]) -> Any:
    hints, own = field_types(cls), _own_field(cls)
    fields = {field.name: field for field in dataclasses.fields(cls) if field.name != own}
    named = {key: value for key, value in mapping.items() if key not in fields}
    for key, value in named.items():
        if own is None:
            raise unknown_key(prefix + key, known=known)
        if not (value is None or is_target(value) or Any in typing.get_args(hints[own])):
            near = did_you_mean(prefix + key, [prefix + name for name in fields])
            raise ConfigError(f"{prefix}{key}: there is no such key, and no {TARGET} of your own in it{near}")
    values: dict[str, Any] = {} if own is None else {own: {key: _of_own(value) for key, value in named.items()}}
    for name, field in fields.items():
        key, value, allowed = prefix + name, mapping.get(name), allowed_text(field, hint=hints[name])
        if name not in mapping:
            raise ConfigError(f"{key} has no value; allowed: {allowed}")
        kinds, optional = kinds_of(hints[name])
        groups = [] if (value is None and optional) or (Target in kinds and is_target(value)) else _groups(hints[name])
        if not groups:
            values[name] = _leaf(value, kinds, optional=optional, key=key, allowed=allowed)
        elif isinstance(value, Mapping):
            values[name] = _build(groups[0], value, prefix=f"{key}.", known=known)
        else:
            first = next(iter(field_types(groups[0])), "...")
            raise ConfigError(f"{key}={value} is not allowed: it is a group of keys, such as {key}.{first}")
    try:
        return cls(**values)
    except OutOfRangeError as error:
        name = error.key.rpartition(".")[2]
        raise ConfigError(f"{prefix}{name}={as_typed(error.value)} is not allowed: {error.allowed}") from error
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _own_field(cls: Any) -> str | None:
    return next((field.name for field in dataclasses.fields(cls) if field.metadata.get("own")), None)


def _of_own(value: Any) -> Any:
    return Target.from_plain(value) if is_target(value) else value


def _groups(hint: Any) -> list[type[Any]]:
    kinds: list[type[Any]] = kinds_of(hint)[0]
    return [kind for kind in kinds if dataclasses.is_dataclass(kind) and kind is not Target]


def _leaf(value: Any, kinds: list[Any], *, optional: bool, key: str, allowed: str) -> Any:
    hint = kinds[0]
    if value is None and optional:
        return None
    if Target in kinds and is_target(value):
        return Target.from_plain(value)
    if typing.get_origin(hint) is not None:
        return _several(value, hint, key=key, allowed=allowed)
    if isinstance(hint, type) and issubclass(hint, Enum):
        for choice in hint:
            if value == choice.value or (isinstance(value, hint) and value is choice):
                return choice
    elif hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    elif hint is str and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    elif isinstance(hint, type) and isinstance(value, hint) and isinstance(value, bool) == (hint is bool):
        return value
    raise _not_allowed(value, key=key, allowed=allowed)


def _several(value: Any, hint: Any, *, key: str, allowed: str) -> Any:
    """A list, or a mapping by names that are free."""
    if typing.get_origin(hint) is Mapping:
        if not isinstance(value, Mapping):
            raise _not_allowed(value, key=key, allowed=allowed)
        kinds, optional = kinds_of(typing.get_args(hint)[1])
        return {
            str(name): _leaf(one, kinds, optional=optional, key=f"{key}.{name}", allowed=allowed)
            for name, one in value.items()
        }
    kinds, _ = kinds_of(typing.get_args(hint)[0])
    if value is not None and (not isinstance(value, list | tuple | Mapping) or is_target(value)):
        value = [value]  # one stands for a list of one
    if not isinstance(value, list | tuple):
        raise _not_allowed(value, key=key, allowed=allowed)
    return tuple(_leaf(item, kinds, optional=False, key=key, allowed=allowed) for item in value)


def _not_allowed(value: Any, *, key: str, allowed: str) -> ConfigError:
    return ConfigError(f"{key}={as_typed(value)} is not allowed: {allowed}")


def as_typed(value: Any) -> str:
    """A value as it is written on the command line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _resolved(composed: DictConfig, key: Any) -> Any:
    value = composed[key]
    return OmegaConf.to_container(value, resolve=True, throw_on_missing=True) if OmegaConf.is_config(value) else value


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
