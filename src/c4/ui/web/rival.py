"""The opponent of one visitor: a network with a search, rollouts, perfect play or chance, at a level of its own."""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel

from c4.native._core import Position
from c4.params.knob import OutOfRangeError
from c4.params.search import SearchParams
from c4.players.chance import RandomPlayer
from c4.players.player import Player
from c4.players.rollouts import YARDSTICK
from c4.players.solver import SolverPlayer
from c4.ui.session import SessionError
from c4.ui.truth import TruthOf
from c4.ui.web.house import ROLLOUTS, House
from c4.ui.web.messages import Opponent
from c4.ui.web.search import Budget, Search
from c4.ui.web.show import Plain


class LevelAsked(BaseModel):
    """What a visitor sets."""

    opponent: Opponent
    network: str | None
    simulations: int
    seconds: float | None
    temperature: float
    mlh_slope: float
    noise: float


class Rival:
    def __init__(self, house: House, *, game: str, level: LevelAsked) -> None:
        self._house, self._game, self._level = house, game, level
        self._search: Search | None = None
        self._player: Player | None = None
        self._number = house.number()
        self.new_game()

    @property
    def name(self) -> str:
        kind = self._level.opponent
        if kind is Opponent.NETWORK:
            return self._level.network or ROLLOUTS
        return {Opponent.ROLLOUTS: "rollouts", Opponent.SOLVER: "the solver", Opponent.RANDOM: "chance"}[kind]

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
        if level.opponent is Opponent.NETWORK:
            level = level.model_copy(update={"network": self._network(level.network)})
        if level.opponent is Opponent.SOLVER and (sentence := self._house.why_no_truth(self._game)) is not None:
            raise SessionError(sentence)
        params = self._params(level)
        other = (level.opponent, level.network) != (self._level.opponent, self._level.network)
        self._level = level
        if other:
            self.new_game()
        elif self._search is not None:
            await self._search.set_params(params)

    async def choose(self, position: Position) -> int:
        """Its move."""
        level, config = self._level, self._house.config
        if level.opponent is Opponent.RANDOM:
            return self._chosen_by(RandomPlayer(seed=config.seed + self._number), position)
        if level.opponent is Opponent.SOLVER:
            solver = SolverPlayer(
                game=self._game,
                perfect_plies=config.opponent.perfect_plies,
                perfect_probability=config.opponent.perfect_probability,
                seed=config.seed + self._number,
                truth=TruthOf(self._house.truth, game=self._game, quick=True),
            )
            return await self._house.ask(lambda: self._chosen_by(solver, position))
        if self._search is None:
            judge = ROLLOUTS if level.opponent is Opponent.ROLLOUTS else self._network(level.network)
            self._search = Search(self._house, judge=judge, params=self._params(level))
        search = self._search
        await search.think(position, budget=Budget(simulations=level.simulations, seconds=level.seconds))
        return await search.choose(position)

    def _chosen_by(self, player: Player, position: Position) -> int:
        """A player of this game's own stream, kept from move to move."""
        if self._player is None:
            self._player = player
            player.begin(1)
        return self._player.choose({0: position})[0]

    def _network(self, name: str | None) -> str:
        offered = [each.name for each in self._house.networks if each.game == self._game]
        if not offered:
            raise SessionError(f"no network plays {self._game} here: take rollouts")
        if name is None:
            return offered[0]
        if name not in offered:
            raise SessionError(f"no network is called '{name}' and plays {self._game}")
        return name

    def _params(self, level: LevelAsked) -> SearchParams:
        try:
            return dataclasses.replace(
                YARDSTICK if level.opponent is Opponent.ROLLOUTS else self._house.config.search,
                temperature_start=level.temperature,
                temperature_end=level.temperature,
                mlh_slope=level.mlh_slope,
                noise_epsilon=level.noise,
            )
        except OutOfRangeError as error:
            raise SessionError(str(error)) from error
