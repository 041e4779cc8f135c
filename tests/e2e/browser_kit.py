"""A real Chromium in front of the page, as the tests of the page use it. It must neither complain nor ask another host.

Screenshots go to build/screenshots, to be looked at.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from c4.native._core import Position

sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install -e '.[browser]'")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MARKS = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed (Debian: apt install chromium)"),
]

SHOTS = Path(__file__).parents[2] / "build/screenshots"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
)
SIZES = {
    "desktop": {"width": 1280, "height": 800},
    "phone": {"width": 390, "height": 844},
    "wide": {"width": 1920, "height": 1080},
}
PATIENCE = 180_000  # ms; what stays away so long has failed
expect = sync_api.expect
expect.set_options(timeout=PATIENCE)


@contextmanager
def chromium() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS.split())
        yield launched
        launched.close()


@contextmanager
def opened(browser: Any, port: int, *, size: str = "desktop", theme: str = "light", **options: Any) -> Iterator[Any]:
    """A page of a person of his own."""
    phone = size == "phone"
    context = browser.new_context(
        viewport=SIZES[size], has_touch=phone, is_mobile=phone, reduced_motion="reduce", color_scheme=theme,
        base_url=f"http://127.0.0.1:{port}", **options,
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.size, page.theme = size, theme
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("request", lambda asked: None if at_home(asked.url, port) else complaints.append(asked.url))
    page.complaints = complaints
    yield page
    context.close()
    assert complaints == []


def at_home(url: str, port: int) -> bool:
    return re.match(rf"(http|ws)://127\.0\.0\.1:{port}/|blob:|data:", url) is not None


def shot(page: Any, name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}_{page.size}_{page.theme}.png")


def on_board(page: Any, text: str) -> None:
    """Waits for a position."""
    expect(page.locator("#board")).to_have_attribute("data-text", text)


def at_ply(page: Any, ply: int) -> None:
    expect(page.locator("#board")).to_have_attribute("data-ply", str(ply))


def go(page: Any, address: str = "/") -> None:
    """By then the page listens."""
    page.goto(address)
    page.wait_for_selector("body[data-ready='true']")


def my_turn(page: Any) -> Position | None:
    """The position when it is the person's turn; None at the end of the game."""
    page.wait_for_selector("#board[data-yours='true'], body[data-over='true']")
    if page.get_attribute("body", "data-over") == "true":
        return None
    return Position("connect4", page.get_attribute("#board", "data-text"))


def click(page: Any, selector: str) -> None:
    """With a finger or the mouse."""
    (page.tap if page.size == "phone" else page.click)(selector)


def played(page: Any, action: int, *, by: str = "hand") -> None:
    """With a finger, the mouse or the keyboard; returns when the move is on the board."""
    text = page.get_attribute("#board", "data-text")
    if by == "key":
        page.keyboard.press(str(action + 1))
    else:
        click(page, f".cell[data-action='{action}']")
    expect(page.locator("#board")).not_to_have_attribute("data-text", text)


def against(page: Any, opponent: str, *, simulations: int) -> None:
    """Returns when the server has taken it over."""
    page.click("#tab-opponent")
    page.select_option("#opponent", f"{opponent} ")
    if opponent == "rollout":
        page.click("#knobs summary")
        page.fill("#simulations", str(simulations))
        page.locator("#simulations").blur()
        expect(page.locator("#simulations")).to_have_value(str(simulations))
