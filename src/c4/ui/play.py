"""What `play.py` does with its configuration: sets the table, and opens the screen that fits where it runs."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

from omegaconf import DictConfig

from c4.games import UnknownGameError
from c4.native._core import Position
from c4.network.inference.engine import EngineUnavailableError
from c4.network.weights import PlayerFileError
from c4.params.play import Interface, LevelParams, PlayConfig
from c4.params.player import PlayerKind
from c4.params.walk import ConfigError, build
from c4.players.chance import RandomPlayer
from c4.players.oracle import NoOracleError, check_oracle
from c4.players.player import Player
from c4.players.rollouts import YARDSTICK
from c4.players.setting import Setting, make_setting
from c4.players.solver import SolverPlayer
from c4.players.thinker import Thinker
from c4.ui.session import Session
from c4.ui.table import Mind, Table
from c4.ui.text import play_text
from c4.ui.truth import Truth, TruthOf

BAD_INPUT = (EngineUnavailableError, NoOracleError, PlayerFileError, UnknownGameError)


def play(composed: DictConfig) -> None:
    """Raises ConfigError, with one sentence, for anything that was asked wrongly."""
    config = build(PlayConfig, composed)
    on_terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))  # it is drawn on the last
    if config.ui is Interface.TERMINAL and not on_terminal:
        raise ConfigError("ui=terminal needs a terminal for input and output: here are pipes, take ui=text")
    try:
        if config.ui is Interface.WEB:
            _in_browser(config)
            return
        with open_table(config) as table:
            if config.ui is Interface.TEXT or not on_terminal:
                _without_terminal(table)
            else:
                _on_terminal(table)
    except BAD_INPUT as error:
        raise ConfigError(str(error)) from error


@contextmanager
def open_table(config: PlayConfig) -> Iterator[Table]:
    """A game that is ready to be played; the engine is closed at the end."""
    with closing(make_setting(config)) as setting, closing(Truth(seconds=math.inf)) as truth:
        try:
            start = Position(setting.game, config.position)
        except ValueError as error:
            raise ConfigError(f"position={config.position} on {setting.game}: {error}") from error
        thinker = Thinker(
            position=start,
            params=config.search,
            judge=setting.engine,
            cache_megabytes=config.cache_megabytes,
            seed=config.seed,
        )
        level = LevelParams(simulations=config.simulations, seconds=config.seconds)
        opponent = _opponent(config, setting, start=start, truth=truth)
        yield Table(
            session=Session(start=start, seat=config.me),
            comments=Mind(thinker=thinker, level=level),
            opponent=opponent,
            name=_name(opponent, setting),
            truth=truth,
            tells_truth=config.truth,
        )


def _opponent(config: PlayConfig, setting: Setting, *, start: Position, truth: Truth) -> Mind | Player | None:
    """None: the search that comments plays too."""
    if config.opponent.kind is PlayerKind.NETWORK:
        if setting.engine is None:
            raise ConfigError("opponent=network needs a checkpoint: checkpoint=champion or checkpoint=PATH")
        return None
    if config.opponent.kind is PlayerKind.ROLLOUTS:
        return Mind(
            thinker=Thinker(position=start, params=YARDSTICK, judge=None, cache_megabytes=0, seed=config.seed),
            level=LevelParams(simulations=config.opponent.rollouts, seconds=None),
        )
    player: Player = RandomPlayer(seed=config.seed)
    if config.opponent.kind is PlayerKind.SOLVER:
        check_oracle(setting.game)
        player = SolverPlayer(
            game=setting.game,
            perfect_plies=config.opponent.perfect_plies,
            perfect_probability=config.opponent.perfect_probability,
            seed=config.seed,
            truth=TruthOf(truth, game=setting.game, quick=False),
        )
    player.begin(1)
    return player


def _name(opponent: Mind | Player | None, setting: Setting) -> str:
    if opponent is None:
        return str(setting.network)
    return "rollouts" if isinstance(opponent, Mind) else opponent.name


def _in_browser(config: PlayConfig) -> None:
    try:
        from c4.ui.web.server import serve
    except ImportError as error:
        raise ConfigError(f"the page needs {error.name}: pip install -e '.[web]', or take ui=terminal") from error
    serve(config)


def _without_terminal(table: Table) -> None:
    try:
        play_text(table)
    except BrokenPipeError:  # whoever read has gone; nothing may be written at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _on_terminal(table: Table) -> None:
    try:
        from c4.ui.app import PlayApp
    except ImportError as error:
        raise ConfigError(f"the board needs {error.name}: pip install -e '.[ui]', or take ui=text") from error
    PlayApp(table).run()
