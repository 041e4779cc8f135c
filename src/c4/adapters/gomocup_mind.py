"""The player behind Gomocup's protocol: a network and its search, for each size of board that it plays on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from c4.adapters.gomocup import Mind, RefusedError
from c4.games import GameSpec, game_names, game_spec
from c4.native._core import Position
from c4.network.inference.engine import EngineUnavailableError
from c4.network.weights import PlayerFileError
from c4.params.errors import ConfigError
from c4.params.pbrain import PbrainConfig
from c4.params.play import LevelParams
from c4.players.checkpoints import CHAMPION
from c4.players.engines import Engines, open_engine
from c4.players.thinker import CHUNK, Thinker
from c4.players.trained import search_of

LEAST = 0.01
"""Seconds: a search looks at the clock after its first chunk only."""


class Minds:
    """By size of board; each is made when a manager first asks for it, and keeps its tree."""

    def __init__(self, config: PbrainConfig, *, hurried: Callable[[], bool]) -> None:
        """Raises ConfigError for a player that is none of such a game. `hurried`: whether to answer at once."""
        self._config, self._hurried = config, hurried
        rows = config.search.leaves_per_batch
        self._engines = Engines(partial(open_engine, inference=config.inference, rows=rows, in_flight=1))
        self._minds: dict[int, Mind] = {}
        self._games = {spec.width: spec for name in game_names() if _on_cells(spec := game_spec(name))}
        if config.checkpoint != CHAMPION:
            try:
                spec = game_spec(self._engines.read(config.checkpoint, game="").game)
            except PlayerFileError as error:
                raise ConfigError(str(error)) from error
            if not _on_cells(spec):
                raise ConfigError(
                    f"checkpoint={config.checkpoint} plays {spec.title}: Gomocup's protocol is for games whose stones "
                    "are put on the cells of a square board"
                )
            self._games = {spec.width: spec}

    def close(self) -> None:
        self._engines.close()

    def of_size(self, size: int) -> Mind:
        """Raises RefusedError where there is none."""
        if size not in self._games:
            known = " or ".join(f"{width} x {width}" for width in sorted(self._games))
            who = "c4" if self._config.checkpoint == CHAMPION else self._config.checkpoint
            raise RefusedError(f"{who} plays on {known} cells, not on {size} x {size}")
        if size not in self._minds:
            try:
                self._minds[size] = self._made(self._games[size])
            except (PlayerFileError, EngineUnavailableError) as error:
                raise RefusedError(str(error)) from error
        return self._minds[size]

    def _made(self, spec: GameSpec) -> Mind:
        config, word = self._config, self._config.checkpoint
        thinker = Thinker(
            position=Position(spec.name),
            params=search_of(word, game=spec.name, search=config.search, as_trained=config.as_trained),
            judge=self._engines.judge_of(word, game=spec.name),
            cache_megabytes=config.cache_megabytes,
            seed=config.seed,
        )
        mind = _Searching(spec, thinker=thinker, most=config.simulations, hurried=self._hurried)
        mind.choose([], seconds=0.0)  # what an engine does when it is first asked costs no time of a game
        return mind


class _Searching:
    def __init__(self, spec: GameSpec, *, thinker: Thinker, most: int | None, hurried: Callable[[], bool]) -> None:
        self.size = spec.width
        self._game, self._thinker, self._hurried = spec.name, thinker, hurried
        self._chunks = None if most is None else -(-most // CHUNK)

    def choose(self, actions: Sequence[int], /, *, seconds: float) -> int:
        position = Position.from_actions(self._game, list(actions))
        if position.is_terminal:
            raise RefusedError("the game is over")
        spent = 0

        def count() -> None:
            nonlocal spent
            spent += 1

        self._thinker.think(
            position,
            level=LevelParams(simulations=CHUNK, seconds=max(LEAST, seconds)),
            on_step=count,
            cancelled=lambda: self._hurried() or spent == self._chunks,
        )
        return self._thinker.choose(position)


def _on_cells(spec: GameSpec) -> bool:
    return spec.width == spec.height and spec.actions == spec.width * spec.height
