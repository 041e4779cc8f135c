"""The classic yardstick for any game: matches against pure Monte Carlo, which gets more rollouts each time it is beaten
in every game. Knows nothing of training.
"""

from __future__ import annotations

import dataclasses

from c4.evaluation.games import PlayedGame, play_games
from c4.native._core import Position
from c4.params.evaluation import BaselineParams
from c4.players.player import Player
from c4.players.rollouts import RolloutPlayer


@dataclasses.dataclass(frozen=True, kw_only=True)
class MatchResult:
    """Win rates from 0 to 1, a draw counts half."""

    rollouts: int
    score: float
    score_first: float
    score_second: float
    clean_sweep: bool


@dataclasses.dataclass
class Curriculum:
    """How strong the baseline is by now."""

    params: BaselineParams
    rollouts: int

    def match(self, player: Player, *, game: str, seed: int, threads: int) -> MatchResult:
        """Plays a match at the present level; a clean sweep raises it."""
        baseline = RolloutPlayer(game=game, rollouts=self.rollouts, seed=seed, threads=threads)
        count = self.params.games
        games = play_games((player, baseline), [Position(game)] * count, first=[slot % 2 for slot in range(count)])
        result = match_result(games, name=player.name, rollouts=self.rollouts)
        if result.clean_sweep:
            self.rollouts += self.params.rollouts_step
        return result

    def strength(self, result: MatchResult) -> float:
        """Levels beaten before this match, and the score in it: grows with the player, and chooses checkpoints."""
        return (result.rollouts - self.params.rollouts_first) / self.params.rollouts_step + result.score


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
    )
