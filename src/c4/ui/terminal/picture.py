"""What the terminal shows as a picture, for README and for tests. How it is drawn stands in report/screen.py."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.color import Color
from textual.pilot import Pilot

from c4.report.screen import Span, screen_svg
from c4.ui.terminal.app import PlayApp


def picture_of(app: PlayApp, *, size: tuple[int, int], keys: Sequence[str] = ()) -> str:
    """The SVG of a screen of so many columns and lines, after some keys, when nobody thinks any more."""

    async def drawn() -> str:
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            for key in keys:
                await pilot.press(key)
                await settled(pilot)
            return svg_of(app)

    return asyncio.run(drawn())


async def settled(pilot: Pilot[None]) -> None:
    """Until every message was seen and nobody thinks: by what has happened, never by time."""
    app = pilot.app
    await flushed(app)
    while getattr(app, "is_busy", False):
        await app.workers.wait_for_complete()
        await flushed(app)


async def flushed(app: App[None]) -> None:
    """Until what was sent so far was seen by all: a key goes from the app to the screen, to a widget and back."""
    for _ in range(3):
        for pump in (app, app.screen, app.focused, *app.screen.walk_children()):
            if pump is not None:
                await _happened(app, pump.call_later)
        await _happened(app, app.screen.call_after_refresh)  # the layout too


async def _happened(app: App[None], later: Callable[[Callable[[], None]], bool]) -> None:
    """Until a call has been made, unless the app has failed."""
    event = asyncio.Event()
    if not later(event.set):
        return
    waits = [asyncio.create_task(each.wait()) for each in (event, app._exception_event)]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    if app._exception is not None:
        raise app._exception


def svg_of(app: App[None]) -> str:
    """What the app shows now."""
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate)
    paper = app.screen.background_colors[1].hex
    ink = app.current_theme.foreground or "#808080"
    lines = [
        [_span(segment.text, segment.style or Style(), paper=paper, ink=ink) for strip in strips for segment in strip]
        for strips in update.strips
    ]
    return screen_svg(lines, width=app.size.width, paper=paper)


def _span(text: str, style: Style, *, paper: str, ink: str) -> Span:
    front = ink if style.color is None else Color.from_rich_color(style.color).hex
    back = paper if style.bgcolor is None else Color.from_rich_color(style.bgcolor).hex
    if style.reverse:
        front, back = back, front
    looks = {name: bool(getattr(style, name)) for name in ("bold", "underline", "dim")}
    return Span(text=text, front=front, back=back, **looks)
