"""Makes players of any kind. What is offered to them when they are made stands here. Knows no kind by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from c4.network.inference.engine import Judge
from c4.params.errors import ConfigError
from c4.params.plain import as_plain
from c4.params.search import SearchParams
from c4.params.target import Target
from c4.params.walk import typed
from c4.players.oracle import Oracle
from c4.players.player import Player


@dataclasses.dataclass(frozen=True, kw_only=True)
class Roster:
    """Each field is offered to players by its own name."""

    game: str
    seed: int
    threads: int  # that walk the trees of its games
    cache_megabytes: float  # of evaluations that a player with a network keeps
    search: SearchParams
    search_of: Callable[[str], SearchParams] | None = None  # of a checkpoint; None: `search`, whoever plays
    checkpoint: str | None = None  # whose network plays where a player does not say
    simulations: int | None = None  # of a move, where a person says how much it may think
    judge_of: Callable[[str], Judge]  # the engine of a checkpoint
    truth: Callable[[], Oracle] | None = None  # whom a perfect player asks; offered as what it gives

    def player(self, target: Target, *, key: str = "player") -> Player:
        """Raises ConfigError for arguments that are not allowed, named as they are below `key`; whatever its making
        raises."""
        takes = {*target.takes()}
        arguments = _checked(target, key=key)
        offered = {field.name for field in dataclasses.fields(self)}
        # Those of another kind may be left where only the class was changed: opponent._target_=my_module.MyPlayer.
        own = {
            name: value
            for name, value in arguments.items()
            if name not in offered or (name in takes and value is not None)
        }
        given = {name: self._offer(name) for name in sorted(offered & takes) if name not in own}
        player: Any = Target(target.path, own).make(**given)
        if missing := [name for name in ("name", "begin", "choose") if not hasattr(player, name)]:
            raise ConfigError(f"{target.path} is not a player: it has no {missing[0]} (c4/players/player.py)")
        made: Player = player
        return made

    def _offer(self, name: str) -> Any:
        value = getattr(self, name)
        return value() if name == "truth" and value is not None else value


def _checked(target: Target, *, key: str) -> dict[str, Any]:
    knobs = getattr(target.located(), "knobs", None)
    if knobs is None:
        return dict(target.arguments)
    return as_plain(typed(knobs, target.arguments, prefix=f"{key}."))
