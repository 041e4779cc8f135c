"""From the knobs of play to what plays: the network of a checkpoint, its engine, the game that it plays."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from c4.games import game_spec
from c4.network.inference.auto import choose
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.weights import Player, load_player
from c4.params.play import PlayConfig
from c4.params.player import PlayerKind
from c4.players.checkpoints import CHAMPION, NoChampionError, player_file


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setting:
    game: str
    network: str | None  # its name, for people
    engine: InferenceEngine | None  # None: rollouts judge

    def close(self) -> None:
        """Gives the engine back."""
        if self.engine is not None:
            self.engine.close()


def make_setting(config: PlayConfig) -> Setting:
    """A network opponent needs its checkpoint; for others a champion that is not there is not missed."""
    game = game_spec(config.game.name).name
    try:
        file = None if config.checkpoint is None else player_file(config.checkpoint, game=game)
    except NoChampionError:
        if config.opponent.kind is PlayerKind.NETWORK:
            raise
        file = None
    if file is None:
        return Setting(game=game, network=None, engine=None)
    player = load_player(file)
    name = player_name(str(config.checkpoint), file=file)
    return Setting(game=player.spec.name, network=name, engine=_engine(player, config))


def player_name(word: str, *, file: Path) -> str:
    """champion, or the file's name, in a run with the run's before it."""
    if word == CHAMPION:
        return CHAMPION
    inside = file.resolve().parent
    return f"{inside.parent.name}/{file.stem}" if inside.name == "checkpoints" else file.stem


def _engine(player: Player, config: PlayConfig) -> InferenceEngine:
    rows = config.search.leaves_per_batch
    choice = choose(config.inference, spec=player.spec, network=player.network, rows=rows, in_flight=1)
    engine = make_engine(choice.params, spec=player.spec, network=player.network)
    engine.load(player.state)
    return engine
