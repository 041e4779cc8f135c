"""Something of a person's own, named in the configuration as Hydra's users name it: `_target_` and its arguments.

A Target is plain values. What it names is imported only where it is made, and only what this process was asked for:
a name that comes out of a file which a stranger could hand over (a player, a run's folder) is data until a person has
typed it too, and a name of this program is no exception. Knows nothing of what is made.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from omegaconf import OmegaConf

from c4.params.errors import ConfigError, did_you_mean

TARGET = "_target_"
ASKED = "C4_TRUSTED"
"""Variable with the names that this process was asked for: the jobs of a sweep run in processes of their own."""


@dataclasses.dataclass(frozen=True)
class Target:
    """`path` is a module and a name in it; `arguments` are numbers, texts, lists, mappings, None, and targets in them.

    As for Hydra: `_partial_` makes a function that waits for the rest, `_args_` come first, and with
    `_recursive_: false` targets below are left alone. Lists and mappings arrive as Python's own, or as OmegaConf's
    with `_convert_: none`.
    """

    path: str
    arguments: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        parts = self.path.split(".")
        if len(parts) < 2 or not all(part.isidentifier() for part in parts):
            raise ConfigError(
                f"{TARGET}={self.path} is not allowed: a module and a name in it, such as my_file.MyClass"
            )
        object.__setattr__(self, "arguments", {str(key): _plain(one) for key, one in self.arguments.items()})

    def __hash__(self) -> int:
        return hash(self.path)

    @staticmethod
    def from_plain(values: Mapping[str, Any]) -> Target:
        return Target(str(values[TARGET]), {key: value for key, value in values.items() if key != TARGET})

    def as_plain(self) -> dict[str, Any]:
        return {TARGET: self.path, **_plain(self.arguments)}

    def make(self, **given: Any) -> Any:
        """Imports what is named and calls it with `given` and its arguments. Raises ConfigError."""
        self._check_asked()
        return _made(self.as_plain(), given=given)

    def function(self) -> Any:
        """Something to call: a class is made, and of a function its arguments are bound. Raises ConfigError."""
        made = "_partial_" in self.arguments or inspect.isclass(self.located())
        return (self if made else Target(self.path, {**self.arguments, "_partial_": True})).make()

    def located(self) -> Any:
        """What is named, imported. Raises ConfigError."""
        self._check_asked()
        return located(self.path)

    def takes(self) -> list[str]:
        """What can be given to it by name; nothing of one that does not say. Raises ConfigError."""
        return _names_taken(self.located())

    def _check_asked(self) -> None:
        if refused := sorted({*names_in(self.as_plain())} - {*asked()}):
            listed = ", ".join(refused)
            raise ConfigError(
                f"{listed}: a file names what is not part of this program; nothing is imported that was not asked for. "
                f"Who trusts it adds trusted=[{','.join(refused)}]"
            )


Wanted = Mapping[str, Target | None]
"""Several of a kind, by names that a person gave them; None: not this one."""


def all_made(wanted: Wanted, make: Callable[[Target], Any], *, group: str) -> dict[str, Any]:
    """Raises ConfigError, which names the one that cannot be."""
    made = {}
    for name, target in wanted.items():
        if target is not None:
            try:
                made[name] = make(target)
            except ConfigError as error:
                raise ConfigError(f"{group}.{name}: {error}") from error
    return made


def functions(wanted: Wanted, *, group: str) -> dict[str, Any]:
    """Each something to call. Raises ConfigError."""
    made = all_made(wanted, Target.function, group=group)
    for name, one in made.items():
        if not callable(one):
            raise ConfigError(f"{group}.{name} must be a function, or a class with __call__, not {type(one).__name__}")
    return made


def is_target(value: object) -> bool:
    return isinstance(value, Mapping) and TARGET in value


def names_in(plain: object) -> Iterator[str]:
    """Every name that a configuration would have made, however deep it stands."""
    if isinstance(plain, Mapping):
        if TARGET in plain:
            yield str(plain[TARGET])
        plain = list(plain.values())
    if isinstance(plain, list | tuple):
        for one in plain:
            yield from names_in(one)


def asked() -> list[str]:
    return [name for name in os.environ.get(ASKED, "").split(",") if name]


def trust(names: Iterable[str]) -> None:
    """Lets these be imported and made by this process and its children: a person has asked for them."""
    os.environ[ASKED] = ",".join(sorted({*asked(), *names}))


def trusting(plain: object) -> str:
    """The word that lets a configuration be used again which comes out of a file; empty where none is needed."""
    names = sorted({name for name in names_in(plain) if not name.startswith("c4.")})
    return f"'trusted=[{','.join(names)}]'" if names else ""


def forget() -> None:
    """Trusts nobody any more."""
    os.environ[ASKED] = ""


def _made(plain: Mapping[str, Any], *, given: Mapping[str, Any]) -> Any:
    path, rest = str(plain[TARGET]), {key: value for key, value in plain.items() if key != TARGET}
    partial, recursive = rest.pop("_partial_", False), rest.pop("_recursive_", True)
    as_omegaconf = rest.pop("_convert_", "all") == "none"
    inside = functools.partial(_argument, recursive=recursive, as_omegaconf=as_omegaconf)
    positional, named = inside(rest.pop("_args_", [])), {key: inside(value) for key, value in rest.items()}
    called = located(path)
    if not callable(called):
        raise ConfigError(
            f"{TARGET}={path} is not allowed: it is neither a class nor a function, but {type(called).__name__}"
        )
    _check_arguments(path, called, positional, named, given=given, partial=partial)
    both = named | dict(given)
    return functools.partial(called, *positional, **both) if partial else called(*positional, **both)


def _argument(value: Any, *, recursive: bool, as_omegaconf: bool) -> Any:
    if recursive and is_target(value):
        return _made(value, given={})
    inside = functools.partial(_argument, recursive=recursive, as_omegaconf=as_omegaconf)
    if isinstance(value, Mapping):
        made: Any = {key: inside(one) for key, one in value.items()}
    elif isinstance(value, list):
        made = [inside(one) for one in value]
    else:
        return value
    return OmegaConf.create(made, flags={"allow_objects": True}) if as_omegaconf else made


def located(path: str) -> Any:
    """What a path names, imported. Raises ConfigError."""
    first, *others = path.split(".")
    found: Any = _imported(first, path=path)
    reached = first
    for name in others:
        inside = f"{reached}.{name}"
        if not hasattr(found, name):
            submodule = _imported(inside, path=path, missing_ok=True) if isinstance(found, ModuleType) else None
            if submodule is None:
                near = did_you_mean(name, [one for one in dir(found) if not one.startswith("_")])
                raise ConfigError(f"{TARGET}={path}: there is no {name} in {reached}{near}")
            found = submodule
        else:
            found = getattr(found, name)
        reached = inside
    return found


def _imported(name: str, *, path: str, missing_ok: bool = False) -> ModuleType | None:
    here = Path.cwd()
    if (here / f"{name}.py").exists() or (here / name).is_dir():  # a script's path is its own folder, not this one
        sys.path.extend({str(here)} - {*sys.path})
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if not isinstance(error, ModuleNotFoundError) or error.name != name:
            raise ConfigError(f"{TARGET}={path}: {name} cannot be imported: {error}") from error
        if missing_ok:
            return None
        raise ConfigError(f"{TARGET}={path}: there is no module {name}, here or on PYTHONPATH") from error


def _check_arguments(
    path: str,
    called: Callable[..., Any],
    positional: list[Any],
    named: Mapping[str, Any],
    *,
    given: Mapping[str, Any],
    partial: bool,
) -> None:
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):  # of some that are written in C; the call itself will tell
        return
    kinds, takes = {parameter.kind for parameter in signature.parameters.values()}, _names_taken(called)
    listed = f"it takes {', '.join(takes)}" if takes else "it takes none"
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        for name in [*named, *given]:
            if name in takes:
                continue
            if name in given:
                raise ConfigError(f"{TARGET}={path} must take {name}, which it is given here; {listed}")
            raise ConfigError(f"{TARGET}={path}: it has no argument {name} ({listed}){did_you_mean(name, takes)}")
    try:
        (signature.bind_partial if partial else signature.bind)(*positional, **{**named, **given})
    except TypeError as error:
        raise ConfigError(f"{TARGET}={path}: {error}; {listed}") from error


def _names_taken(called: Any) -> list[str]:
    try:
        parameters = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one.name for one in parameters if one.kind in {one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY}]


def _plain(value: Any) -> Any:
    """A copy that shares nothing."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ConfigError(f"a target's arguments are numbers, texts, lists and mappings, not {type(value).__name__}")
