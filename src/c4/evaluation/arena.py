"""Who beats whom: pairs of games with colours swapped, ratings over all pairs, and a test that stops early."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from itertools import combinations
from typing import Any

import numpy as np

from c4.evaluation.elo import Rating, difference, ratings
from c4.evaluation.games import PlayedGame, play_games, play_pairs
from c4.evaluation.openings import balanced_openings
from c4.evaluation.statistics import SequentialTest, Verdict
from c4.games import game_spec
from c4.native._core import Position
from c4.params.arena import ArenaParams
from c4.players.oracle import NoOracleError
from c4.players.player import Player
from c4.players.solver import SolverPlayer


@dataclasses.dataclass(frozen=True, kw_only=True)
class Meeting:
    """All games between two players; figures are for the first of them."""

    players: tuple[str, str]
    games: tuple[PlayedGame, ...]
    pairs_at_most: int
    test: SequentialTest | None
    pair_scores: tuple[float, ...]  # from 0 to 1, two wins
    difference: Rating  # Elo above the second player, by these games alone

    def counts(self, *, moving_first: bool) -> dict[str, int]:
        own = self.players[0]
        scores = [game.score(own) for game in self.games if (game.first == own) == moving_first]
        return {"wins": scores.count(1.0), "draws": scores.count(0.5), "losses": scores.count(0.0)}

    @property
    def score(self) -> float:
        return sum(game.score(self.players[0]) for game in self.games)

    @property
    def verdict(self) -> Verdict | None:
        """None: not tested."""
        return None if self.test is None else self.test.verdict(self.pair_scores)

    @property
    def line(self) -> str:
        """What the test says, in words."""
        one, other = self.players
        count = len(self.pair_scores)
        pairs = f"{count} of at most {self.pairs_at_most} pairs"
        if self.test is None:
            return f"No test was made of {one} against {other}: arena.error is 0."
        claim = f"{one} is {self.test.elo_high:g} rather than {self.test.elo_low:g} Elo stronger than {other}"
        said = {
            Verdict.STRONGER: f"{claim}: yes, after {pairs}",
            Verdict.NOT_STRONGER: f"{claim}: no, after {pairs}",
            Verdict.OPEN: f"Whether {claim} is open after {pairs}; more pairs (arena.pairs) may tell",
        }[self.test.verdict(self.pair_scores)]
        ratio, bound = self.test.ratio(self.pair_scores), self.test.bound
        chance = f"{100 * self.test.error:g} % chance of a wrong verdict"
        return f"{said} (log likelihood ratio {ratio:+.2f}, bounds ±{bound:.2f}: {chance})."


@dataclasses.dataclass(frozen=True, kw_only=True)
class Standings:
    names: tuple[str, ...]
    ratings: tuple[Rating, ...]
    meetings: tuple[Meeting, ...]

    def as_dict(self) -> dict[str, Any]:
        rows = zip(self.names, self.ratings, strict=True)
        return {
            "players": [{"name": name} | dataclasses.asdict(rating) for name, rating in rows],
            "meetings": [
                {
                    "players": list(meeting.players),
                    "moving_first": meeting.counts(moving_first=True),
                    "moving_second": meeting.counts(moving_first=False),
                    "pairs": len(meeting.pair_scores),
                    "difference": {"elo": meeting.difference.elo, "margin": meeting.difference.margin},
                    "stronger": meeting.verdict.value if meeting.verdict else None,
                    "line": meeting.line,
                }
                for meeting in self.meetings
            ],
        }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Batch:
    """Pairs of games that two players play at the same time. What becomes of them hangs on nothing else, as long as
    the players draw by nothing but what `begun` says.
    """

    players: tuple[int, int]  # by their places
    begun: tuple[int, int]  # how often each of them has begun before
    openings: Sequence[Position]


Pairs = Sequence[tuple[PlayedGame, PlayedGame]]
PlayBatches = Callable[[Sequence[Batch]], Generator[Pairs]]
"""Plays batches and gives them in their order; whoever stops asking wants no more of them."""


def tournament(
    players: Sequence[Player],
    *,
    game: str,
    params: ArenaParams,
    on_batch: Callable[[str], None] = lambda _: None,
    on_ply: Callable[[str], None] = lambda _: None,
    on_games: Callable[[Sequence[PlayedGame]], None] = lambda _: None,
    elsewhere: PlayBatches | None = None,
) -> Standings:
    """Everybody against everybody. Names must differ. `on_batch` and `on_ply` are told how far it is, `on_games` gets
    each batch of games when it is over. `elsewhere` plays in the place of this process.
    """
    names = [player.name for player in players]
    if len(set(names)) < len(names):
        raise ValueError(f"an arena needs players of different names: {', '.join(names)}")
    openings = balanced_openings(game=game, count=params.pairs, plies=params.opening_plies, seed=params.seed)
    met = list(combinations(range(len(players)), 2))
    batches = _batches(met, openings=openings, size=params.batch_pairs)
    play = elsewhere or (lambda wanted: _played_here(wanted, players=players, on_ply=on_ply))
    with closing(play(batches)) as played:
        meetings = tuple(
            _meet(
                (names[one], names[other]),
                played,
                most=len(openings),
                params=params,
                stop_early=len(met) == 1,
                on_batch=on_batch,
                on_games=on_games,
            )
            for one, other in met
        )
    points = np.zeros((len(names), len(names)))
    for meeting in meetings:
        one, other = (names.index(name) for name in meeting.players)
        points[one, other] += meeting.score
        points[other, one] += len(meeting.games) - meeting.score
    return Standings(
        names=tuple(names), ratings=tuple(ratings(points, prior_draws=params.prior_draws)), meetings=meetings
    )


def _batches(met: Sequence[tuple[int, int]], *, openings: Sequence[Position], size: int) -> list[Batch]:
    """Of one meeting after the other, in the order in which they count."""
    begun = Counter[int]()
    batches = []
    for one, other in met:
        for start in range(0, len(openings), size):
            part = openings[start : start + size]
            batches.append(Batch(players=(one, other), begun=(begun[one], begun[other]), openings=part))
            begun.update((one, other))
    return batches


def _played_here(
    batches: Sequence[Batch], *, players: Sequence[Player], on_ply: Callable[[str], None]
) -> Generator[Pairs]:
    """One after the other, each when it is asked for."""
    over_before = Counter[tuple[int, int]]()
    for batch in batches:
        one, other = (players[place] for place in batch.players)

        def tell(
            over: int,
            *,
            before: int = over_before[batch.players],
            size: int = 2 * len(batch.openings),
            who: str = f"{one.name} - {other.name}",
        ) -> None:
            on_ply(f"{who}: {before + over} games finished, {size - over} being played")

        yield play_pairs((one, other), batch.openings, on_ply=tell)
        over_before[batch.players] += 2 * len(batch.openings)


def _meet(
    names: tuple[str, str],
    played: Iterator[Pairs],
    *,
    most: int,
    params: ArenaParams,
    stop_early: bool,
    on_batch: Callable[[str], None],
    on_games: Callable[[Sequence[PlayedGame]], None],
) -> Meeting:
    """Takes as many batches as it has; the sequential test ends the meeting only where no rating over several players
    hangs on its games.
    """
    test = (
        SequentialTest(elo_low=params.elo_low, elo_high=params.elo_high, error=params.error) if params.error else None
    )
    own, other = names
    games: list[PlayedGame] = []
    scores: list[float] = []  # of each pair
    while len(scores) < most:
        pairs = next(played)
        games += (over := [game for pair in pairs for game in pair])
        on_games(over)
        for game in over:
            if game.forfeit:
                on_batch(f"{own} - {other}: a game is lost: {game.forfeit}")
        scores += [(one.score(own) + two.score(own)) / 2 for one, two in pairs]
        verdict = test.verdict(scores) if test is not None else None
        said = f", sequential test: {verdict.value}" if verdict is not None else ""
        on_batch(f"{own} - {other}: {2 * sum(scores):g} of {len(games)} points, {len(scores)} of {most} pairs{said}")
        if stop_early and verdict not in (None, Verdict.OPEN):
            break
    return Meeting(
        players=(own, other),
        games=tuple(games),
        pairs_at_most=most,
        test=test,
        pair_scores=tuple(scores),
        difference=difference(2 * sum(scores), games=len(games), prior_draws=params.prior_draws),
    )


def duel(player: Player, *, game: str, seed: int) -> dict[str, Any]:
    """Two games against perfect play from the empty board, one moving first, one second."""
    try:
        perfect = SolverPlayer(game=game, perfect_plies=game_spec(game).max_plies, perfect_probability=1.0, seed=seed)
        games = play_games((player, perfect), [Position(game)] * 2, first=[0, 1])
    except NoOracleError as error:
        return {"played": False, "line": f"Against perfect play: not measured ({error})."}
    return _duel_report(*games)


def _duel_report(as_first: PlayedGame, as_second: PlayedGame) -> dict[str, Any]:
    longest = game_spec(as_first.game).max_plies
    first, second = as_first.result, -as_second.result
    plies_first, plies_second = len(as_first.actions), len(as_second.actions)
    deed = {1: f"wins in {plies_first} plies", 0: "draws", -1: f"loses in {plies_first} plies"}[first]
    fate = {1: f"wins in {plies_second} plies", 0: "draws", -1: f"holds out for {plies_second} plies"}[second]
    return {
        "played": True,
        "first": {"result": first, "plies": plies_first, "actions": list(as_first.actions)},
        "second": {"result": second, "plies": plies_second, "actions": list(as_second.actions)},
        "line": f"Against perfect play from the empty board it {deed} moving first and {fate} moving second "
        f"(a game lasts {longest} plies at most).",
    }
