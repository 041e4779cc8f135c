"""The opponent of one visitor: any kind of player that the house offers, at a level of its own."""

from __future__ import annotations

import dataclasses
import threading
from functools import partial

from pydantic import BaseModel

from c4.native._core import Position
from c4.params.knob import OutOfRangeError
from c4.params.search import SearchParams
from c4.players.player import Player, SearchPlayer, chosen
from c4.players.words import NETWORK
from c4.ui.session import SessionError
from c4.ui.web.house import ROLLOUTS, House
from c4.ui.web.search import Budget, SharedSearch
from c4.ui.web.show import Plain


class LevelAsked(BaseModel):
    """What a visitor sets."""

    opponent: str
    network: str | None
    simulations: int
    seconds: float | None
    temperature: float
    mlh_slope: float
    noise: float


class Rival:
    def __init__(self, house: House, *, game: str, level: LevelAsked) -> None:
        self._house, self._game, self._level = house, game, level
        self._search: SharedSearch | None = None
        self._player: Player | None = None
        self._choosing = threading.Lock()
        self._number = house.number()
        self.new_game()

    @property
    def name(self) -> str:
        level = self._level
        return level.network or ROLLOUTS if level.opponent == NETWORK else self._house.opponents.called(level.opponent)

    def shown(self) -> Plain:
        return {"name": self.name} | self._level.model_dump(mode="json")

    def new_game(self) -> None:
        """Forgets what it knows of the old one."""
        self._number = self._house.number()
        self._search = self._player = None

    async def set_level(self, level: LevelAsked) -> None:
        """Raises SessionError, and stays as it was."""
        web = self._house.config.web
        if level.simulations > web.most_simulations:
            raise SessionError(f"simulations={level.simulations} is not allowed: at most {web.most_simulations}")
        if level.seconds is not None and level.seconds > web.most_seconds:
            raise SessionError(f"seconds={level.seconds:g} is not allowed: at most {web.most_seconds:g}")
        if level.opponent not in self._house.opponents:
            raise SessionError(f"no opponent is called '{level.opponent}'")
        if level.opponent == NETWORK:
            level = level.model_copy(update={"network": self._network(level.network)})
        other = (level.opponent, level.network) != (self._level.opponent, self._level.network)
        number = self._house.number() if other else self._number
        player = await self._made(level, number=number) if other or self._player is None else self._player
        params = params_at(level, player) if isinstance(player, SearchPlayer) else None
        self._level, self._number, self._player = level, number, player
        if other:
            self._search = None
        elif self._search is not None and params is not None:
            await self._search.set_params(params)

    async def choose(self, position: Position) -> int:
        """Its move."""
        level, house = self._level, self._house
        if self._player is None:
            self._player = await self._made(level, number=self._number)
        player = self._player
        if not isinstance(player, SearchPlayer):
            if house.opponents.asks_truth(level.opponent):
                return await house.ask(partial(self._chosen_by, player, position))
            return await house.search(self._chosen_by, player, position)
        if self._search is None:
            self._search = SharedSearch(house, judge=lambda: player.judge, params=params_at(level, player))
        budget = Budget(simulations=level.simulations, seconds=level.seconds)
        return await self._search.choose(position, budget=budget)

    def _chosen_by(self, player: Player, position: Position) -> int:
        with self._choosing:  # one that was called off may still be at it
            return chosen(player, position)

    async def _made(self, level: LevelAsked, *, number: int) -> Player:
        """Of this game's own stream, to be kept from move to move."""
        config, opponents = self._house.config, self._house.opponents

        def make() -> Player:
            network = self._network(level.network) if level.opponent == NETWORK else None
            player = opponents.player(level.opponent, game=self._game, network=network, seed=config.seed + number)
            if not isinstance(player, SearchPlayer):
                player.begin(1)
            return player

        try:
            return await self._house.search(make)
        except ValueError as error:
            raise SessionError(str(error)) from error

    def _network(self, name: str | None) -> str:
        offered = [each.name for each in self._house.networks if each.game == self._game]
        if not offered:
            raise SessionError(f"no network here plays {self._game}: choose rollouts")
        if name is None:
            return offered[0]
        if name not in offered:
            raise SessionError(f"no network is called '{name}' and plays {self._game}")
        return name


def params_at(level: LevelAsked, player: SearchPlayer) -> SearchParams:
    try:
        return dataclasses.replace(
            player.params,
            temperature_start=level.temperature,
            temperature_end=level.temperature,
            mlh_slope=level.mlh_slope,
            noise_epsilon=level.noise,
        )
    except OutOfRangeError as error:
        raise SessionError(str(error)) from error
