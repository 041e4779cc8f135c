"""Players by word: `best.ckpt@32`, `rollouts@1000`, `solver`, `solver:last12`, `solver:p0.9`, `random`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

from c4.network.inference.engine import Judge
from c4.params.knob import OutOfRangeError
from c4.params.player import PlayerKind, PlayerParams
from c4.params.search import SearchParams
from c4.players.chance import RandomPlayer
from c4.players.network import NetworkPlayer
from c4.players.player import Player
from c4.players.rollouts import RolloutPlayer
from c4.players.solver import SolverPlayer


class PlayerWordError(ValueError):
    """A word that names no player."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Roster:
    """All that is needed to turn descriptions into players of one game."""

    game: str
    search: SearchParams
    judge_of: Callable[[str], Judge]  # the engine of a checkpoint
    threads: int
    cache_megabytes: float
    seed: int

    def player(self, params: PlayerParams) -> Player:
        if params.kind is PlayerKind.RANDOM:
            return RandomPlayer(seed=self.seed)
        if params.kind is PlayerKind.ROLLOUTS:
            return RolloutPlayer(game=self.game, rollouts=params.rollouts, seed=self.seed, threads=self.threads)
        if params.kind is PlayerKind.SOLVER:
            return SolverPlayer(
                game=self.game,
                perfect_plies=params.perfect_plies,
                perfect_probability=params.perfect_probability,
                seed=self.seed,
            )
        if params.checkpoint is None:
            raise PlayerWordError("a network player needs a checkpoint")
        return NetworkPlayer(
            name=f"{Path(params.checkpoint).stem}@{params.simulations}",
            game=self.game,
            judge=self.judge_of(params.checkpoint),
            params=self.search,
            simulations=params.simulations,
            threads=self.threads,
            cache_megabytes=self.cache_megabytes,
        )


def from_word(word: str, *, base: PlayerParams) -> PlayerParams:
    """What a word says of a player; what it leaves out is as in `base`."""
    try:
        return _from_word(word, base=base)
    except OutOfRangeError as error:
        raise PlayerWordError(f"{word}: {error}") from error


def _from_word(word: str, *, base: PlayerParams) -> PlayerParams:
    head, _, amount = word.rpartition("@") if "@" in word else (word, "", "")
    name, *options = word.split(":")
    if word == "random":
        return dataclasses.replace(base, kind=PlayerKind.RANDOM)
    if word == "rollouts" or head == "rollouts":
        rollouts = _whole(amount, word=word) if amount else base.rollouts
        return dataclasses.replace(base, kind=PlayerKind.ROLLOUTS, rollouts=rollouts)
    if name == "solver":
        solver = dataclasses.replace(base, kind=PlayerKind.SOLVER)
        for option in options:
            solver = _softened(solver, option, word=word)
        return solver
    if amount:
        return dataclasses.replace(
            base, kind=PlayerKind.NETWORK, checkpoint=head, simulations=_whole(amount, word=word)
        )
    return dataclasses.replace(base, kind=PlayerKind.NETWORK, checkpoint=word)


def _softened(params: PlayerParams, option: str, *, word: str) -> PlayerParams:
    """last12: perfect in the last twelve plies. p0.9: with probability 0.9."""
    if option.startswith("last"):
        return dataclasses.replace(params, perfect_plies=_whole(option.removeprefix("last"), word=word))
    share = option.removeprefix("p")
    try:
        probability = float(share) if share != option else None
    except ValueError:
        probability = None
    if probability is None or not 0 <= probability <= 1:
        raise PlayerWordError(f"{word}: a solver is softened by last12 or p0.9 and the like, not by {option!r}")
    return dataclasses.replace(params, perfect_probability=probability)


def _whole(text: str, *, word: str) -> int:
    if not text.isdecimal():
        raise PlayerWordError(f"{word}: {text!r} is not a whole number")
    return int(text)
