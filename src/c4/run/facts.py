"""What a run was made with: commit, packages, machine, command. Saved beside its configuration."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from c4.files import write_beside

PACKAGES = ("c4", "torch", "pytorch-lightning", "numpy", "hydra-core", "omegaconf", "openvino", "wandb")


def run_facts(*, seed: int, engine: str, run_id: str) -> dict[str, str | int]:
    """Plain values by name."""
    facts: dict[str, str | int] = {
        "run_id": run_id,
        "seed": seed,
        "commit": git_commit(),
        "command": " ".join(sys.argv),
        "engine": engine,
        "python": platform.python_version(),
        "machine": platform.platform(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
    }
    for package in PACKAGES:
        try:
            facts[f"version/{package}"] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return facts


def kept_id(folder: Path) -> str | None:
    """The id of the run that was begun in a folder; None where none was."""
    path = folder / "facts.json"
    return str(json.loads(path.read_text())["run_id"]) if path.is_file() else None


def write_facts(folder: Path, *, config: Mapping[str, Any], facts: Mapping[str, str | int]) -> None:
    """config.yaml, with every value as it is used, and facts.json."""
    write_beside(folder / "config.yaml", OmegaConf.to_yaml(OmegaConf.create(dict(config))).encode())
    write_beside(folder / "facts.json", json.dumps(dict(facts), indent=2).encode() + b"\n")


def git_commit() -> str:
    """The commit of the sources, with a plus when they differ from it; "unknown" outside of a repository."""
    sources = Path(__file__).parent
    try:
        commit = _git("rev-parse", "HEAD", folder=sources)
        return commit + ("+" if _git("status", "--porcelain", "--untracked-files=no", folder=sources) else "")
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _git(*words: str, folder: Path) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()
