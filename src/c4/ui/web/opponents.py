"""Whom a visitor can play against: the networks, and every other kind of player that this server knows. Makes them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial

from c4.network.inference.engine import Judge
from c4.params.errors import ConfigError
from c4.params.play import PlayConfig
from c4.params.search import SearchParams
from c4.players.oracle import NoOracleError, Oracle
from c4.players.player import Player, SearchPlayer
from c4.players.roster import Roster
from c4.players.words import NETWORK, Kinds


@dataclasses.dataclass(frozen=True, kw_only=True)
class Opponent:
    """One that is offered beside the networks."""

    kind: str  # different for each
    title: str  # for people
    searches: bool  # whether a visitor can say how much it thinks


class Opponents:
    def __init__(
        self,
        config: PlayConfig,
        *,
        game: str,
        engine: Callable[[str], Judge],
        search_of: Callable[[str], SearchParams],
        exact: Callable[[str], Oracle],
    ) -> None:
        """`engine` and search of a network by its name, the `exact` truth about a game, which may raise NoOracleError.

        Raises ConfigError when the opponent that was asked for cannot play the game.
        """
        kinds = Kinds()
        self._config, self._engine, self._search_of, self._exact = config, engine, search_of, exact
        self._targets = kinds.offered(config.opponent)
        self._classes = {kind: target.located() for kind, target in self._targets.items()}
        self.first = kinds.name(config.opponent)
        self.simulations = config.simulations  # of the first
        if self.first != NETWORK:
            try:
                player = self.player(self.first, game=game, network=None, seed=config.seed)
            except NoOracleError as error:
                raise ConfigError(f"opponent={self.first}: {error}") from error
            if isinstance(player, SearchPlayer):
                self.simulations = player.simulations

    def __contains__(self, kind: str) -> bool:
        return kind in self._targets

    def others(self, *, truth: bool) -> list[Opponent]:
        """All but the networks; without `truth` those that can do without it."""
        return [
            Opponent(kind=kind, title=getattr(made, "title", kind), searches=_searches(made))
            for kind, made in self._classes.items()
            if kind != NETWORK and (truth or not self.asks_truth(kind))
        ]

    def called(self, kind: str) -> str:
        """In a sentence."""
        return str(getattr(self._classes[kind], "called", kind))

    def asks_truth(self, kind: str) -> bool:
        return "truth" in self._targets[kind].takes()

    def player(self, kind: str, *, game: str, network: str | None, seed: int) -> Player:
        """May take a second, when it is a network that nobody has asked for yet. Raises ValueErrors with a sentence."""
        config = self._config
        roster = Roster(
            game=game,
            seed=seed,
            threads=1,
            cache_megabytes=config.web.cache_megabytes,
            search=config.search,
            search_of=self._search_of,
            checkpoint=network,
            simulations=config.simulations,
            judge_of=self._engine,
            truth=partial(self._exact, game),
        )
        target = self._targets[kind]
        if kind == NETWORK:  # whichever the visitor has chosen
            target = dataclasses.replace(target, arguments={**target.arguments, "checkpoint": network})
        return roster.player(target, key="opponent")


def _searches(made: object) -> bool:
    return isinstance(made, type) and issubclass(made, SearchPlayer)
