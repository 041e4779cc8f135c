"""Around a Hydra entry: what was typed is checked before anything starts; an error is one sentence and an exit code.

Knows no configuration class by name, and nothing of what a program does.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import Any

from hydra import compose, initialize_config_dir
from hydra._internal.utils import get_args_parser
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import IntervalSweep, Override, OverrideType
from hydra.errors import HydraException
from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from c4 import multirun
from c4.params.knob import field_types
from c4.params.walk import ConfigError, as_typed, build, keys, nearest_of, unknown_key

USAGE = 2
"""Exit code for what was asked wrongly."""


class RunError(Exception):
    """The run cannot go on; the text is the whole message, and `code` what the process ends with."""

    def __init__(self, message: str, *, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


class SweepError(RunError):
    """Some jobs of a sweep have failed; a sentence for each."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("; ".join(sentences))
        self.sentences = tuple(sentences)


Compose = Callable[[list[str]], DictConfig]
Rewrite = Callable[[list[str], Compose], list[str]]
"""Other overrides for those that were typed; it may compose what it likes."""


def run(main: Callable[[], Any], *, folder: Path, name: str, schema: type[Any], rewrite: Rewrite | None = None) -> int:
    """Checks the command line against `schema`, then calls a Hydra entry. Returns the exit code."""
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors come out as they are, to be said here
    # OpenMP reads this when torch is imported: threads that wait would spin, and slow a busy machine down tenfold.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    with tempfile.TemporaryDirectory(prefix="c4-") as kept:
        multirun.keep_notes(Path(kept))
        return _run(main, folder=folder, name=name, schema=schema, rewrite=rewrite)


def _run(main: Callable[[], Any], *, folder: Path, name: str, schema: type[Any], rewrite: Rewrite | None) -> int:
    try:
        arguments = get_args_parser().parse_args()
        with initialize_config_dir(config_dir=str(folder.resolve()), version_base="1.3"):
            check(arguments.overrides, folder=folder, name=name, schema=schema, multirun=arguments.multirun)
            if arguments.help:
                sys.stdout.write(
                    _help(arguments.overrides, groups=_groups(folder, name=name, schema=schema), name=name)
                )
                return 0
            if arguments.multirun and (grid := _grid(arguments.overrides, name=name)):
                multirun.expect(grid)
            shows = arguments.hydra_help or arguments.cfg or arguments.info
            if rewrite is not None and not shows and not arguments.multirun:
                typed = arguments.overrides
                words = rewrite(typed, lambda line: compose(config_name=name, overrides=line))
                sys.argv = [word for word in sys.argv if word not in typed] + words
        try:
            main()
        finally:
            if folder_of_grid := multirun.folder_of_grid():
                sys.stderr.write(f"report: python -m c4.sweeps report {short_path(folder_of_grid)}\n")
    except (ConfigError, HydraException, OmegaConfBaseException) as error:
        return _complain(error, code=USAGE)
    except RunError as error:
        return _complain(error, code=error.code)
    except OSError as error:  # a folder that cannot be written to
        return _complain(OSError(f"{error.strerror}: {error.filename}"), code=1)
    except KeyboardInterrupt:
        return _complain(KeyboardInterrupt("interrupted"), code=128 + signal.SIGINT)
    return 0


def began(process: float) -> float:
    """When a job began, on the monotonic clock: with the process, but for the jobs of a sweep."""
    return time.monotonic() if multirun.is_multirun() else process


def announce(name: str) -> None:
    """Says at once which job begins and where its folder is; what comes next may have to load for seconds."""
    sys.stderr.write(f"c4 · {name} · {short_path(HydraConfig.get().runtime.output_dir)}\n")
    sys.stderr.flush()


def short_path(path: str) -> str:
    """Relative to where the command was typed, unless it lies outside."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


@contextmanager
def one_sentence() -> Iterator[None]:
    """Around a job: its error ends a single run with its sentence alone, and is left to the sweep in a multirun."""
    try:
        with multirun.told():
            yield
    except (ConfigError, RunError) as error:
        if multirun.is_multirun():
            multirun.note_failure(str(error))
            raise
        raise SystemExit(_complain(error, code=error.code if isinstance(error, RunError) else USAGE)) from error
    except Exception as error:
        if not multirun.is_multirun():
            raise
        traceback.print_exc()  # nobody has foreseen it; the other jobs are to run all the same
        multirun.note_failure(sentence := f"{type(error).__name__}: {error}")
        raise RunError(sentence) from error


def check(overrides: Sequence[str], *, folder: Path, name: str, schema: type[Any], multirun: bool) -> None:
    """Raises ConfigError unless what was typed composes to a configuration of the schema, for each value of a sweep."""
    parsed = OverridesParser.create().parse_overrides(list(overrides))
    groups = _groups(folder, name=name, schema=schema)
    for override in parsed:
        _check_key(override, groups=groups, schema=schema)
    if not multirun and (swept := [override.input_line for override in parsed if override.is_sweep_override()]):
        raise ConfigError(f"{swept[0]}: several values need --multirun (-m); a list is written [a,b]")
    for line in _one_by_one([*_searched(parsed, name=name), *parsed] if multirun else parsed):
        build(schema, compose(config_name=name, overrides=line), ignore=["hydra"])


def _searched(parsed: Sequence[Override], *, name: str) -> list[Override]:
    """What a search says of the keys that it tries, as if it had been typed."""
    fixed = [_typed(override) for override in parsed if not override.is_sweep_override()]
    params = _sweeper(fixed, name=name).get("params") or {}
    parser = OverridesParser.create()
    typed = {override.get_key_element() for override in parsed}
    return [
        parser.parse_override(f"{key}={','.join(map(as_typed, value)) if isinstance(value, ListConfig) else value}")
        for key, value in params.items()
        if key not in typed
    ]


def _grid(overrides: Sequence[str], *, name: str) -> multirun.Grid | None:
    parsed = OverridesParser.create().parse_overrides(list(overrides))
    fixed = [_typed(override) for override in parsed if not override.is_sweep_override()]
    return multirun.grid_of(overrides, sweeper=_sweeper(fixed, name=name))


def _sweeper(fixed: list[str], *, name: str) -> Any:
    return compose(config_name=name, overrides=fixed, return_hydra_config=True).hydra.sweeper


def _check_key(override: Override, *, groups: Mapping[str, Sequence[str]], schema: type[Any]) -> None:
    key = override.key_or_group
    if key == "hydra" or key.startswith(("hydra.", "hydra/")):
        return
    known = [*keys(schema), *groups]
    if key.replace("/", ".") not in {name.replace("/", ".") for name in known}:
        raise unknown_key(key, known=known)
    if key not in groups or override.type is OverrideType.DEL:
        return
    options = groups[key]
    for value in _values(override):
        if value is not None and not isinstance(value, dict | list) and str(value) not in {*options, "null"}:
            nearest = nearest_of(str(value), options)
            hint = f" did you mean {nearest}?" if nearest else ""
            raise ConfigError(f"{key}={value}: there is no such option;{hint} the options are: {', '.join(options)}")


def _help(overrides: list[str], *, groups: Mapping[str, Sequence[str]], name: str) -> str:
    """Hydra's own would list the groups of every program there is."""
    template = compose(config_name=name, overrides=overrides, return_hydra_config=True).hydra.help.template
    listed = "\n".join(f"{group}: {', '.join(options)}" for group, options in sorted(groups.items()))
    return Template(template).substitute(APP_CONFIG_GROUPS=listed) + "\n"


def _groups(folder: Path, *, name: str, schema: type[Any]) -> dict[str, list[str]]:
    """The options of each group that this program composes, without those that speak of another program's."""
    groups = [word for word in sorted(_words(folder / f"{name}.yaml")) if word != "hydra" and (folder / word).is_dir()]
    everywhere = {word for path in folder.glob("*.yaml") for word in _words(path)}
    foreign = everywhere - {*field_types(schema), *groups, "hydra", "defaults"}
    return {
        group: [
            path.stem
            for path in sorted((folder / group).glob("*.yaml"))
            if not (path.read_text(encoding="utf-8").startswith("# @package _global_") and _words(path) & foreign)
        ]
        for group in groups
    }


def _words(path: Path) -> set[str]:
    """The keys that a file sets, and the groups that it chooses from."""
    option = _load(path)
    named = [str(key) for one in option.get("defaults", []) if isinstance(one, DictConfig) for key in one]
    return {str(key) for key in option} | {key.removeprefix("override /").partition("/")[0] for key in named}


def _load(path: Path) -> Any:
    return OmegaConf.load(path)


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


def _complain(error: BaseException, *, code: int) -> int:
    if failed := error.sentences if isinstance(error, SweepError) else multirun.failures():
        sys.stderr.write("".join(f"error: {sentence}\n" for sentence in failed))
        return code
    cause = error.__cause__ if isinstance(error.__cause__, OmegaConfBaseException) else None
    lines = [line for line in str(error).splitlines() if line.strip()]
    if cause is not None:
        lines.append(str(cause).splitlines()[0])
    sys.stderr.write(f"error: {' '.join(lines)}\n")
    return code
