"""The terminal under a test: driven by keys, waited for until it has nothing more to do. Never by time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, cast

import pytest

pytest.importorskip("textual", reason="the board is an extra: pip install -e '.[ui]'")

from textual.pilot import Pilot
from textual.widgets import Static

from c4.params.terminal import TerminalParams, ThemeName
from c4.ui.table import PlayTable
from c4.ui.terminal.app import PlayApp
from c4.ui.terminal.picture import settled

PATIENCE = 300.0  # seconds; what does not end by then hangs
PARAMS = TerminalParams(theme=ThemeName.DARK, animation=False, pause_seconds=0.0, review_simulations=50)

Play = Callable[[Pilot[None]], Coroutine[Any, Any, None]]


def drive(one: PlayTable, play: Play, *, size: tuple[int, int] = (100, 30), params: TerminalParams = PARAMS) -> None:
    """Plays once the first screen stands."""

    async def run() -> None:
        async with PlayApp(one, params=params).run_test(size=size) as pilot:
            await settled(pilot)
            await play(pilot)

    asyncio.run(asyncio.wait_for(run(), timeout=PATIENCE))


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    while not holds():
        await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def type_in(pilot: Pilot[None], line: str) -> None:
    """At the prompt, as a person does."""
    await press(
        pilot, "colon", *({" ": "space", "=": "equals_sign", ".": "full_stop"}.get(key, key) for key in line), "enter"
    )


def app_of(pilot: Pilot[None]) -> PlayApp:
    return cast("PlayApp", pilot.app)


def shown(pilot: Pilot[None], what: str) -> str:
    """The title or the message."""
    return str(pilot.app.screen.query_one(f"#{what}", Static).render())


def screen(pilot: Pilot[None]) -> str:
    """All that can be read, line by line."""
    lines = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)
