"""A table with a search by rollouts: quick, seeded, no network."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.evaluation.makers import SEARCH

from c4.native._core import Position
from c4.params.play import LevelParams, Seat
from c4.players.chance import RandomPlayer
from c4.players.oracle import oracle
from c4.players.player import Player
from c4.players.solver import SolverPlayer
from c4.players.thinker import Thinker
from c4.ui.session import Session
from c4.ui.table import Mind, PlayTable
from c4.ui.truth import Scores, Truth, TruthOf


class Known(Truth):
    """The truth without a process of its own."""

    def __init__(self) -> None:
        super().__init__(seconds=math.inf)

    def scores(self, game: str, actions: Sequence[int]) -> Scores:
        return oracle(game).scores(actions)


def mind(start: Position, *, simulations: int) -> Mind:
    thinker = Thinker(position=start, params=SEARCH, judge=None, cache_megabytes=0, seed=1)
    return Mind(thinker=thinker, level=LevelParams(simulations=simulations, seconds=None))


def session(text: str = "", *, game: str = "connect4", seat: Seat = Seat.FIRST) -> Session:
    return Session(start=Position(game, text), seat=seat)


def table(
    text: str = "",
    *,
    game: str = "connect4",
    seat: Seat = Seat.FIRST,
    simulations: int = 200,
    chance: bool = False,
    rollouts: int | None = None,
    may_tell: bool = True,
) -> PlayTable:
    """Against the commenting search, chance, or a search of its own with so many rollouts."""
    start = Position(game, text)
    other = RandomPlayer(seed=1) if chance else None
    return PlayTable(
        session=Session(start=start, seat=seat),
        comments=mind(start, simulations=simulations),
        opponent=other if rollouts is None else mind(start, simulations=rollouts),
        name="random" if chance else "rollouts",
        judge="rollouts",
        truth=Known(),
        may_tell=may_tell,
    )


def against_solver(truth: Truth, *, game: str, may_tell: bool) -> PlayTable:
    """The solver moves first."""
    start = Position(game)
    player: Player = SolverPlayer(
        game=game, perfect_plies=1000, perfect_probability=1.0, seed=1, truth=TruthOf(truth, game=game, quick=False)
    )
    player.begin(1)
    return PlayTable(
        session=Session(start=start, seat=Seat.SECOND),
        comments=mind(start, simulations=10),
        opponent=player,
        name="solver",
        judge="rollouts",
        truth=truth,
        may_tell=may_tell,
    )
