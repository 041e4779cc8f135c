"""How this program was started, and so what its commands are called here: `python train.py` in the tree, `c4 train`
where it is installed, `python -m c4 train` for who asked for that; and what brings what is not installed. Knows nothing
of what a command does.

Sentences for people stand in the code as one types them in the tree; `as_typed_here` says them as they work here.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

TREE = Path(__file__).parents[2]
IN_TREE = (TREE / "train.py").is_file() and (TREE / "pyproject.toml").is_file()
"""Whether this file lies where the sources are, and not in an environment's packages."""

COMMAND = "C4_COMMAND"
"""Variable with the command of this process, for those that it starts: the jobs of a sweep, other devices."""

SOURCES = "C4_SOURCES"
"""Variable with --config-dir and hydra.searchpath as they were typed."""

TYPED_IN_TREE = re.compile(
    r"python (?:(train|play|evaluate)\.py|-m c4\.(?:adapters\.)?(export|sweeps|engines|pbrain))(?!\w)"
)
NAMES = {"sweeps": "sweep"}
GAP = re.compile(r"(?<=\S) {3,}")


def begin(command: str, *, sources: Sequence[str] = ()) -> None:
    """Says which command this process is, and by which words it was told of folders that hold configuration."""
    os.environ[COMMAND] = command
    os.environ[SOURCES] = shlex.join(sources)


def sources() -> str:
    """What has to be typed again to continue what was begun here; empty where nothing was."""
    return os.environ.get(SOURCES, "")


def by_scripts() -> bool:
    """Whether programs are called as the tree's scripts are."""
    return _program() is None


def as_typed_here(text: str) -> str:
    """The same text with the commands that exist here; what stands in columns after them stays in columns."""
    program = _program()
    if program is None:
        return text
    return "\n".join(_line_as_typed(line, program=program) for line in text.split("\n"))


def typed() -> str:
    """What was typed to start this process, up to its overrides."""
    program = _program()
    command = os.environ.get(COMMAND, "")  # none in a script of somebody's own
    started = f"{program} {command}" if program is not None and command else sys.argv[0]
    return f"{started} {sources()}".rstrip()


def install(extra: str) -> str:
    """The command that adds an extra. Never `c4` by its bare name: the one on PyPI is another project."""
    if IN_TREE:
        return f'pip install -c constraints.txt -e ".[{extra}]"'
    try:
        c4 = distribution("c4")
    except PackageNotFoundError:
        return f'pip install "c4-VERSION-....whl[{extra}]"'
    about = json.loads(c4.read_text("direct_url.json") or "{}")  # PEP 610: where pip had it from
    if "url" not in about:
        return f'pip install "c4-{c4.version}-....whl[{extra}]"'
    kind = about.get("vcs_info", {}).get("vcs")
    return f'pip install "c4[{extra}] @ {f"{kind}+" if kind else ""}{about["url"]}"'


def _program() -> str | None:
    """What stands before a command; None where the scripts of the tree are called."""
    started = Path(sys.argv[0])
    if started.stem == "c4":
        return "c4"
    if started.name == "__main__.py" and started.parent.name == "c4":
        return "python -m c4"
    return None if IN_TREE else "c4"


def _line_as_typed(line: str, *, program: str) -> str:
    said = TYPED_IN_TREE.sub(lambda found: f"{program} {NAMES.get(name := found[1] or found[2], name)}", line)
    return GAP.sub(lambda gap: gap[0] + " " * (len(line) - len(said)), said, count=1)
