"""What a run takes of the disk, by the rules that its files go by: said before it starts.

Of states the newest stay, of samples those in their windows (run/archive.py), of players the best, the last and one
every so many generations (callbacks/run_checkpoint.py). Tables and logs only grow, by kilobytes a generation.
"""

from __future__ import annotations

import dataclasses
import logging
import shutil

from c4.games import game_spec
from c4.native import _core
from c4.params.train import TrainConfig
from c4.run.folder import RunFolder
from c4.run.state import KEPT

BEYOND_WINDOW = 2  # generations: of the state before the newest, and the one of which the window has only a part

log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class DiskNeed:
    """Bytes, at most, but for a few games that end together."""

    samples: int
    states: int
    players: int
    player: int  # each one that is kept
    every: int  # generations between two of them, where the budget does not say how many there will be; else 0

    @property
    def total(self) -> int:
        return self.samples + self.states + self.players

    def sentence(self, *, free: int) -> str:
        parts = f"samples {size(self.samples)}, states {size(self.states)}, players {size(self.players)}"
        more = f", and {size(self.player)} every {self.every} generations" if self.every else ""
        return f"disk: up to {size(self.total)} ({parts}){more}; {size(free)} are free"


def need_of(config: TrainConfig, *, weights: int, learning: int) -> DiskNeed:
    """`weights`: bytes of those that play; `learning`: of all that is learned, the optimizer's state with it."""
    data, budget, every = config.data, config.budget, config.callbacks.checkpoint.every
    record = _core.sample_dtype(config.game.name).itemsize
    most = data.window_max + BEYOND_WINDOW * data.generation_samples_max
    if budget.generations is not None:
        most = min(most, budget.generations * data.generation_samples_max)
    in_flight = config.selfplay.games_per_group * config.selfplay.groups * game_spec(config.game.name).max_plies
    kept = budget.generations // every if every and budget.generations is not None else 0
    return DiskNeed(
        samples=most * record,
        states=(KEPT + 1) * (learning + in_flight * record),  # one more while it is written
        players=(2 + kept) * weights,
        player=weights,
        every=every if budget.generations is None else 0,
    )


def say_need(need: DiskNeed, *, folder: RunFolder) -> None:
    """A warning where the disk has no room for it. What the run has written before counts as room."""
    free = shutil.disk_usage(folder.path).free
    has = sum(path.stat().st_size for part in (folder.samples, folder.checkpoints) for path in part.glob("*.*"))
    if need.total > free + has:
        log.warning("%s: lower data.window_max, or free some", need.sentence(free=free))
    else:
        log.info("%s", need.sentence(free=free))


def size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
