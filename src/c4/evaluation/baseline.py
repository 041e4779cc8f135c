"""The classic yardstick for any game: matches against pure Monte Carlo, which gets more rollouts each time it is beaten
in every game. Knows nothing of training.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from c4.evaluation.games import PlayedGame, play_games
from c4.native._core import Position
from c4.network.inference.engine import Judge
from c4.params.evaluation import BaselineParams, EvaluationParams
from c4.params.search import SearchParams
from c4.players.network import NetworkPlayer
from c4.players.player import Player
from c4.players.rollouts import RolloutPlayer

LEAVES = 8
"""Of one game that wait for the network at once: a match has so few games that its batches would be all but empty."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class MatchResult:
    """Win rates from 0 to 1, a draw counts half."""

    rollouts: int
    score: float
    score_first: float
    score_second: float
    clean_sweep: bool
    counts_first: Sequence[int]  # games won, drawn and lost when moving first
    counts_second: Sequence[int]

    def line(self, *, simulations: int) -> str:
        """For people; `simulations` of the network's moves."""
        seats = (("first", self.score_first, self.counts_first), ("second", self.score_second, self.counts_second))
        told = (
            f"{score:.0%} moving {seat} ({won} won, {drawn} drawn, {lost} lost)"
            for seat, score, (won, drawn, lost) in seats
        )
        return (
            f"Against pure Monte Carlo with {self.rollouts:,} rollouts per move: {self.score:.0%} of the points "
            f"with {simulations:,} simulations, {', '.join(told)}."
        )


@dataclasses.dataclass
class Curriculum:
    """How strong the baseline is by now."""

    params: BaselineParams
    rollouts: int

    def match(self, player: Player, *, game: str, seed: int, threads: int) -> MatchResult:
        """Plays a match at the present level."""
        result = play_match(
            player, game=game, rollouts=self.rollouts, games=self.params.games, seed=seed, threads=threads
        )
        self.heard(result)
        return result

    def heard(self, result: MatchResult) -> None:
        """A clean sweep raises the level."""
        if result.clean_sweep:
            self.rollouts += self.params.rollouts_step

    def strength(self, result: MatchResult) -> float:
        """Levels beaten before this match, and the score in it: grows with the player, and chooses checkpoints."""
        return (result.rollouts - self.params.rollouts_first) / self.params.rollouts_step + result.score


def challenger(judge: Judge, *, game: str, search: SearchParams, params: EvaluationParams) -> NetworkPlayer:
    """The network that plays such matches while it is trained."""
    return NetworkPlayer(
        name="network",
        game=game,
        judge=judge,
        params=dataclasses.replace(search, leaves_per_batch=LEAVES),
        simulations=params.baseline.simulations,
        threads=params.threads,
        cache_megabytes=params.cache_megabytes,
    )


def play_match(player: Player, *, game: str, rollouts: int, games: int, seed: int, threads: int) -> MatchResult:
    baseline = RolloutPlayer(game=game, rollouts=rollouts, seed=seed, threads=threads)
    played = play_games((player, baseline), [Position(game)] * games, first=[slot % 2 for slot in range(games)])
    return match_result(played, name=player.name, rollouts=rollouts)


def match_result(games: list[PlayedGame], *, name: str, rollouts: int) -> MatchResult:
    first = [game.score(name) for game in games if game.first == name]
    second = [game.score(name) for game in games if game.first != name]
    both = first + second
    return MatchResult(
        rollouts=rollouts,
        score=sum(both) / len(both),
        score_first=sum(first) / len(first),
        score_second=sum(second) / len(second),
        clean_sweep=min(both) == 1.0,
        counts_first=_counts(first),
        counts_second=_counts(second),
    )


def _counts(scores: list[float]) -> tuple[int, int, int]:
    return scores.count(1.0), scores.count(0.5), scores.count(0.0)
