"""c4 for other programs: an agent that is given positions and gives actions. Knows no game's course, no opponent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from c4.configuration import composed
from c4.games import game_spec
from c4.native._core import Position
from c4.params.play import LevelParams, PlayConfig
from c4.players.engines import board_engines
from c4.players.thinker import Thinker
from c4.players.trained import search_of


class Agent:
    """A network with a search. It keeps its tree while the positions it is given continue each other."""

    def __init__(self, checkpoint: str, *, config: PlayConfig) -> None:
        self._engines = board_engines(config)
        network = self._engines.read(checkpoint, game=game_spec(config.game.name).name)
        self.name, self.game = network.name, network.game
        self._level = LevelParams(simulations=config.simulations, seconds=config.seconds)
        self._thinker = Thinker(
            position=Position(self.game),
            params=search_of(checkpoint, game=self.game, search=config.search, as_trained=config.as_trained),
            judge=self._engines.judge_of(checkpoint, game=self.game),
            cache_megabytes=config.cache_megabytes,
            seed=config.seed,
        )

    def close(self) -> None:
        """Gives threads and memory back."""
        self._engines.close()

    def act(self, position: Position | str | Sequence[int]) -> int:
        """The action to play, counted from 0 (a column of Connect Four); positions also as "4453" or [3, 3, 4, 2].

        Raises ValueError where the position cannot be reached, is of another game, or leaves nothing to play.
        """
        if isinstance(position, str):
            position = Position(self.game, position)
        elif not isinstance(position, Position):
            position = Position.from_actions(self.game, list(position))
        if position.game != self.game:
            raise ValueError(f"{self.name} plays {self.game}, not {position.game}")
        if position.is_terminal:
            raise ValueError(f"the game is over after ply {position.ply}: there is no move to choose")
        self._thinker.think(position, level=self._level)
        return self._thinker.choose(position)


def load_agent(name: str | Path, *overrides: str) -> Agent:
    """The player at a path, or the champion; overrides as for play.py: load_agent("champion", "simulations=100").

    What they say of an opponent, of sides, of a first position or of a screen means nothing here.
    Raises PlayerFileError when there is no such player, ConfigError for an override that is not allowed; both are
    ValueErrors.
    """
    config = composed("play", schema=PlayConfig, words=overrides)
    return Agent(str(name), config=config)
