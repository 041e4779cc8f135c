"""How a command line of train.py goes on: a new run gets a folder of its own, a resumed one is configured as it was.

A run's folder may come from a stranger: what it holds is data. Nothing in it sets Hydra up, is resolved, or asks for
what could not have been typed. Knows configurations only by their keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from c4.command_line import REFUSED, CommandLine, Composer
from c4.params.errors import ConfigError
from c4.params.former import by_present_name
from c4.run.about import RunFileError, read_config, read_overrides
from c4.run.claim import claimed
from c4.run.finding import find_run
from c4.run.folder import RunFolder, StateError

SETS_RESUME = re.compile(r"[+\s]*resume=")
SETS_HYDRA = re.compile(r"[+~\s]*([^=]*[@:])?hydra\b")
"""What sets something of Hydra's: it is of the command that is typed now, and some of it would run what it names."""

SETS_ENGINE = re.compile(r"[+\s]*inference(\.engine)?=")
FORMAT = "inference.precision"
"""What a run has computed in is pinned, unless another engine is asked for: not every engine has every format."""

SETS_CLUSTER = re.compile(r"[+\s]*selfplay\.address=")
OF_ONES_OWN = (None, "auto")
"""Clusters of this machine."""

RESOLVED = "${"
"""Begins what would be looked up elsewhere, in the environment among others."""


def run_overrides(line: CommandLine, composer: Composer) -> list[str]:
    """Raises ConfigError."""
    try:
        if not line.multirun and line.composed.resume is not None:
            return _resumed(line, composer)
        if line.multirun and line.grid is None:  # a search: its folder is there to be continued
            return line.words
        return claimed(line.words, hydra=line.composed.hydra, multirun=line.multirun)
    except (StateError, RunFileError) as error:
        raise ConfigError(str(error)) from error


def _resumed(line: CommandLine, composer: Composer) -> list[str]:
    """The run's own overrides, what it had by default, then what is typed now."""
    folder, state = find_run(str(line.composed.resume), runs=Path(line.composed.paths.runs))
    before = _read_overrides(folder, composer)
    now = [word for word in line.words if not SETS_RESUME.match(word)]
    saved = by_present_name(_leaves(read_config(folder)))
    if any(SETS_ENGINE.match(word) for word in now):
        saved.pop(FORMAT, None)
    pinned = _pinned(saved, old=composer.compose(before), new=composer.compose([*before, *now]))
    if strange := next((word for word in pinned if RESOLVED in word), None):
        raise RunFileError(f"{folder.config}: {strange} is not a value that a run has used")
    _check_cluster([*before, *pinned, *now], composer, now=now)
    words = reversed(dict.fromkeys(reversed([*before, *pinned, *now])))  # typed again, a word counts where it came last
    where = [f"resume={_quoted(str(state or folder.path))}", f"hydra.run.dir={_quoted(str(folder.path))}"]
    return [*words, *where, "hydra.output_subdir=null"]  # the run writes its overrides itself once nothing refuses it


def _read_overrides(folder: RunFolder, composer: Composer) -> list[str]:
    """Those that are of the run itself; the configuration has the values of those that are left out."""
    kept = [word for word in read_overrides(folder) if not (SETS_HYDRA.match(word) or SETS_RESUME.match(word))]
    plain = [word for word in kept if RESOLVED not in word]
    if len(plain) < len(kept) and not folder.has_config():
        raise RunFileError(f"{folder.overrides} has values that are looked up elsewhere, and the run kept none of them")
    words = _renamed(plain)
    composer.check_read(words)
    return words


def _check_cluster(words: Sequence[str], composer: Composer, *, now: Sequence[str]) -> None:
    """Raises RunFileError for a cluster that a folder alone names: what it sends may run here."""
    named, typed = composer.compose(words).selfplay, None
    if named.actors is None or named.address in OF_ONES_OWN:
        return
    with suppress(*REFUSED):  # it may say something of what the run alone has chosen
        typed = composer.compose(now).selfplay.address
    if named.address != typed and not any(SETS_CLUSTER.match(word) for word in now):
        raise RunFileError(
            f"the run played on a Ray cluster, {named.address}, which is not asked unless it is typed again: "
            "selfplay.address=ADDRESS, auto, or null"
        )


def _renamed(words: Sequence[str]) -> list[str]:
    """Overrides as they would be typed today."""
    pairs = (word.partition("=") for word in words)
    return ["".join((key, *rest)) for old, *rest in pairs for key in by_present_name({old: rest})]


def _pinned(saved: Mapping[str, Any], *, old: Any, new: Any) -> list[str]:
    """Overrides for what conf/ says differently today than when the run began, and nobody has typed."""
    before, now = _leaves(_plain(old)), _leaves(_plain(new))
    return [
        f"{key}={_quoted(value)}"
        for key, value in saved.items()
        if key in now and key != "resume" and value != now[key] and before.get(key) == now[key]
    ]


def _plain(config: Any) -> Mapping[str, Any]:
    groups = {str(key): config[key] for key in config if key != "hydra"}
    return {key: OmegaConf.to_container(v, resolve=True) if OmegaConf.is_config(v) else v for key, v in groups.items()}


def _leaves(plain: Mapping[str, Any], *, prefix: str = "") -> dict[str, Any]:
    """Values by dotted key; a list is one value."""
    found: dict[str, Any] = {}
    for key, value in plain.items():
        if isinstance(value, dict):
            found |= _leaves(value, prefix=f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


def _quoted(value: Any) -> str:
    """A value in Hydra's grammar."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_quoted(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_quoted(item) for item in value) + "]"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return json.dumps(value)
