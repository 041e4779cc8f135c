"""Those whom `evaluate.py` is asked about: their files, the searches that they play with, the engines that run them.

Knows nothing of what is asked.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from c4 import printed
from c4.games import game_spec
from c4.network.inference.auto import choose
from c4.network.inference.engine import InferenceEngine
from c4.network.weights import PlayerFile, load_player
from c4.params.errors import ConfigError
from c4.params.evaluate import EvaluateConfig, Mode, Output
from c4.params.inference import InferenceParams
from c4.params.plain import as_plain
from c4.params.search import SearchParams
from c4.players.checkpoints import CHAMPION, player_file
from c4.players.engines import open_engine
from c4.players.trained import keeps_search, search_of
from c4.report.words import search_words

IN_FLIGHT = 2  # batches: one half of the trees is walked while the network works on the other


@dataclasses.dataclass(frozen=True, kw_only=True)
class Named:
    name: str
    path: Path
    player: PlayerFile
    search: SearchParams  # that it plays with


def players_of(config: EvaluateConfig) -> list[Named]:
    """The checkpoints, under names that tell them apart; all of one game."""
    alone = config.mode in (Mode.TREE, Mode.CHECK)
    words = config.checkpoint or ((CHAMPION,) if alone else ())
    if not words:
        raise ConfigError("which player is to be judged? checkpoint=PATH, or checkpoint=[PATH,PATH]")
    if alone and len(words) > 1:
        raise ConfigError(f"mode={config.mode.value} looks at one player's search: checkpoint={words[0]}")
    files = {typed: player_file(typed, game=config.game.name) for typed in words}
    loaded = {typed: load_player(file) for typed, file in files.items()}
    game = one_game({typed: player.spec.name for typed, player in loaded.items()}, config)
    searches = searches_of(files, config, game=game)
    short = [_short_name(Path(typed)) for typed in loaded]
    names = short if len(set(short)) == len(short) else list(loaded)
    return [
        Named(name=name, path=files[typed], player=player, search=searches[typed])
        for name, (typed, player) in zip(names, loaded.items(), strict=True)
    ]


def searches_of(words: Iterable[str], config: EvaluateConfig, *, game: str) -> dict[str, SearchParams]:
    """What each player of these searches with, told before anything else; an audit asks its run."""
    own = partial(search_of, game=game, search=config.search, as_trained=config.as_trained)
    found = {word: own(word) for word in words}
    alike: dict[str, list[str]] = {}
    for word, search in found.items():
        alike.setdefault(search_words(as_plain(search)), []).append(word)
    for knobs, named in alike.items() if config.output is not Output.NONE and config.mode is not Mode.AUDIT else ():
        known = not config.as_trained and all(keeps_search(word, game=game) for word in named)
        hint = "; search=run takes what it was trained with" if known else ""
        say(f"search of {', '.join(named)}: {knobs}{hint}")
    return found


def _short_name(path: Path) -> str:
    """A number says nothing without the folder that it counts in: a job of a sweep."""
    return f"{path.parent.name}/{path.stem}" if path.stem.isdecimal() and path.parent.name else path.stem


def one_game(games: Mapping[str, str], config: EvaluateConfig) -> str:
    """That all these paths play, the configured one where there are none. Raises ConfigError unless it is the same."""
    if not games:
        return game_spec(config.game.name).name
    (path, game), *others = games.items()
    for other_path, other in others:
        if other != game:
            raise ConfigError(f"{other_path} plays {other}, but {path} plays {game}")
    return game


def opened(player: PlayerFile, config: EvaluateConfig) -> InferenceEngine:
    told = unheard if config.output is Output.NONE else say
    return open_engine(player, inference=config.inference, rows=_rows(config), in_flight=IN_FLIGHT, say=told)


def chosen(player: PlayerFile, config: EvaluateConfig) -> InferenceParams:
    """What `opened` runs it with: of the same question the same answer is kept."""
    return choose(
        config.inference, spec=player.spec, network=player.network, rows=_rows(config), in_flight=IN_FLIGHT
    ).params


def _rows(config: EvaluateConfig) -> int:
    return max(1, config.evaluation.trees // 2)


def say(text: str) -> None:
    """Progress: never on stdout, where the result goes."""
    printed.err(text + "\n")


def unheard(text: str) -> None:
    """Progress that nobody waits for: of a job among many."""
