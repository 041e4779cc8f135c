"""What all visitors share: the networks, the threads that search, the truth. Knows no visitor and no message."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from c4.games import game_names, game_spec
from c4.native._core import Position
from c4.network.weights import PlayerFileError
from c4.params.errors import ConfigError
from c4.params.play import PlayConfig
from c4.params.search import SearchParams
from c4.players.checkpoints import CHAMPION, NoChampionError
from c4.players.engines import Engines, board_engines
from c4.players.oracle import (
    ForcedWin,
    NoOracleError,
    check_oracle,
    check_quick,
    forced_win,
    has_forced_wins,
    has_oracle,
)
from c4.players.trained import search_of
from c4.ui.truth import Truth, TruthOf
from c4.ui.web.door import Seats
from c4.ui.web.evaluator import SharedEngine
from c4.ui.web.opponents import Opponent, Opponents
from c4.ui.web.trees import Trees

P = ParamSpec("P")
R = TypeVar("R")

ROLLOUTS = "rollouts"  # the judge where there is no network


@dataclasses.dataclass(frozen=True, kw_only=True)
class OfferedNetwork:
    """One that is offered."""

    name: str  # for people, different for each
    game: str
    checkpoint: str


class House:
    def __init__(self, config: PlayConfig) -> None:
        """Raises PlayerFileError when a network that was asked for cannot be had, ConfigError for a wrong position
        or an opponent that cannot play."""
        self.config = config
        self.truth = Truth(seconds=config.web.truth_seconds)
        self._engines = board_engines(config)
        self.networks = _offered(config, self._engines)
        self.start = _start(config, self.networks)
        self.seats, self.turns = (
            Seats(most=config.web.sessions, each=config.web.sessions_each) for _ in range(2)
        )  # visitors; requests of programs
        self.trees = Trees(most=config.web.trees_megabytes << 20)
        self.games = game_names()
        self._no_truth = {game: self._why_no_truth(game) for game in self.games}
        self._pool = ThreadPoolExecutor(config.web.workers, thread_name_prefix="c4-search")
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="c4-truth")
        self._loading = threading.Lock()
        self._shared: dict[str, SharedEngine] = {}
        self._searches: dict[str, SearchParams] = {}
        self._numbers = 0
        self.opponents = Opponents(
            config, game=self.game, engine=self.engine, search_of=self.search_of, exact=self._exact
        )

    @property
    def visitors(self) -> int:
        return self.seats.taken

    @property
    def game(self) -> str:
        """What the page begins with."""
        return self.start.game

    def network(self, name: str, *, game: str) -> OfferedNetwork | None:
        """The network of this name that plays this game."""
        return next((each for each in self.networks if (each.name, each.game) == (name, game)), None)

    def engine(self, name: str) -> SharedEngine:
        """Of the network that is called so; loaded when it is first asked for, which takes a second."""
        with self._loading:
            if name not in self._shared:
                network = next((each for each in self.networks if each.name == name), None)
                if network is None:
                    raise PlayerFileError(f"no network is called '{name}' here")
                # On a stack of its own: what loads may leave frames behind for a while, and with them who asked.
                with ThreadPoolExecutor(1) as loader:
                    judge = loader.submit(self._engines.judge_of, network.checkpoint, game=network.game).result()
                self._shared[name] = SharedEngine(judge)
            return self._shared[name]

    def search_of(self, name: str) -> SearchParams:
        """What the network that is called so is searched with; rollouts search as configured."""
        network = next((each for each in self.networks if each.name == name), None)
        if network is None:
            return self.config.search
        if name not in self._searches:
            as_trained, search = self.config.as_trained, self.config.search
            self._searches[name] = search_of(
                network.checkpoint, game=network.game, search=search, as_trained=as_trained
            )
        return self._searches[name]

    def judge(self, name: str) -> SharedEngine | None:
        """The same, None for rollouts."""
        return None if name == ROLLOUTS else self.engine(name)

    def warm_up(self) -> None:
        """Loads the first network, so that the first visitor need not wait and a bad file is known at once."""
        first = next((each for each in self.networks if each.game == self.game), None)
        if first is not None:
            self.engine(first.name)

    def number(self) -> int:
        """A new one at each call: visitors and their games draw from streams of their own."""
        self._numbers += 1
        return self._numbers

    async def search(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """A short piece of work, in turn with those of others."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: work(*args, **kwargs))

    async def ask(self, work: Callable[[], R]) -> R:
        """Something that needs the truth; called off when nobody waits for it any more, for others do."""
        gone = threading.Event()

        def asked() -> R:
            with self.truth.until(gone.is_set):
                return work()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._asking, asked)
        finally:
            gone.set()

    async def scores(self, position: Position) -> list[int | None]:
        """The exact score of each action. Raises NoOracleError with a sentence for people."""
        exact = self._exact(position.game)
        check_quick(position)
        return await self.ask(lambda: exact.scores(position.actions))

    async def forced_win(self, position: Position) -> ForcedWin | None:
        """Of the side to move, where one is seen and may be told."""
        return await self.search(forced_win, position) if self.tells_forced_wins(position.game) else None

    def tells_forced_wins(self, game: str) -> bool:
        return self.config.truth and has_forced_wins(game)

    def opponents_of(self, game: str) -> list[Opponent]:
        """Beside its networks."""
        return self.opponents.others(truth=self.why_no_truth(game) is None)

    def why_no_truth(self, game: str) -> str | None:
        """The sentence for people, or None where perfect play may be known."""
        return self._no_truth[game]

    def _exact(self, game: str) -> TruthOf:
        if (sentence := self.why_no_truth(game)) is not None:
            raise NoOracleError(sentence)
        return TruthOf(self.truth, game=game, quick=True)

    def _why_no_truth(self, game: str) -> str | None:
        if not self.config.truth:
            return "perfect play is switched off: truth=true shows it"
        if not has_oracle(game):
            return f"perfect play is not known for {game}"
        try:
            check_oracle(game)
        except NoOracleError as error:
            return str(error)
        return None

    def close(self) -> None:
        """Waits for the pieces of work that have begun, and for nothing else."""
        self.truth.close()
        self._asking.shutdown(wait=True, cancel_futures=True)
        self._pool.shutdown(wait=True, cancel_futures=True)
        for shared in self._shared.values():
            shared.close()
        self._engines.close()


def _start(config: PlayConfig, networks: tuple[OfferedNetwork, ...]) -> Position:
    """What a visitor begins with. A checkpoint that is a path says itself what it plays."""
    named = config.checkpoint not in {None, CHAMPION}
    game = networks[0].game if named else game_spec(config.game.name).name
    try:
        return Position(game, config.position)
    except ValueError as error:
        raise ConfigError(f"position={config.position} on {game}: {error}") from error


def _offered(config: PlayConfig, engines: Engines) -> tuple[OfferedNetwork, ...]:
    """The one that was asked for first, then the others, then the champions of all games."""
    found: list[OfferedNetwork] = []
    words = [] if config.checkpoint is None else [(config.checkpoint, config.game.name)]
    words += [(word, config.game.name) for word in config.web.checkpoints]
    words += [(CHAMPION, game) for game in game_names()]
    needed = config.checkpoint is not None and "judge_of" in config.opponent.takes()
    for index, (word, game) in enumerate(words):
        try:
            network = engines.read(word, game=game)
        except NoChampionError:
            if index == 0 and needed:
                raise
            continue
        if any(each.checkpoint == word and each.game == network.game for each in found):
            continue
        name = network.name
        same = sum(each.name == name or each.name.startswith(f"{name} (") for each in found)
        label = network.game if word == CHAMPION else str(same + 1)
        found.append(OfferedNetwork(name=f"{name} ({label})" if same else name, game=network.game, checkpoint=word))
    return tuple(found)
