"""From the network that a player's file holds to an engine that runs it. Knows no player that plays, and no search."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from c4.network.inference.auto import choose
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.weights import PlayerFile, PlayerFileError, load_player
from c4.params.inference import InferenceParams
from c4.params.play import PlayConfig
from c4.players.checkpoints import CHAMPION, player_file


def open_engine(
    player: PlayerFile,
    *,
    inference: InferenceParams,
    rows: int,
    in_flight: int,
    say: Callable[[str], None] = lambda _: None,
) -> InferenceEngine:
    """With the player's weights; whoever opens it closes it. `rows` of a batch and `in_flight` batches at once are what
    will be sent; `say` is told which engine that takes."""
    choice = choose(inference, spec=player.spec, network=player.network, rows=rows, in_flight=in_flight)
    say(str(choice))
    engine = make_engine(choice.params, spec=player.spec, network=player.network)
    engine.load(player.state)
    return engine


def board_engines(config: PlayConfig) -> Engines:
    """For those who think about one position at a time."""
    return Engines(partial(open_engine, inference=config.inference, rows=config.search.leaves_per_batch, in_flight=1))


@dataclasses.dataclass(frozen=True, kw_only=True)
class NamedNetwork:
    name: str  # for people
    game: str  # that it plays


class Engines:
    """Of networks by word: each is opened when it is first asked for, and all are closed together."""

    def __init__(self, open_one: Callable[[PlayerFile], InferenceEngine]) -> None:
        self._open_one = open_one
        self._read: dict[str, PlayerFile] = {}  # and not opened yet
        self._open: dict[str, InferenceEngine] = {}

    def read(self, word: str, *, game: str) -> NamedNetwork:
        """What a word means; `game` says whose champion. Raises PlayerFileError."""
        file = player_file(word, game=game)
        player = self._read[_key(word, game=game)] = load_player(file)
        return NamedNetwork(name=_name(word, file=file, card=player.card), game=player.spec.name)

    def judge_of(self, word: str, *, game: str) -> InferenceEngine:
        """Raises PlayerFileError, of a network that plays another game too."""
        key = _key(word, game=game)
        if key not in self._open:
            player = self._read.pop(key, None) or load_player(player_file(word, game=game))
            if player.spec.name != game:
                raise PlayerFileError(f"{word} plays {player.spec.name}, not {game}")
            self._open[key] = self._open_one(player)
        return self._open[key]

    def close(self) -> None:
        for engine in self._open.values():
            engine.close()
        self._open.clear()


def _name(word: str, *, file: Path, card: Mapping[str, Any]) -> str:
    """champion, the run and generation that it says itself, or the file's name, in a run with the run's before it."""
    if word == CHAMPION:
        return CHAMPION
    run, generation = card.get("run"), card.get("generation")
    if isinstance(run, str) and isinstance(generation, int):
        return f"{run}, generation {generation}"
    inside = file.resolve().parent
    return f"{inside.parent.name}/{file.stem}" if inside.name == "checkpoints" else file.stem


def _key(word: str, *, game: str) -> str:
    return f"{CHAMPION} of {game}" if word == CHAMPION else word
