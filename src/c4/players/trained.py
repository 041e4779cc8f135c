"""The search that a player was trained with, as its run or its file keeps it: two runs' knobs, compared by playing."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from c4.network.weights import SEARCH_OF_RUN, PlayerFileError, load_player
from c4.params.errors import ConfigError
from c4.params.former import as_today
from c4.params.plain import as_plain
from c4.params.search import OF_PLAY, OFF_IN_PLAY, SearchParams
from c4.players.checkpoints import player_file
from c4.run.about import RunFileError, read_config
from c4.run.finding import run_of


def keeps_search(word: str, *, game: str) -> bool:
    """Whether anything records what the player that a word means was trained with."""
    try:
        return isinstance(_kept(word, game=game), Mapping)
    except RunFileError:
        return False


def search_of(word: str, *, game: str, search: SearchParams, as_trained: bool) -> SearchParams:
    """Of the player that a word means: `search`, or `as_trained` its own. Raises PlayerFileError if it is not kept."""
    if not as_trained:
        return search
    try:
        kept = _kept(word, game=game)
        if not isinstance(kept, Mapping):
            raise PlayerFileError(f"{word}: nothing records the search it was trained with; leave search=run out")
        found = as_today(SearchParams, kept, today=as_plain(search))
    except (ConfigError, RunFileError) as error:
        raise PlayerFileError(f"{word}: the search that it was trained with cannot be used: {error}") from error
    return dataclasses.replace(found, **OFF_IN_PLAY, **{name: getattr(search, name) for name in OF_PLAY})


def _kept(word: str, *, game: str) -> Any:
    file = player_file(word, game=game)
    run = run_of(file)
    return (read_config(run) if run else {}).get("search") or load_player(file).card.get(SEARCH_OF_RUN)
