"""What an actor does: an engine, and games whose leaves it judges. Plain Python; cluster.py makes an actor of it.

It keeps nothing that matters: what it was asked for, another can do as well.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import platform
import socket
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

import c4
from c4.distributed.wire import pack, unpack_weights
from c4.games import GameSpec, game_spec
from c4.network.inference.auto import suited
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.network import design_of, make_network
from c4.params.inference import InferenceParams
from c4.params.network import NetworkDesign
from c4.params.plain import as_plain, from_plain
from c4.params.search import SearchParams
from c4.params.selfplay import SelfplayParams
from c4.params.target import asked, trust
from c4.selfplay.chunks import Chunk, Played, Playing, Sitting
from c4.selfplay.local import since
from c4.selfplay.table import Table

GAMES_OF_A_MEMBER = 1 << 32  # numbers of games that each has for itself in flowing mode


@dataclasses.dataclass(frozen=True, kw_only=True)
class Contract:
    """All that decides what an actor brings, but the weights. Crosses as plain values."""

    game: str
    seed: int
    search: SearchParams
    selfplay: SelfplayParams
    network: NetworkDesign
    inference: InferenceParams  # named, nothing left to be timed

    def plain(self) -> dict[str, Any]:
        groups = {name: as_plain(getattr(self, name)) for name in ("search", "network", "inference")}
        fields = [field.name for field in dataclasses.fields(SelfplayParams)]
        groups["selfplay"] = {name: one for name, one in as_plain(self.selfplay).items() if name in fields}
        return {"game": self.game, "seed": self.seed, "trusted": asked(), **groups}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Contract:
        return cls(
            game=plain["game"],
            seed=plain["seed"],
            search=from_plain(SearchParams, plain["search"]),
            selfplay=from_plain(SelfplayParams, plain["selfplay"]),
            network=design_of(plain["network"]),
            inference=from_plain(InferenceParams, plain["inference"]),
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Orders:
    """What is played under from now on. Kept in the object store, once for each version."""

    game: str  # that the weights are of
    version: int
    weights: Mapping[str, Any]  # as wire.pack_weights gives them
    openings: Sequence[Sequence[int]]


class Worker:
    """Is asked for one thing after the other, or for several chunks at once by threads."""

    def __init__(
        self,
        contract: Mapping[str, Any],
        *,
        threads: int | None,
        graphs: Mapping[int, bytes] | None = None,
        on_gpu: bool | None = None,
    ) -> None:
        """`threads`: passes at once where inference.streams leaves it open; None: as the engine likes. `graphs`: what
        the driver's engine has derived of the network, so that this one begins sooner. `on_gpu`: None where
        `contract` says which engine it is.
        """
        torch.set_num_threads(1)  # an engine's streams are its threads
        self._plain, self._threads, self._graphs, self._on_gpu = contract, threads, graphs, on_gpu
        self._loaded: int | None = None
        self._flow: tuple[Table, int] | None = None
        self._sitting: Sitting | None = None
        lock = threading.RLock()
        self._turn = threading.Condition(lock)  # who plays for all that wait for chunks
        self._room = threading.Condition(lock)  # whether another chunk may come
        self._somebody_plays = False
        self._played: dict[Chunk, Played] = {}

    def hello(self) -> dict[str, str | int]:
        """Who this is, for whoever is to rely on it; nothing is made yet."""
        return about_here()

    def chunk(self, first: int, games: int, orders: Orders) -> bytes:
        """Games first, first + 1, ... from start to end. Threads that ask for several are served from one table: one of
        them plays, the others wait. Nothing for orders that newer ones have followed: nobody waits for it.
        """
        mine = Chunk(first=first, games=games)
        with self._turn:
            sitting = self._sitting_of(orders)
            if sitting is not None:
                sitting.add(mine)
                self._room.notify_all()
        while sitting is not None and sitting is self._sitting:
            with self._turn:
                self._turn.wait_for(lambda: mine in self._played or not self._somebody_plays)
                if mine in self._played:
                    break
                self._somebody_plays = True
            try:
                self._play(sitting, mine)
            finally:
                with self._turn:
                    self._somebody_plays = False
                    self._turn.notify_all()
        played = self._played.pop(mine, None)
        return b"" if played is None else pack(played)

    def begun(self, first: int, games: int, orders: Orders) -> None:
        """Returns once each game of a chunk that was asked for has begun, so that there is room for another."""
        mine = Chunk(first=first, games=games)
        with self._turn:
            sitting = self._sitting_of(orders)
            if sitting is not None:
                self._room.wait_for(lambda: sitting is not self._sitting or sitting.has_begun(mine))

    def flow(self, member: int, games: int, orders: Orders) -> bytes:
        """Goes on until that many more games have ended, under the newest weights."""
        if self._flow is None:
            playing = self._playing
            generator = playing.generator(first=member * GAMES_OF_A_MEMBER)
            self._flow = Table(generator, game=playing.game, engine=playing.engine), -1
        table, version = self._flow
        self._obey(orders)
        if version != orders.version:
            table.generator.set_openings([list(opening) for opening in orders.openings])
            table.generator.set_weights_version(orders.version)
            self._flow = table, orders.version
        before = table.generator.stats()
        table.play(lambda: table.generator.stats()["games"] - before["games"] >= games)
        ended = table.generator.take_games()
        return pack(
            Played(
                chunk=Chunk(first=member, games=len(ended)),
                samples=table.generator.take_samples(),
                games=ended,
                counters=since(before, table.generator.stats()),
            )
        )

    def _play(self, sitting: Sitting, mine: Chunk) -> None:
        seen = -1

        def is_over() -> bool:
            nonlocal seen
            if seen != sitting.ended:
                seen = sitting.ended
                with self._room:
                    self._room.notify_all()
            return sitting is not self._sitting

        for played in sitting.play(is_over):
            with self._turn:
                self._played[played.chunk] = played
                self._turn.notify_all()
            if played.chunk == mine:
                return

    def _sitting_of(self, orders: Orders) -> Sitting | None:
        """By whoever has the turn."""
        if self._sitting is None or self._loaded != orders.version:
            if self._loaded is not None and orders.version < self._loaded:
                return None
            self._sitting = None  # whoever plays on it ends
            self._room.notify_all()
            self._turn.wait_for(lambda: not self._somebody_plays)
        if self._sitting is None:
            self._obey(orders)
            self._played.clear()
            self._sitting = Sitting(self._playing, version=orders.version, openings=orders.openings)
        return self._sitting

    @cached_property
    def _playing(self) -> Playing:
        trust(self._plain["trusted"])
        contract = Contract.of(self._plain)
        spec = game_spec(contract.game)
        inference = contract.inference if self._on_gpu is None else suited(contract.inference, on_gpu=self._on_gpu)
        engine = engine_of(
            spec, design=contract.network, inference=inference, threads=self._threads, graphs=self._graphs
        )
        return Playing(game=spec, search=contract.search, selfplay=contract.selfplay, seed=contract.seed, engine=engine)

    def _obey(self, orders: Orders) -> None:
        if orders.game != self._playing.game.name:
            raise ValueError(f"these weights are of {orders.game}, and this actor plays {self._playing.game.name}")
        if self._loaded != orders.version:
            self._playing.engine.load(unpack_weights(orders.weights))
            self._loaded = orders.version


def engine_of(
    spec: GameSpec,
    *,
    design: NetworkDesign,
    inference: InferenceParams,
    threads: int | None,
    graphs: Mapping[int, bytes] | None = None,
) -> InferenceEngine:
    """Without weights. `threads`: passes at once where inference.streams leaves it open; None: as it likes."""
    if not inference.streams and threads:
        inference = dataclasses.replace(inference, streams=threads)
    return make_engine(inference, spec=spec, network=make_network(spec, design), graphs=graphs)


def about_here() -> dict[str, str | int]:
    """What must be the same wherever a run plays (`c4`, `python`), and what tells places apart. `gpus`: Ray's."""
    return {
        "c4": code_hash(),
        "python": ".".join(platform.python_version_tuple()[:2]),
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "processor": platform.machine(),
        "gpus": os.environ.get("CUDA_VISIBLE_DEVICES", ""),
    }


def code_hash() -> str:
    """Of the package's sources: a version alone does not tell two checkouts apart."""
    root, found = Path(c4.__file__).parent, hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        found.update(path.relative_to(root).as_posix().encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:12]
