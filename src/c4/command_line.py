"""What was typed, checked before anything starts: each line that it stands for composes, and is a valid configuration.

Where it is not, the override that is to blame is named, with what was probably meant. Knows no configuration class by
name, and nothing of what a program does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import IntervalSweep, Override, OverrideType
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from c4.multirun import Grid, grid_of
from c4.params.effect import without_effect
from c4.params.errors import ConfigError, did_you_mean
from c4.params.knob import field_types
from c4.params.monitors import OBJECTIVES, check_monitors, check_sought
from c4.params.plain import from_plain
from c4.params.sweeper import OF_PRUNING, SweeperParams
from c4.params.target import TARGET, names_in, trust
from c4.params.walk import as_typed, build, is_free, keys, unknown_key
from c4.sources import Sources

OWN = "own"
"""The option of a group that holds nothing but what a person brings himself."""

REFUSED = (ConfigError, HydraException, OmegaConfBaseException)


@dataclasses.dataclass(frozen=True, kw_only=True)
class CommandLine:
    words: list[str]  # as Hydra takes them
    multirun: bool
    grid: Grid | None  # of a multirun whose jobs Hydra itself makes
    left_out: list[str]  # keys of a search's space that have no effect beside the rest
    in_vain: list[str]  # a sentence for each knob that was typed, or monitors something, and has no effect
    composed: DictConfig  # from what is the same in all jobs, with Hydra's own node


@dataclasses.dataclass(frozen=True, kw_only=True)
class Composer:
    """Composes other lines for the same program."""

    sources: Sources
    schema: type[Any]

    def compose(self, words: Sequence[str]) -> DictConfig:
        return self.sources.compose(words)

    def in_vain(self, words: Sequence[str], *, line: CommandLine) -> list[str]:
        """As the line's own, beside words that have come in its place."""
        if [*words][: len(line.words)] == line.words:
            return line.in_vain
        return without_effect(build(self.schema, self.compose(words)), _keys(line.words))

    def check_read(self, words: Sequence[str]) -> None:
        """Raises ConfigError unless words that come out of a file could have been typed. Trusts nothing in them."""
        for override in OverridesParser.create().parse_overrides(list(words)):
            _check_key(override, sources=self.sources, words=[], schema=self.schema)


def check(typed: Sequence[str], *, sources: Sources, schema: type[Any], multirun: bool) -> CommandLine:
    """Raises ConfigError unless all of it composes to configurations of the schema, for each value of a sweep.

    What it names is trusted from here on: it was asked for.
    """
    parser = OverridesParser.create()
    first = _parsed(parser, typed)
    own = _brought(first, sources=sources)
    words = [f"{group}={OWN}" for group in own]
    words += [word for one in first for word in _as_hydra_takes_it(one, own=own, schema=schema, sources=sources)]
    parsed = parser.parse_overrides(words)
    fixed = [_typed(override) for override in parsed if not override.is_sweep_override()]
    try:
        whole = sources.compose(fixed)
        many = multirun or whole.hydra.mode is RunMode.MULTIRUN
        if not many and len(fixed) < len(parsed):
            swept = next(override.input_line for override in parsed if override.is_sweep_override())
            raise ConfigError(f"{swept}: several values need --multirun (-m); a list is written [a,b]")
        in_vain: dict[str, str] | None = None
        unlogged: dict[str, str] = {}
        searched = _searched(parsed, sweeper=whole.hydra.sweeper) if many else []
        for line in _one_by_one([*searched, *parsed]):
            composed = sources.compose(line)
            config = build(schema, composed)
            if many:
                check_sought(config, sweeper=whole.hydra.sweeper)
            unlogged |= check_monitors(config, typed=_keys(line))
            said = {one.partition(" ")[0]: one for one in without_effect(config, _keys(line))}
            in_vain = said if in_vain is None else {key: one for key, one in in_vain.items() if key in said}
            trust_all_in(composed)
    except REFUSED:
        for override in parsed:
            if override.is_hydra_override():
                _check_hydras(override, words=words, sources=sources)
            else:
                _check_key(override, sources=sources, words=words, schema=schema)
        raise
    said, grid = in_vain or {}, grid_of(words, sweeper=whole.hydra.sweeper) if many else None
    left_out = [one.get_key_element() for one in searched if one.get_key_element() in said] if grid is None else []
    for key in left_out:
        said[key] = said[key].replace(f"{key} has", f"{key} is left out of the search: it has", 1)
    return CommandLine(
        words=words,
        multirun=many,
        grid=grid,
        left_out=left_out,
        in_vain=[*said.values(), *unlogged.values(), *_idle_in_search(parsed, sweeper=whole.hydra.sweeper)],
        composed=whole,
    )


def _parsed(parser: OverridesParser, typed: Sequence[str]) -> list[Override]:
    """Raises ConfigError for what is no override, with the quotes that its value may have lacked."""
    found = []
    for word in typed:
        try:
            found += parser.parse_overrides([word])
        except HydraException as error:
            key, _, value = word.partition("=")
            quoted = f"{key}={as_quoted(value)}"
            if value and _can_be_read(parser, quoted):
                hint = f'such a value is typed in two pairs of quotes: "{quoted}"'
                raise ConfigError(f"{word} cannot be read: {hint}") from error
            raise ConfigError(f"{word} cannot be read as an override: key=value") from error
    return found


def _can_be_read(parser: OverridesParser, word: str) -> bool:
    with suppress(HydraException):
        return bool(parser.parse_override(word))
    return False


def as_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def trust_all_in(composed: DictConfig) -> None:
    """Of a configuration that a person has composed."""
    trust([*names_in(OmegaConf.to_container(composed)), *composed.trusted])


def options(sources: Sources, words: Sequence[str], *, schema: type[Any]) -> dict[str, list[str]]:
    """The options of each group that this program composes, without those that speak of another program's."""
    groups = sources.groups(words)
    everywhere = {word for path in sources.conf.glob("*.yaml") for word in _words(path)}
    foreign = everywhere - {*field_types(schema), *groups, "hydra", "defaults"}
    return {
        group.rpartition("@")[2]: [
            option
            for option in sources.options(group, words)
            if not _speaks_of(foreign, sources.conf / group.partition("@")[0] / f"{option}.yaml")
        ]
        for group in groups
    }


def _keys(line: Sequence[str]) -> list[str]:
    return [word.lstrip("+~").partition("=")[0] for word in line]


def _brought(overrides: Sequence[Override], *, sources: Sources) -> list[str]:
    """Groups for which a class is typed and no option: what ships has values that are none of that class's business."""
    values = {one.key_or_group: one.value() for one in overrides if not one.is_sweep_override()}
    whole = [key for key, value in values.items() if isinstance(value, dict) and TARGET in value]
    named = [key.removesuffix(f".{TARGET}") for key in values if key.endswith(f".{TARGET}")]
    groups = [key for key in dict.fromkeys([*whole, *named]) if key in whole or key not in values]
    return [group for group in groups if "." not in group and OWN in sources.options(group, [])]


def _as_hydra_takes_it(override: Override, *, own: Sequence[str], schema: type[Any], sources: Sources) -> list[str]:
    """As typed; but what is a person's own, and what is below it, needs no plus to be added, what may be a person's own
    is chosen by its key alone, whatever group it comes from, and typed objectives take the place of a search's."""
    key, word = override.key_or_group, _typed(override)
    if override.type is not OverrideType.CHANGE or "/" in key:
        return [word]
    if key == OBJECTIVES and isinstance(override.value(), dict):
        return [f"~{key}", f"+{word}"]
    if key not in field_types(schema):
        added = key.partition(".")[0] in own or (key not in keys(schema) and is_free(schema, key))
        return [f"++{word}" if added else word]
    if not is_free(schema, f"{key}.{TARGET}"):
        return [word]
    if not override.is_sweep_override() and isinstance(override.value(), dict):
        return [f"++{word}"]
    return [word.replace(key, sources.placed([]).get(key, key), 1)]


def _searched(parsed: Sequence[Override], *, sweeper: Mapping[str, Any]) -> list[Override]:
    """What a search says of the keys that it tries, as if it had been typed."""
    parser = OverridesParser.create()
    typed = {override.get_key_element() for override in parsed}
    return [
        parser.parse_override(f"{key}={','.join(map(as_typed, value)) if isinstance(value, ListConfig) else value}")
        for key, value in (sweeper.get("params") or {}).items()
        if key not in typed
    ]


def _idle_in_search(parsed: Sequence[Override], *, sweeper: Mapping[str, Any]) -> list[str]:
    """A sentence for each typed knob of a search itself that has no effect; nothing where there is no search."""
    try:
        params = from_plain(SweeperParams, {name: sweeper[name] for name in field_types(SweeperParams)})
    except (KeyError, ConfigError, OmegaConfBaseException):  # Hydra's own sweeper; or the search will complain
        return []
    whole = SimpleNamespace(hydra=SimpleNamespace(sweeper=params), in_vain={})
    if len(sweeper["objectives"]) > 1:
        idle = [f"{SweeperParams.group}.{name}" for name in OF_PRUNING]
        whole.in_vain = dict.fromkeys(idle, "with several objectives no trial is ended early")
    return without_effect(whole, [override.get_key_element() for override in parsed])


def _check_key(override: Override, *, sources: Sources, words: Sequence[str], schema: type[Any]) -> None:
    key = override.package or override.key_or_group
    groups = options(sources, words, schema=schema)
    known = [*keys(schema), *groups]
    if key.replace("/", ".") not in {name.replace("/", ".") for name in known} and not is_free(schema, key):
        raise unknown_key(key, known=known)
    if key in groups and override.type is OverrideType.DEL and key in field_types(schema):
        raise ConfigError(f"~{key} is not allowed: one of these is needed: {', '.join(groups[key])}")
    if key not in groups or override.type is OverrideType.DEL:
        return
    for value in _values(override):
        if value is None:
            raise ConfigError(f"{key}=null is not allowed: ~{key} chooses none of them")
        if not isinstance(value, dict | list) and str(value) not in groups[key]:
            hint = did_you_mean(str(value), groups[key])
            listed = ", ".join(groups[key]) or "none so far"
            raise ConfigError(f"{key}={value}: there is no such option{hint or ';'} the options are: {listed}")


def _check_hydras(override: Override, *, words: Sequence[str], sources: Sources) -> None:
    key = override.key_or_group
    if "/" in key or override.type is not OverrideType.CHANGE:
        return
    chosen = [word for word in words if word.startswith("hydra/")]
    searches = [word for word in words if word.startswith("hparams_search=")]
    with suppress(*REFUSED):  # what a search brings has keys of its own
        sources.compose([*chosen, *searches])
        chosen += searches
    known = [f"hydra.{name}" for name in _dotted(OmegaConf.to_container(sources.compose(chosen).hydra))]
    if key not in known:
        of_a_search = [f"{SweeperParams.group}.{name}" for name in field_types(SweeperParams)]
        if key.startswith(f"{SweeperParams.group}.") and of_a_search[0] not in known:
            near = "" if key in of_a_search else did_you_mean(key, of_a_search)
            if key in of_a_search or near:
                raise ConfigError(f"{key}: there is no such key without a search, -m hparams_search=NAME{near}")
        raise unknown_key(key, known=known)


def _dotted(plain: Any) -> Iterator[str]:
    for name, value in plain.items():
        yield name
        if isinstance(value, dict):
            yield from (f"{name}.{below}" for below in _dotted(value))


def _speaks_of(foreign: set[str], path: Path) -> bool:
    if not path.exists() or not path.read_text(encoding="utf-8").startswith("# @package _global_"):
        return False
    return bool(_words(path) & foreign)


def _words(path: Path) -> set[str]:
    """The keys that a file sets, and the groups that it chooses from."""
    option: Any = OmegaConf.load(path)
    named = [str(key) for one in option.get("defaults", []) if isinstance(one, DictConfig) for key in one]
    return {str(key) for key in option} | {key.removeprefix("override /").partition("/")[0] for key in named}


def _values(override: Override) -> list[Any]:
    """Each value that an override gives its key, as it would be typed."""
    if not override.is_sweep_override():
        return [override.value()]
    swept = override.value()
    if isinstance(swept, IntervalSweep):
        return [str(swept.start), str(swept.end)]
    return list(override.sweep_string_iterator())


def _one_by_one(parsed: Sequence[Override]) -> Iterator[list[str]]:
    """Command lines without sweeps that hold each swept value at least once; not every combination."""
    fixed = [_typed(override) for override in parsed if not override.is_sweep_override()]
    swept = [(override, _values(override)) for override in parsed if override.is_sweep_override()]
    firsts = [_assignment(override, values[0]) for override, values in swept]
    yield [*fixed, *firsts]
    for index, (override, values) in enumerate(swept):
        for value in values[1:]:
            yield [*fixed, *firsts[:index], _assignment(override, value), *firsts[index + 1 :]]


def _assignment(override: Override, value: Any) -> str:
    typed = _typed(override)
    prefix = typed[: len(typed) - len(typed.lstrip("+~"))]
    return f"{prefix}{override.get_key_element().lstrip('+~')}={value}"


def _typed(override: Override) -> str:
    return override.input_line or ""
