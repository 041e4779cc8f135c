"""What a run was made with: its whole configuration, what was typed, and facts of the program and the machine.

Whatever is read here may come from a stranger: it is plain data, and nothing in it is ever resolved.
"""

from __future__ import annotations

import io
import json
import os
import platform
import re
import subprocess
import zlib
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from omegaconf._utils import get_yaml_loader

from c4.files import read_plain, write_beside
from c4.invocation import TREE, typed
from c4.machine import cores
from c4.run.folder import RunFolder

PACKAGES = ("c4", "torch", "pytorch-lightning", "numpy", "hydra-core", "omegaconf", "openvino", "wandb")


MOST, DEEPEST = 2**18, 2000
"""Of a configuration, in bytes and in opened brackets: what takes long to read is none of ours."""

LONGEST_NUMBER = 64  # bits

Facts = Mapping[str, Any]
"""Plain values by name."""

EARLIER = "earlier"
"""The facts of the sessions before the newest, oldest first, each with the generation that it came `until`."""

UNCOMMITTED = ("src", ":(glob)*.py", ":(glob)**/*.yaml"), (":(glob)conf/**/*.yaml",)
"""Files that decide what a run is: where git does not ignore them, and wherever they are (conf/local is ignored)."""


class RunFileError(ValueError):
    """A file of a run says nothing that this program understands; the text names it."""


SEAL = re.compile(r"# crc32 ([0-9a-f]{8})\n")
"""The first line of what decides how a run goes on, configuration and overrides: what follows adds up to this."""


def write_about(folder: RunFolder, *, config: Mapping[str, Any], facts: Facts) -> None:
    """The configuration, with every value as it is used, and the facts."""
    write_beside(folder.config, _sealed(OmegaConf.to_yaml(OmegaConf.create(dict(config)))))
    write_beside(folder.facts, json.dumps(dict(facts), indent=2).encode() + b"\n")


def write_overrides(folder: RunFolder, words: Iterable[str]) -> None:
    """What was typed, as Hydra keeps it."""
    folder.overrides.parent.mkdir(exist_ok=True)
    write_beside(folder.overrides, _sealed(OmegaConf.to_yaml(OmegaConf.create(list(words)))))


def read_config(folder: RunFolder) -> dict[str, Any]:
    """Plain values by key; empty where there is none yet. Raises RunFileError."""
    found = read_yaml(folder.config) if folder.has_config() else {}
    if not isinstance(found, dict):
        raise RunFileError(f"{folder.config} is not the configuration of a run")
    return {str(key): value for key, value in found.items()}


def value_at(config: Mapping[str, Any], key: str) -> Any:
    """The value at a dotted key; None where there is none, whatever stands in its place."""
    found: Any = config
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def read_overrides(folder: RunFolder) -> list[str]:
    """What was typed; nothing where nothing is kept. Raises RunFileError."""
    found = read_yaml(folder.overrides) if os.path.lexists(folder.overrides) else []
    if not isinstance(found, list):
        raise RunFileError(f"{folder.overrides} is not a list of overrides")
    return [str(word) for word in found]


def read_facts(folder: RunFolder) -> dict[str, Any]:
    """By name; nothing where there are none, or none that can be read: they are for people."""
    try:
        found = json.loads(read_plain(folder.facts, most=2**20))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def run_facts(*, seed: int, engine: str, formats: Mapping[str, str], run_id: str, words: Iterable[str]) -> Facts:
    """`formats`: of numbers, by who computes in them. `words`: what was typed, when the run began and since."""
    facts: dict[str, str | int] = {
        "run_id": run_id,
        "seed": seed,
        "commit": git_commit(),
        "command": " ".join([typed(), *words]),
        "engine": engine,
        **{f"format/{who}": name for who, name in formats.items()},
        "python": platform.python_version(),
        "machine": platform.platform(),
        "cores": cores(),
    }
    for package in PACKAGES:
        try:
            facts[f"version/{package}"] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return facts


def with_earlier(facts: Facts, *, before: Facts, generation: int) -> Facts:
    """The facts of a run that is resumed after so many generations, beside those it had `before`."""
    known = before.get(EARLIER)
    sessions = [dict(one) for one in known if isinstance(one, Mapping)] if isinstance(known, list) else []
    sessions.append({**{name: fact for name, fact in before.items() if name != EARLIER}, "until": generation})
    reached, kept = 0, list[Facts]()
    for one in sessions:
        until = min(one["until"], generation) if isinstance(one.get("until"), int) else generation
        if until > reached:  # else all that it made was made again
            kept.append({**one, "until": until})
            reached = until
    return {**facts, EARLIER: kept}


def git_commit(*, tree: Path = TREE) -> str:
    """The commit of c4's own checkout, with a plus where what is used differs from it, files that were never committed
    among them. "unknown" outside of one: the repository around an environment, or around a copy of the sources, is
    somebody else's."""
    if not (tree / "train.py").is_file():
        return "unknown"
    try:
        if not tree.samefile(_git("rev-parse", "--show-toplevel", folder=tree)):
            return "unknown"
        commit = _git("rev-parse", "HEAD", folder=tree)
        changed = _git("status", "--porcelain", "--untracked-files=no", folder=tree)
        seen, all_of_them = UNCOMMITTED
        untracked = _git("ls-files", "--others", "--exclude-standard", "--", *seen, folder=tree)
        untracked = untracked or _git("ls-files", "--others", "--", *all_of_them, folder=tree)
        return commit + ("+" if changed or untracked else "")
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _git(*words: str, folder: Path) -> str:
    """Asks the repository of that folder, whichever a hook of git's has set."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *words], cwd=folder, env=others, capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip()


def _sealed(text: str) -> bytes:
    return f"# crc32 {zlib.crc32(text.encode()):08x}\n{text}".encode()


def _check_seal(path: Path, text: str) -> None:
    """Of a file that has one: those of older programs, and Hydra's, have none. Raises RunFileError."""
    seal = SEAL.match(text)
    if text.startswith(SEAL.pattern[:7]) and (seal is None or _sealed(text[seal.end() :]) != text.encode()):
        raise RunFileError(f"{path} has changed since it was written; who meant to change it removes its first line")
    if all(line.startswith("#") for line in text.split("\n") if line.strip()):
        raise RunFileError(f"{path} is empty")


def read_yaml(path: Path) -> Any:
    """Plain values, of a file that anybody may have written. Raises RunFileError."""
    try:
        text = read_plain(path, most=MOST).decode()
        _check_seal(path, text)
        if text.count("[") + text.count("{") > DEEPEST or _repeats_itself(text):
            raise RunFileError(f"{path} is nested too deeply, or repeats itself")
        found = OmegaConf.to_container(OmegaConf.load(io.StringIO(text)), resolve=False)
        if (strange := _strange(found)) is not None:
            raise RunFileError(f"{path} holds what no configuration does: {strange}")
        return found
    except RunFileError:
        raise
    except Exception as error:
        raise RunFileError(f"{path} cannot be read: {' '.join(str(error).split())}") from error


def _repeats_itself(text: str) -> bool:
    """A few lines of aliases of aliases are gigabytes; nothing that is written here has any."""
    tokens = get_yaml_loader()(text if "*" in text else "")
    while tokens.check_token():
        if type(tokens.get_token()).__name__ == "AliasToken":
            return True
    return False


def _strange(value: Any) -> str | None:
    """What no knob can be, and nobody could type or print: bytes, or a number of many digits."""
    if isinstance(value, dict | list):
        inside = [*value, *value.values()] if isinstance(value, dict) else value
        return next((found for one in inside if (found := _strange(one)) is not None), None)
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        return f"a number of {value.bit_length()} bits"
    return None if value is None or isinstance(value, bool | int | float | str) else type(value).__name__
