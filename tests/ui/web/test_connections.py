"""Connections that are never done, that take nothing, and that are too many: against a server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import select
import socket
from collections.abc import Iterator

import httpx
import pytest
import websockets
from tests.ui.web.kit import PATIENCE, Guest, guest, serving

ANOTHER = "127.0.0.2"  # an address of this machine too
ASK = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@contextlib.contextmanager
def connected(
    port: int, *, said: bytes = b"", host: str = "127.0.0.1", room: int | None = None
) -> Iterator[socket.socket]:
    with socket.socket() as one:
        one.settimeout(PATIENCE)
        one.bind((host, 0))
        if room is not None:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        one.connect(("127.0.0.1", port))
        one.sendall(said)
        yield one


def answer(one: socket.socket) -> bytes:
    """All that comes until the other side ends it."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := one.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize(
    "said", [b"", ASK[:10], b"POST /api/analyse HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"]
)
def test_a_request_that_is_never_whole_is_not_waited_for(said: bytes) -> None:
    with serving("web.patience_seconds=0.3") as (_, port), connected(port, said=said) as one:
        assert answer(one) == b""


def test_who_asks_and_never_takes_the_answers_is_dropped() -> None:
    with serving("web.patience_seconds=0.3") as (_, port), connected(port, room=4096) as one:
        one.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            one.sendall(b"GET /app.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2000)
        gone = select.poll()
        gone.register(one, 0)  # hang-ups alone
        assert gone.poll(PATIENCE * 1000)


async def asks_without_end(one: Guest) -> None:
    while True:
        await one.say("load", game="gomoku15", position="", side="both")


def test_a_visitor_who_never_listens_is_dropped() -> None:
    async def run(port: int) -> None:
        with socket.socket() as small:
            small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            small.connect(("127.0.0.1", port))
            async with guest(port, sock=small, max_queue=1) as one:
                with pytest.raises(websockets.ConnectionClosed):
                    await asks_without_end(one)

    with serving("web.patience_seconds=0.3") as (_, port):
        asyncio.run(run(port))


def test_a_visitor_who_says_nothing_stays() -> None:
    """Connections that begin after his, and are never done, are dropped; his is not."""

    async def run(port: int) -> None:
        async with guest(port) as one:
            for _ in range(2):
                with connected(port) as silent:
                    assert await asyncio.to_thread(answer, silent) == b""
            await one.say("ping")
            await one.hear("pong")

    with serving("web.patience_seconds=0.3") as (_, port):
        asyncio.run(run(port))


def test_silent_connections_lock_nobody_out_and_an_address_has_its_share() -> None:
    with serving("web.connections=20", "web.connections_each=10") as (_, port), contextlib.ExitStack() as open_ones:
        for _ in range(30):
            open_ones.enter_context(connected(port))
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            assert client.get("/health").json()["ok"]
            assert client.get("/health").json()["ok"]
        with contextlib.ExitStack() as asking:
            for _ in range(10):
                one = asking.enter_context(connected(port, said=ASK))
                assert one.recv(1 << 16).startswith(b"HTTP/1.1 200")  # and stays, for another request
            with connected(port) as eleventh:
                head, _, body = answer(eleventh).partition(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 429")
                assert "your address" in json.loads(body)["error"]
            with connected(port, said=ASK, host=ANOTHER) as other:
                assert other.recv(1 << 16).startswith(b"HTTP/1.1 200")


def test_visitors_from_one_address_leave_seats_for_others() -> None:
    async def run(port: int) -> None:
        uri = f"ws://127.0.0.1:{port}/ws"
        async with guest(port), guest(port), websockets.connect(uri) as third:
            late = Guest(third)
            assert "from your address" in (await late.hear("error"))["sentence"]
            async with guest(port, local_addr=(ANOTHER, 0)):
                pass

    with serving("web.sessions=4", "web.sessions_each=2") as (_, port):
        asyncio.run(run(port))
