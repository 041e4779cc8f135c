"""Who is let in, and how long he may stay."""

from __future__ import annotations

import asyncio

import pytest
import websockets
from tests.ui.web.kit import Guest, guest, serving


def test_too_many_visitors_are_told_to_come_back(port: int) -> None:
    async def run() -> None:
        with serving("web.sessions=1") as (_, small):
            async with guest(small), websockets.connect(f"ws://127.0.0.1:{small}/ws") as second:
                late = Guest(second)
                assert "too many" in (await late.hear("error"))["sentence"]
                with pytest.raises(websockets.ConnectionClosed):
                    await late.hear("hello")
            async with guest(small):
                pass

    asyncio.run(run())


def test_who_asks_for_nothing_is_let_go(port: int) -> None:
    async def run() -> None:
        with serving("web.idle_seconds=1") as (house, small):
            async with guest(small) as one:
                await one.hear("idle")
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await one.hear("game")
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4000
            assert house.visitors == 0

    asyncio.run(run())


def test_pages_of_other_sites_may_not_connect(port: int) -> None:
    async def run() -> None:
        with pytest.raises(websockets.InvalidStatus):
            async with guest(port, origin="http://elsewhere.example"):
                pass
        async with guest(port, origin=f"http://127.0.0.1:{port}"):
            pass

    asyncio.run(run())
