"""What `play.py` does with its configuration: sets the table, and opens the screen that fits where it runs."""

from __future__ import annotations

import dataclasses
import math
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial

from omegaconf import DictConfig

from c4.games import UnknownGameError, game_spec
from c4.invocation import install
from c4.native._core import Position
from c4.network.inference.engine import EngineUnavailableError, Judge
from c4.network.weights import PlayerFileError
from c4.params.errors import ConfigError
from c4.params.play import Interface, LevelParams, PlayConfig
from c4.params.search import SearchParams
from c4.params.terminal import TerminalParams
from c4.params.walk import build
from c4.players.checkpoints import NoChampionError
from c4.players.engines import board_engines
from c4.players.oracle import NoOracleError, check_oracle
from c4.players.player import ForfeitError, Player, PlayerWordError, SearchPlayer
from c4.players.roster import Roster
from c4.players.thinker import Thinker
from c4.players.trained import search_of
from c4.ui.session import Session
from c4.ui.table import Mind, PlayTable
from c4.ui.text import play_text
from c4.ui.truth import Truth, TruthOf

BAD_INPUT = (EngineUnavailableError, ForfeitError, NoOracleError, PlayerFileError, PlayerWordError, UnknownGameError)


def play(composed: DictConfig) -> None:
    """Raises ConfigError, with one sentence, for anything that was asked wrongly."""
    config = build(PlayConfig, composed)
    on_terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))  # it is drawn on the last
    if config.ui is Interface.TERMINAL and not on_terminal:
        raise ConfigError("ui=terminal needs a terminal for input and output, and here they are pipes: take ui=text")
    try:
        if config.ui is Interface.WEB:
            _in_browser(config)
            return
        with open_table(config) as table:
            if config.ui is Interface.TEXT or not on_terminal:
                _without_terminal(table)
            else:
                _on_terminal(table, config.terminal)
    except BAD_INPUT as error:
        raise ConfigError(str(error)) from error


@contextmanager
def open_table(config: PlayConfig) -> Iterator[PlayTable]:
    """A game that is ready to be played; all that it needs is closed at the end."""
    with closing(board_engines(config)) as engines, closing(Truth(seconds=math.inf)) as truth:
        game, network = game_spec(config.game.name).name, None
        if config.checkpoint is not None:
            with suppress(NoChampionError):  # an opponent that needs it asks again, others do not miss it
                network = engines.read(config.checkpoint, game=game)
                game = network.game
        try:
            start = Position(game, config.position)
        except ValueError as error:
            raise ConfigError(f"position={config.position} on {game}: {error}") from error
        judge = None if network is None else engines.judge_of(str(config.checkpoint), game=game)
        searches = partial(search_of, game=game, search=config.search, as_trained=config.as_trained)
        params = config.search if network is None else searches(str(config.checkpoint))
        comments = _mind(config, start=start, params=params, judge=judge, simulations=config.simulations)
        roster = Roster(
            game=game,
            seed=config.seed,
            threads=1,
            cache_megabytes=config.cache_megabytes,
            search=config.search,
            search_of=searches,
            checkpoint=config.checkpoint,
            simulations=config.simulations,
            judge_of=partial(engines.judge_of, game=game),
            truth=partial(_exact, truth, game=game),
        )
        player = roster.player(config.opponent, key="opponent")
        opponent = _seated(player, comments, config, start=start)
        yield PlayTable(
            session=Session(start=start, seat=config.me),
            comments=comments,
            opponent=opponent,
            name=network.name if opponent is None and network is not None else _name(player),
            judge="rollouts" if network is None else network.name,
            truth=truth,
            may_tell=config.truth,
        )


def _mind(config: PlayConfig, *, start: Position, params: SearchParams, judge: Judge | None, simulations: int) -> Mind:
    cache_megabytes = config.cache_megabytes
    thinker = Thinker(position=start, params=params, judge=judge, cache_megabytes=cache_megabytes, seed=config.seed)
    return Mind(thinker=thinker, level=LevelParams(simulations=simulations, seconds=config.seconds))


def _seated(player: Player, comments: Mind, config: PlayConfig, *, start: Position) -> Mind | Player | None:
    """None: the search that comments plays too."""
    if not isinstance(player, SearchPlayer) or player.simulations == 0:
        player.begin(1)
        return player
    mind = _mind(config, start=start, params=player.params, judge=player.judge, simulations=player.simulations)
    known = comments.thinker
    if player.judge is None:  # rollouts keep to their number
        return Mind(thinker=mind.thinker, level=dataclasses.replace(mind.level, seconds=None))
    same = (player.judge, player.params) == (known.judge, known.params) and mind.level == comments.level
    return None if same else mind


def _name(player: Player) -> str:
    return player.called if isinstance(player, SearchPlayer) else player.name


def _exact(truth: Truth, *, game: str) -> TruthOf:
    check_oracle(game)
    return TruthOf(truth, game=game, quick=False)


def _in_browser(config: PlayConfig) -> None:
    try:
        from c4.ui.web.server import serve
    except ImportError as error:
        raise ConfigError(f"the page needs {error.name}: {install('web')}; or take ui=terminal") from error
    serve(config)


def _without_terminal(table: PlayTable) -> None:
    try:
        play_text(table)
    except BrokenPipeError:  # whoever read has gone; nothing may be written at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _on_terminal(table: PlayTable, params: TerminalParams) -> None:
    try:
        from c4.ui.terminal.app import PlayApp
    except ImportError as error:
        raise ConfigError(f"the board needs {error.name}: {install('ui')}; or take ui=text") from error
    PlayApp(table, params=params).run()
