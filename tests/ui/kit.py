"""A table with a search by rollouts: quick, seeded, no network."""

from __future__ import annotations

from tests.evaluation.makers import SEARCH

from c4.native._core import Position
from c4.params.play import LevelParams, Seat
from c4.players.chance import RandomPlayer
from c4.players.thinker import Thinker
from c4.ui.session import Session
from c4.ui.table import Table


def session(text: str = "", *, game: str = "connect4", seat: Seat = Seat.FIRST) -> Session:
    return Session(start=Position(game, text), seat=seat)


def table(
    text: str = "", *, game: str = "connect4", seat: Seat = Seat.FIRST, simulations: int = 200, chance: bool = False
) -> Table:
    """Against the commenting search, or against chance."""
    start = Position(game, text)
    player = RandomPlayer(seed=1) if chance else None
    return Table(
        session=Session(start=start, seat=seat),
        thinker=Thinker(position=start, params=SEARCH, engine=None, cache_entries=0, seed=1),
        player=player,
        name="rollouts",
        level=LevelParams(simulations=simulations, seconds=None),
        truth=True,
    )
