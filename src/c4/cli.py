"""Around a command: what was typed is checked before anything starts; an error is one sentence and an exit code.

Knows no configuration class by name, and nothing of what a program does.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import time
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import Any, NoReturn

from hydra._internal.utils import get_args_parser
from hydra.core.hydra_config import HydraConfig
from omegaconf.errors import OmegaConfBaseException

from c4 import invocation, multirun, printed
from c4.command_line import REFUSED, CommandLine, Composer, check, options
from c4.machine import lacks_memory
from c4.params.errors import ConfigError
from c4.params.target import forget
from c4.sources import SHIPPED, Sources, opened

HYPHENED = re.compile(r"--[A-Za-z_][\w/@.]*=")

ENDLESS = re.compile(r"\d{4001}")
LONGEST = 2000  # characters of a sentence

USAGE = 2
"""Exit code for what was asked wrongly."""

OUT_OF_MEMORY = "out of memory: end other programs, or lift the limit of this one (ulimit -v, ulimit -d)"


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


Task = Callable[[Any], Any]
"""What a command does with one configuration."""

Rewrite = Callable[[CommandLine, Composer], list[str]]
"""Other overrides for those that were typed; it may compose what it likes."""


def run(task: Task, *, name: str, schema: type[Any], rewrite: Rewrite | None = None) -> int:
    """Checks the command line against `schema`, then has Hydra run the task with it. Returns the exit code."""
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors come out as they are, to be said here
    # OpenMP reads this when torch is imported: threads that wait would spin, and slow a busy machine down tenfold.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    forget()  # what a program that started this one was asked for
    with tempfile.TemporaryDirectory(prefix="c4-") as kept:
        multirun.keep_notes(Path(kept))
        try:
            return _run(task, name=name, schema=schema, rewrite=rewrite)
        finally:
            invocation.begin(name)  # where to look was said for this line alone


def _run(task: Task, *, name: str, schema: type[Any], rewrite: Rewrite | None) -> int:
    try:
        arguments = _arguments(sys.argv[1:])
        _check_flags(arguments)
        _check_length(arguments.overrides)
        invocation.begin(name, sources=_sources_in(arguments))
        conf = Path(arguments.config_path or SHIPPED)
        with opened(conf=conf, name=arguments.config_name or name, config_dir=arguments.config_dir) as sources:
            if arguments.shell_completion:
                sources.show(arguments, [])
                return 0
            line = check(arguments.overrides, sources=sources, schema=schema, multirun=arguments.multirun)
            if arguments.help:
                printed.out(_help(sources, line.words, schema=schema))
            elif arguments.hydra_help or arguments.cfg or arguments.info:
                sources.show(arguments, line.words)
            else:
                composer = Composer(sources=sources, schema=schema)
                words = rewrite(line, composer) if rewrite else line.words
                for sentence in composer.in_vain(words, line=line):
                    printed.err(f"warning: {sentence}\n")
                _start(task, words, sources=sources, line=line)
    except REFUSED as error:
        return _complain(error, code=USAGE)
    except RunError as error:
        return _complain(error, code=error.code)
    except OSError as error:  # a folder that cannot be written to
        if lacks_memory(error):
            return _complain(MemoryError(OUT_OF_MEMORY), code=1)
        return _complain(OSError(f"{error.strerror}: {error.filename}"), code=1)
    except Exception as error:
        if not lacks_memory(error):
            raise
        return _complain(MemoryError(OUT_OF_MEMORY), code=1)
    except KeyboardInterrupt:
        return _complain(KeyboardInterrupt("interrupted"), code=128 + signal.SIGINT)
    return 0


def _arguments(line: Sequence[str]) -> Namespace:
    """Hydra's flags and the overrides. Those may have hyphens, as agents of `wandb sweep` type them: --search.cpuct=2.
    Raises ConfigError."""
    parser = get_args_parser()
    flags = {flag for action in parser._actions for flag in action.option_strings}
    words = [word[2:] if HYPHENED.match(word) and word.partition("=")[0] not in flags else word for word in line]

    def refuse(message: str) -> NoReturn:
        raise ConfigError(f"{message}; --hydra-help lists the flags, --help the rest")

    parser.error = refuse  # type: ignore[method-assign]
    return parser.parse_intermixed_args(words)


def _check_length(words: Sequence[str]) -> None:
    """Raises ConfigError for a number that nobody can read."""
    if too_long := next((word for word in words if ENDLESS.search(word)), None):
        raise ConfigError(f"{too_long[:40]}... has {len(too_long):,} characters: a number has at most 4,000 digits")


def _sources_in(arguments: Namespace) -> list[str]:
    searched = [word for word in arguments.overrides if word.startswith("hydra.searchpath=")]
    return [*(["--config-dir", arguments.config_dir] if arguments.config_dir else []), *searched]


def _check_flags(arguments: Namespace) -> None:
    """Raises ConfigError for those of Hydra's that do not go together, or that no run can have."""
    if arguments.experimental_rerun:
        raise ConfigError(
            "--experimental-rerun is not allowed: it unpickles a file, which could run anything; resume=FOLDER "
            "continues a run, and the words in its .hydra/overrides.yaml begin it again"
        )
    shown = [flag for flag in ("cfg", "info", "shell_completion", "multirun", "run") if getattr(arguments, flag)]
    if len(shown) > 1:
        raise ConfigError(f"--{shown[0]} and --{shown[1]} do not go together".replace("_", "-"))
    if arguments.resolve and not arguments.cfg:
        raise ConfigError("--resolve needs --cfg")


def _start(task: Task, words: Sequence[str], *, sources: Sources, line: CommandLine) -> None:
    if line.grid is not None:
        multirun.expect(line.grid)
    if line.left_out:
        multirun.leave_out(line.left_out)
    try:
        sources.run(task, words, multirun=line.multirun)
    finally:
        if folder_of_grid := multirun.folder_of_grid():
            report = invocation.as_typed_here("python -m c4.sweeps report")
            printed.err(f"report: {report} {short_path(folder_of_grid)}\n")


def _help(sources: Sources, words: Sequence[str], *, schema: type[Any]) -> str:
    """Hydra's own would list the groups of every program there is."""
    listed = "\n".join(
        f"{group}: {', '.join(names)}" for group, names in options(sources, words, schema=schema).items() if names
    )
    told = Template(sources.compose(words).hydra.help.template).substitute(APP_CONFIG_GROUPS=listed)
    return invocation.as_typed_here(told) + "\n"


def began(process: float) -> float:
    """When a job began, on the monotonic clock: with the process, but for the jobs of a sweep."""
    return time.monotonic() if multirun.is_multirun() else process


def announce(name: str) -> None:
    """Says at once which job begins and where its folder is; what comes next may have to load for seconds."""
    printed.err(f"c4 · {name} · {short_path(HydraConfig.get().runtime.output_dir)}\n")


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
        if lacks_memory(error):
            multirun.note_failure(OUT_OF_MEMORY)
            raise RunError(OUT_OF_MEMORY) from error
        traceback.print_exc()  # nobody has foreseen it; the other jobs are to run all the same
        multirun.note_failure(sentence := f"{type(error).__name__}: {error}")
        raise RunError(sentence) from error


def _complain(error: BaseException, *, code: int) -> int:
    if failed := error.sentences if isinstance(error, SweepError) else multirun.failures():
        printed.err(invocation.as_typed_here("".join(f"error: {sentence}\n" for sentence in failed)))
        return code
    cause = error.__cause__ if isinstance(error.__cause__, OmegaConfBaseException) else None
    lines = [line for line in str(error).splitlines() if line.strip()]
    if cause is not None:
        lines.append(str(cause).splitlines()[0])
    printed.err(invocation.as_typed_here(f"error: {_shown(' '.join(lines))}\n"))
    return code


def _shown(sentence: str) -> str:
    """What was typed stands in it, and may have any length."""
    return sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST // 2]} ... {sentence[-LONGEST // 2 :]}"
