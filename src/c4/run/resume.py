"""How a resumed run is configured: as it was, but for what is typed anew. Knows configurations only by their keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from c4.params.former import by_present_name
from c4.params.walk import ConfigError
from c4.run.about import RunFileError, read_config, read_overrides
from c4.run.finding import find_run
from c4.run.folder import StateError

Compose = Callable[[list[str]], DictConfig]


def resumed_overrides(typed: Sequence[str], compose: Compose) -> list[str]:
    """The command line that goes on with a run: its own overrides, what it had by default, then what is typed now."""
    composed = compose(list(typed))
    if composed.resume is None:
        return list(typed)
    try:
        folder, state = find_run(str(composed.resume), runs=Path(composed.paths.runs))
        before = _renamed([word for word in read_overrides(folder) if _is_its_own(word)])
        saved = by_present_name(_leaves(read_config(folder)))
    except (StateError, RunFileError) as error:
        raise ConfigError(str(error)) from error
    now = [word for word in typed if not _sets_resume(word)]
    pinned = _pinned(saved, old=compose(before), new=compose([*before, *now]))
    target = folder.path if state is None else state
    return [*before, *pinned, *now, f"resume={_quoted(str(target))}", f"hydra.run.dir={_quoted(str(folder.path))}"]


def _renamed(words: Sequence[str]) -> list[str]:
    """Overrides as they would be typed today."""
    pairs = (word.partition("=") for word in words)
    return ["".join((key, *rest)) for old, *rest in pairs for key in by_present_name({old: rest})]


def _pinned(saved: Mapping[str, Any], *, old: DictConfig, new: DictConfig) -> list[str]:
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
    if isinstance(value, list):
        return "[" + ",".join(_quoted(item) for item in value) + "]"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return json.dumps(value)


def _is_its_own(word: str) -> bool:
    """Hydra's settings are of the command that is typed now: some of them would run what they name."""
    return not (_sets_resume(word) or word.lstrip("+~").startswith(("hydra.", "hydra/", "hydra=")))


def _sets_resume(word: str) -> bool:
    return word.lstrip("+").startswith("resume=")
