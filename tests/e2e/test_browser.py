"""The page in a real Chromium: whole games on a desktop and a phone, the tree, a position by its address.

Screenshots are written to build/screenshots, to be looked at.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.makers import SEARCH
from tests.ui.web.kit import serving

from c4.native._core import Position
from c4.params.play import LevelParams
from c4.players.thinker import Thinker

sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install -e '.[browser]'")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed (Debian: apt install chromium)"),
]

SHOTS = Path(__file__).parents[2] / "build/screenshots"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
)
SIZES = {"desktop": {"width": 1360, "height": 900}, "phone": {"width": 390, "height": 844}}
PATIENCE = 180_000  # ms; what stays away so long has failed


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving("web.review_simulations=300") as (_, port):
        yield port


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS.split())
        yield launched
        launched.close()


ON_BOTH = pytest.mark.parametrize("page", SIZES, indirect=True)


@pytest.fixture(params=["desktop"])
def page(request: pytest.FixtureRequest, browser: Any, port: int) -> Iterator[Any]:
    """A page that must neither complain nor ask another host for anything."""
    phone = request.param == "phone"
    context = browser.new_context(
        viewport=SIZES[request.param], has_touch=phone, is_mobile=phone, reduced_motion="reduce",
        color_scheme="dark" if phone else "light", base_url=f"http://127.0.0.1:{port}",
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.size = request.param
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("request", lambda asked: None if at_home(asked.url, port) else complaints.append(asked.url))
    yield page
    context.close()
    assert complaints == []


def at_home(url: str, port: int) -> bool:
    return re.match(rf"(http|ws)://127\.0\.0\.1:{port}/|blob:|data:", url) is not None


def shot(page: Any, name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    # The rows of a tree are painted when they come near the window; a picture of the full page never scrolls to them.
    page.screenshot(path=SHOTS / f"{page.size}_{name}.png", full_page=page.size == "phone" and name != "tree")


def opened(page: Any, address: str = "/") -> Any:
    page.goto(address)
    return page.locator("#board[data-ply]")


def against(page: Any, opponent: str, *, simulations: int) -> None:
    page.click("#tab-opponent")
    page.select_option("#opponent", f"{opponent} ")
    if opponent == "rollout":
        page.click("#knobs summary")
        page.fill("#simulations", str(simulations))
        page.press("#simulations", "Enter")
        page.locator("#simulations").blur()


def my_turn(page: Any) -> Position | None:
    """The position when it is the person's turn; None at the end of the game."""
    page.wait_for_selector("#board[data-yours='true'], body[data-over='true']")
    if page.get_attribute("body", "data-over") == "true":
        return None
    return Position("connect4", page.get_attribute("#board", "data-text"))


def played(page: Any, action: int, *, by: str) -> None:
    """With a finger, the mouse or the keyboard; returns when the move is on the board."""
    ply = int(page.get_attribute("#board", "data-ply"))
    cell = f".cell[data-action='{action}']"
    if by == "key":
        page.keyboard.press(str(action + 1))
    elif page.size == "phone":
        page.tap(cell)
    else:
        page.click(cell)
    page.wait_for_selector(f"#board:not([data-ply='{ply}'])")


@ON_BOTH
def test_a_whole_game_is_won_against_chance(page: Any) -> None:
    opened(page)
    against(page, "random", simulations=1)
    thinker = Thinker(position=Position("connect4"), params=SEARCH, judge=None, cache_megabytes=0, seed=1)
    while (position := my_turn(page)) is not None:
        thinker.think(position, level=LevelParams(simulations=400, seconds=None))
        played(page, thinker.best_action(), by="key" if position.ply % 4 == 2 else "hand")
    assert page.inner_text("#status") == "You win!"
    assert page.locator("circle.win").count() >= 4
    assert "First player, ring" in page.inner_text("#say") or "You win" in page.inner_text("#say")
    shot(page, "won")


@ON_BOTH
def test_a_whole_game_is_lost_against_a_search_and_reviewed(page: Any) -> None:
    opened(page)
    against(page, "rollout", simulations=600)
    while (position := my_turn(page)) is not None:
        played(page, position.legal[position.ply // 2 % len(position.legal)], by="hand")
    assert page.inner_text("#status") == "rollouts wins"
    page.click("#tab-moves")
    page.click("#review")
    page.wait_for_selector("#review-note:has-text('something away')")
    assert page.locator("#chart .dot").count() == int(page.get_attribute("#board", "data-ply")) + 1
    assert page.locator(".why").count() >= 1
    shot(page, "lost_and_reviewed")
    page.locator("#chart .hit[data-ply='3']").click()
    page.wait_for_selector("#board[data-ply='3']")
    assert page.is_visible("#go")


@ON_BOTH
def test_a_position_by_its_address_is_analysed_and_its_tree_walked(page: Any) -> None:
    opened(page, "/?position=4453")
    page.wait_for_selector("#board[data-text='4453']")
    page.click("#tab-analysis")
    page.select_option("#judge-1", "rollouts")
    page.wait_for_selector(".analysis[data-done='true'] >> nth=1")
    assert page.locator(".analysis").first.get_attribute("data-visits") == "5000"
    assert page.locator(".analysis").first.locator("tbody tr").count() == 7
    page.check("#teacher")
    page.wait_for_selector(".chip, #truth-note:not([hidden])")
    shot(page, "analysed")
    page.click("#tab-tree")
    first = page.locator("#tree > ul > li").first
    first.locator(".leaf").click()
    page.wait_for_selector(f"#node[data-text='4453{first.locator('.name').first.inner_text()}']")
    child = first.locator("ul .leaf").first
    child.click()
    page.wait_for_selector(
        f"#node[data-text='4453{first.locator('.name').first.inner_text()}{child.locator('.name').inner_text()}']"
    )
    assert page.locator("#node .mini .stone").count() == 6
    page.locator("#panel-tree").scroll_into_view_if_needed()
    shot(page, "tree")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f"#node[data-text='4453{first.locator('.name').first.inner_text()}']")
    told = first.get_attribute("aria-label")
    page.select_option("#tree-side", label="rollouts")  # the other judge's
    page.wait_for_selector(f"#tree > ul > li:first-child:not([aria-label='{told}'])")


def test_a_move_wakes_a_page_that_rests_and_a_small_server_has_weaker_levels(browser: Any) -> None:
    with serving("web.idle_seconds=1", "web.most_simulations=400") as (_, port):
        page = browser.new_page(base_url=f"http://127.0.0.1:{port}")
        page.set_default_timeout(PATIENCE)
        opened(page, "/?position=&side=both")
        page.wait_for_selector("#online[data-state='idle']")
        page.keyboard.press("4")
        page.wait_for_selector("#board[data-text='4']")
        page.select_option("#preset", label="Strongest")
        assert page.input_value("#simulations") == page.input_value("#visits") == "400"
        page.close()


def test_the_address_follows_the_game_and_brings_it_back(page: Any) -> None:
    opened(page, "/?position=44&side=both")
    page.wait_for_selector("#board[data-text='44']")
    played(page, 2, by="key")
    assert "position=443&side=both" in page.url
    page.reload()
    page.wait_for_selector("#board[data-text='443']")
    page.click("#undo")
    page.wait_for_selector("#board[data-text='44']")
    page.click("#redo")
    page.wait_for_selector("#board[data-text='443']")


def test_an_address_that_names_no_position_says_so_and_starts_a_game(page: Any) -> None:
    opened(page, "/?position=4444444")
    page.wait_for_selector(".toast")
    page.wait_for_selector("#board[data-ply='0']")


def test_the_keyboard_alone_can_play_and_is_told_what_happens(page: Any) -> None:
    opened(page, "/?position=&side=both").wait_for()
    page.wait_for_selector("#board[data-yours='true']")
    page.locator(".cell[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board[data-text='5']")
    assert "First player, ring, dropped in column 5" in page.inner_text("#say")
    assert page.get_attribute(".cell[data-action='4']", "aria-label") == "Column 5: from below ring; 5 free"


def test_a_game_as_text_is_taken_away_and_brought(page: Any) -> None:
    opened(page, "/?game=gomoku9&position=e5+d4&side=both")
    page.wait_for_selector("#board[data-text='e5 d4']")
    page.click("#tab-moves")
    page.click("#share")
    page.wait_for_selector("#text-dialog[open]")
    assert "moves: e5 d4" in page.input_value("#text")
    page.fill("#text", "game: connect4\nmoves: 123\n")
    page.click("#text-load")
    page.wait_for_selector("#board[data-text='123']")


def test_gomoku_is_played_on_lines(page: Any) -> None:
    opened(page, "/?game=gomoku9&position=&side=first")
    page.wait_for_selector("#board[data-yours='true']")
    played(page, 40, by="hand")
    page.wait_for_selector("#board[data-ply='2']")
    page.click("#tab-analysis")
    page.check("#analysing")
    page.wait_for_selector(".analysis[data-done='true']")
    shot(page, "gomoku")


def test_light_and_dark_can_be_chosen(page: Any) -> None:
    opened(page).wait_for()
    page.wait_for_selector("#board[data-yours='true']")  # by then the page listens
    shade = sync_api.expect(page.locator("body"))  # waits: a colour changes with the next picture
    light = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    page.click("#theme")
    shade.to_have_css("background-color", light, timeout=PATIENCE)
    page.click("#theme")
    shade.not_to_have_css("background-color", light, timeout=PATIENCE)
    page.click("#theme")  # by the system again
    shade.to_have_css("background-color", light, timeout=PATIENCE)
