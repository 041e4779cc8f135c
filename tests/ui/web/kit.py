"""A house without a network, a server in a thread, and a visitor that talks to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import websockets
from tests.ui.own_opponents import asked

from c4.params.play import PlayConfig
from c4.ui.web.house import House
from c4.ui.web.server import listening, make_server

# The champions are offered all the same: by an engine that is there at once, and that nobody has to time.
WITHOUT_NETWORK = ("checkpoint=null", "inference=torch", "web.port=0", "web.pause_seconds=0")
PATIENCE = 300.0  # seconds; what stays away so long has failed


def words(*overrides: str) -> list[str]:
    """Against few rollouts, or whom they name."""
    named = any(word.startswith("opponent=") for word in overrides)
    return [*WITHOUT_NETWORK, *([] if named else ["opponent=rollout", "opponent.rollouts=50"]), *overrides]


def config(*overrides: str) -> PlayConfig:
    with asked(*words(*overrides)) as knobs:
        return knobs


@contextlib.contextmanager
def serving(*overrides: str) -> Iterator[tuple[House, int]]:
    """A server in a thread of its own, and its port."""
    knobs = config(*overrides)
    with contextlib.closing(House(knobs)) as house, listening(knobs.web) as bound:
        server = make_server(house)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            deadline = time.monotonic() + PATIENCE
            while not server.started and time.monotonic() < deadline:
                threading.Event().wait(0.01)
            yield house, bound.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


class Guest:
    """A page, as far as the server knows."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []

    async def say(self, kind: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": kind} | fields))

    async def hear(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next message of a kind, with these fields."""
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            self.heard.append(message)
            if message["type"] == kind and all(message.get(key) == value for key, value in fields.items()):
                return message


@contextlib.asynccontextmanager
async def guest(port: int, **options: Any) -> AsyncIterator[Guest]:
    """Welcomed, with the first game on the board."""
    patient = {"open_timeout": PATIENCE, "ping_interval": None} | options
    async with websockets.connect(f"ws://127.0.0.1:{port}/ws", max_size=1 << 22, **patient) as socket:
        visitor = Guest(socket)
        await visitor.hear("hello")
        await visitor.hear("game")
        yield visitor


def visit(port: int, told: Callable[[Guest], Awaitable[None]]) -> None:
    """What a guest is told, over a connection of his own."""

    async def run() -> None:
        async with guest(port) as one:
            await told(one)

    asyncio.run(run())


def both(text: str, *, game: str = "connect4") -> dict[str, Any]:
    """A position that the guest plays for both sides."""
    return {"game": game, "position": text, "side": "both"}
