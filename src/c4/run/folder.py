"""What lies in a run's folder, and how each of it is called: spelt here and nowhere else.

Opens none of them, and loads nothing: the first line of a run appears before numpy is there.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from c4.run.archive import Archive

_STATE = re.compile(r"state_(\d{6})\.ckpt")
_BESIDE = re.compile(r"\..+\.\d+")  # a file, by the process that writes it


class StateError(ValueError):
    """There is nothing to go on from; the text says why."""


class _Lies:
    """Where something lies in a run's folder."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, run: RunFolder, _: type[RunFolder]) -> Path:
        return run.path / self._name


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunFolder:
    """Where the files of a run lie."""

    path: Path

    config = _Lies("config.yaml")  # every value as it is used: with it, a run has said what it is
    facts = _Lies("facts.json")  # commit, packages, machine, command
    overrides = _Lies(".hydra/overrides.yaml")  # what was typed; the last that Hydra writes before a run begins
    outcome = _Lies("outcome.json")  # how it ended
    metrics = _Lies("metrics.csv")
    damaged_metrics = _Lies("metrics_damaged.csv")  # as found by a run that went on without rows that it had earned
    games = _Lies("games.jsonl")  # the newest of self-play
    mistakes = _Lies("mistakes.jsonl")  # the gravest of the newest grading
    audits = _Lies("selfplay_audit.jsonl")  # self-play against the truth
    log = _Lies("train.log")
    lock = _Lies("lock")  # held by the process that trains here
    checkpoints = _Lies("checkpoints")  # states and players
    samples = _Lies("samples")  # of the generations in the window

    @property
    def archive(self) -> Archive:
        from c4.run.archive import Archive

        return Archive(folder=self.samples)

    def state(self, generation: int) -> Path:
        """The state after so many generations."""
        return self.checkpoints / f"state_{generation:06d}.ckpt"

    def clock(self, state: Path) -> Path:
        """What lies beside a state (c4/run/clock.py)."""
        return state.with_suffix(".json")

    def clocks(self) -> list[Path]:
        """All that lie beside states, or have lain there."""
        return [path for path in self.checkpoints.glob("*.json") if _STATE.fullmatch(path.with_suffix(".ckpt").name)]

    def states(self) -> list[Path]:
        """All states, newest first."""
        return sorted((path for path in self.checkpoints.glob("*.ckpt") if _STATE.fullmatch(path.name)), reverse=True)

    def player(self, which: str | int) -> Path:
        """A player: best, last, or of a generation."""
        name = which if isinstance(which, str) else f"generation_{which:06d}"
        return self.checkpoints / f"{name}.safetensors"

    def players(self) -> list[Path]:
        return sorted(self.checkpoints.glob("*.safetensors"))

    def discarded(self, after: int | str) -> Path:
        """Where what was made after so many generations is put aside when the run continues from there."""
        return self.path / f"discarded_after_{after}"

    def has_begun(self) -> bool:
        """Whether a run was composed here. One that was refused at once has an outcome, and no configuration."""
        refused = self.outcome.exists() and not self.has_config()
        return self.overrides.exists() and not refused

    def has_config(self) -> bool:
        """Whether a run has said what it is: it was not refused."""
        return os.path.lexists(self.config)

    def has_job(self) -> bool:
        """Whether a job of a sweep has left anything here: one that only measured has no configuration."""
        return any(path.is_file() for path in (self.outcome, self.metrics, self.overrides))

    def clear(self) -> None:
        """Removes what a run has made here: the same job is to be begun anew."""
        for folder in (self.checkpoints, self.samples):
            shutil.rmtree(folder, ignore_errors=True)
        for path in (self.outcome, self.metrics, self.games, self.mistakes, self.audits):
            path.unlink(missing_ok=True)

    def wrote(self) -> float:
        """When it last wrote a metric or a line of its log, by the clock of files."""
        return max((path.stat().st_mtime for path in (self.metrics, self.log, self.config) if path.exists()), default=0)

    def remove_leftovers(self) -> None:
        """Removes what a killed process has left half written."""
        own = (self.path, self.overrides.parent, self.checkpoints, self.samples)
        for folder in (*own, *self.path.glob(self.discarded("*").name)):
            for path in folder.glob(".*.*"):
                if _BESIDE.fullmatch(path.name) and (path.is_symlink() or path.is_file()):
                    path.unlink()
        self.remove_lone_clocks()

    def remove_lone_clocks(self) -> None:
        """Whose states are gone, or were never written."""
        for path in set(self.clocks()) - {self.clock(state) for state in self.states()}:
            path.unlink()


ANYWHERE = RunFolder(path=Path("**"))
"""Whose names are patterns of names below a folder."""


def generation_of(path: Path) -> int:
    """How many generations are in a state, by its name."""
    found = _STATE.fullmatch(path.name)
    if found is None:
        raise StateError(f"{path} is not the state of a run: those are called state_000012.ckpt")
    return int(found.group(1))
