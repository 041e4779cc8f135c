"""`c4 COMMAND ...`, and the same as `python -m c4 COMMAND ...`: finds the command. Knows nothing of what it does.

A shell that completes a line (`eval "$(c4 -sc install=bash)"`, Hydra's own way) asks here too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import metadata

from c4 import printed
from c4.params.errors import did_you_mean

COMMANDS = {
    "train": "learn a game from nothing but games against oneself",
    "play": "play against what was trained, in the terminal or the browser",
    "evaluate": "how far players are from perfect play, and who beats whom",
    "export": "a player as a file for other programs: Kaggle's ConnectX, ONNX",
    "sweep": "several runs from one line: a grid, seeds, a search; and what came out",
    "pbrain": "a player as an engine for Gomoku managers, by Gomocup's protocol",
    "engines": "which engine runs a network fastest here, as it was timed; `c4 engines clear` forgets it",
}
SUBCOMMANDS = {
    "sweep": ("train", "evaluate", "report", "wandb"),
    "export": ("kaggle", "onnx"),
    "engines": ("clear",),
}

HELP = """\
c4 {version}: an AlphaZero for Connect Four and Gomoku that is measured against perfect play.

{commands}

    c4 play                         against the champion that comes with c4
    c4 train experiment=tiny        learns a small board in a minute; runs are kept in runs/, below this folder
    c4 train --help                 what a command takes: any value of its configuration, as key=value
    eval "$(c4 -sc install=bash)"   completes lines in this shell (bash, zsh; for fish: c4 -sc install=fish | source)
"""


def main() -> int:
    """Returns the exit code."""
    first, *rest = sys.argv[1:] or ["--help"]
    if first in {"-sc", "--shell-completion"}:
        return _complete(rest) if any(word.startswith("query=") for word in rest) else _run("train", sys.argv[1:])
    if first in {"-h", "--help", "help"}:
        printed.out(_help())
        return 0
    if first == "--version":
        printed.out(f"c4 {_version()}\n")
        return 0
    if first not in COMMANDS:
        listed = ", ".join(COMMANDS)
        near = did_you_mean(first, COMMANDS) or "."
        printed.err(f"error: c4 {first}: there is no such command{near} The commands are: {listed}\n")
        return 2
    return _run(first, rest)


def _run(command: str, words: Sequence[str]) -> int:
    from c4 import programs  # late: Hydra takes a moment, and what stands above needs none of it

    sys.argv[1:] = words
    run: Callable[[], int] = getattr(programs, command)
    return run()


def _complete(words: Sequence[str]) -> int:
    """The words that could stand where a line ends: commands, then what Hydra knows of the one that is chosen."""
    program, *typed = os.environ.get("COMP_LINE", "c4").split(" ")
    command = typed[0] if len(typed) > 1 else ""
    if command not in COMMANDS:
        printed.out("\n".join(name for name in COMMANDS if name.startswith("".join(typed))) + "\n")
        return 0
    typed = typed[1:]
    below = SUBCOMMANDS.get(command, ())
    if len(typed) == 1:
        printed.out("".join(f"{name} " for name in below if name.startswith(typed[0])))
    elif typed[0] in below:
        command = {"evaluate": "evaluate"}.get(typed[0], command)
        typed = typed[1:]
    os.environ["COMP_LINE"] = " ".join([program, *typed])
    return _run("train" if command == "sweep" else command, ["--shell-completion", *words])


def _help() -> str:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"    c4 {name:{width}}   {meaning}" for name, meaning in COMMANDS.items())
    return HELP.format(version=_version(), commands=listed)


def _version() -> str:
    try:
        return metadata.version("c4")
    except metadata.PackageNotFoundError:  # sources on PYTHONPATH
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
