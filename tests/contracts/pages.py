"""The documents as a reader uses them: the commands and the files that stand in them. Runs nothing."""

from __future__ import annotations

import dataclasses
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", flags=re.MULTILINE | re.DOTALL)
NAMED_FILE = re.compile(r"^`([\w/.]+)`:?\n\n```(?:python|yaml)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
SHELL = {"bash", "console", "sh", "shell", "zsh"}
ASSIGNMENT = re.compile(r"^[A-Z_]\w*=")
PROGRAMS = {"c4", "curl", "docker", "git", "make", "pip", "python", "torchrun", "uv", "uvx", "wandb"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Command:
    """One program with its words; what stands before a pipe is its input."""

    page: str
    words: tuple[str, ...]
    environment: tuple[str, ...] = ()
    typed: str = ""  # into its input
    said_in_passing: bool = False  # in a sentence, not in a block

    def __str__(self) -> str:
        return shlex.join(self.words)


def files_of(page: Path) -> dict[str, str]:
    """What the reader is asked to write, by name."""
    return dict(NAMED_FILE.findall(page.read_text(encoding="utf-8")))


def commands_of(page: Path) -> Iterator[Command]:
    """Those of its blocks, in their order."""
    for _, language, block in FENCE.findall(page.read_text(encoding="utf-8")):
        lines = _lines(block)
        if language in SHELL or (not language and lines and _program(lines[0]) in PROGRAMS):
            for line in lines:
                yield from _split(line, page=page.name)


def scripts_of(page: Path) -> list[str]:
    """Its blocks of Python, but for the files that it names."""
    blocks = [block for _, language, block in FENCE.findall(page.read_text(encoding="utf-8")) if language == "python"]
    return [block for block in blocks if block not in files_of(page).values()]


def mentions_of(page: Path) -> Iterator[Command]:
    """Those that stand in a sentence, whole enough to be typed."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for line in re.findall(r"`([^`]+)`", text):
        if re.match(r"(python|c4) [-\w]", line):
            for command in _split(" ".join(line.split()), page=page.name):
                yield dataclasses.replace(command, said_in_passing=True)


def _lines(block: str) -> list[str]:
    """Without comments and answers; what goes on in the next line is one."""
    lines = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
    if any(line.startswith("$ ") for line in lines):
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [line for line in lines if line and not line.startswith("#")]


def _program(line: str) -> str:
    return next((word for word in line.split() if not ASSIGNMENT.match(word)), "")


def _split(line: str, *, page: str) -> list[Command]:
    try:
        return list(_steps(line, page=page))
    except ValueError:  # no shell would take it; whoever tries it will say so
        return [Command(page=page, words=(line,))]


def _steps(line: str, *, page: str) -> Iterator[Command]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;")
    lexer.whitespace_split = True
    steps: list[list[str]] = [[]]
    piped = ""
    for word in (*lexer, ";"):
        if word in {"&&", ";"}:
            if steps[-1]:
                yield _command(steps[-1], page=page, typed=piped)
            steps, piped = [[]], ""
        elif word == "|":
            program, *said = steps[-1]
            if program not in {"echo", "printf"}:
                raise ValueError(f"{line}: only echo and printf are understood before a pipe")
            piped, steps = " ".join(said) + "\n", [[]]
        else:
            steps[-1].append(word)


def _command(words: list[str], *, page: str, typed: str) -> Command:
    environment = []
    while ASSIGNMENT.match(words[0]) and len(words) > 1:
        environment.append(words.pop(0))
    return Command(page=page, words=tuple(words), environment=tuple(environment), typed=typed)
