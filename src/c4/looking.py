"""What `evaluate.py` does with mode=tree and mode=check: a player's search looks at positions."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from c4.evaluation.branches import branches
from c4.evaluation.known import Checked, Known, asked_for, known_positions
from c4.files import write_beside
from c4.judged import Named
from c4.native._core import Position
from c4.network.inference.engine import InferenceEngine
from c4.params.errors import ConfigError
from c4.params.evaluate import EvaluateConfig
from c4.params.play import LevelParams
from c4.players.forest import as_played
from c4.players.moves import moves_of
from c4.players.thinker import Thinker
from c4.report.check import check_text, known_text
from c4.report.picture import Picture

PICTURES = (".svg", ".png")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Look:
    """As text, as plain data, and for mode=tree as a picture."""

    text: str
    data: Any
    picture: Picture | None = None


def look_into(one: Named, engine: InferenceEngine, config: EvaluateConfig) -> Look:
    """The search tree of a position."""
    known = asked_for(_position(config, game=one.player.spec.name) or Position(one.player.spec.name))
    if known.position.is_terminal:
        raise ConfigError(f"position={config.position}: the game is over, there is nothing to search")
    thinker = _thinker(one, engine, config)
    checked = _checked(thinker, known, config)
    from c4.report.search_tree import tree_picture  # late: it draws

    return Look(text=known_text(checked), data=branches(thinker).as_dict(), picture=tree_picture(thinker))


def check(one: Named, engine: InferenceEngine, config: EvaluateConfig) -> Look:
    """Known positions, or the one that was typed, beside the truth."""
    game = one.player.spec.name
    typed = _position(config, game=game)
    known = known_positions(game) if typed is None else [asked_for(typed)]
    if not known:
        raise ConfigError(f"no positions of {game} are known here: name one by position=...")
    if any(each.position.is_terminal for each in known):
        raise ConfigError(f"position={config.position}: the game is over, there is nothing to search")
    thinker = _thinker(one, engine, config)
    checked = [_checked(thinker, each, config) for each in known]
    return Look(text=check_text(checked), data={"positions": [each.as_dict() for each in checked]})


def check_picture(file: str) -> None:
    """Raises ConfigError."""
    if Path(file).suffix not in PICTURES:
        raise ConfigError(f"file={file}: mode=tree writes {' or '.join(PICTURES)}, such as file=tree.svg")


def write_picture(picture: Picture, path: Path) -> None:
    write_beside(path, picture.file().encode() if path.suffix == ".svg" else picture.png())


def _position(config: EvaluateConfig, *, game: str) -> Position | None:
    if config.position is None:
        return None
    try:
        return Position(game, config.position)
    except ValueError as error:
        raise ConfigError(f"position={config.position} on {game}: {error}") from error


def _thinker(one: Named, engine: InferenceEngine, config: EvaluateConfig) -> Thinker:
    return Thinker(
        position=Position(one.player.spec.name),
        params=as_played(one.search),
        judge=engine,
        cache_megabytes=config.evaluation.cache_megabytes,
        seed=config.arena.seed,
    )


def _checked(thinker: Thinker, known: Known, config: EvaluateConfig) -> Checked:
    thinker.think(known.position, level=LevelParams(simulations=config.simulations, seconds=None))
    root = thinker.root()
    return Checked(
        known=known,
        simulations=int(root.visits),
        value=float(np.clip(root.q, -1.0, 1.0)),
        plies_left=float(root.m),
        played=thinker.best_action(),
        moves=moves_of(root, position=known.position),
    )
