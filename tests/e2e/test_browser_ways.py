"""Ways into, through and out of the page: addresses, reloads, keys, texts, positions set up, a server that rests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.e2e.browser_kit import MARKS, PATIENCE, at_ply, click, expect, go, on_board, opened, played, shot
from tests.ui.web.kit import serving

pytestmark = MARKS


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving("web.review_simulations=100") as (_, port):
        yield port


@pytest.fixture
def page(browser: Any, port: int) -> Iterator[Any]:
    with opened(browser, port) as page:
        yield page


def test_a_reload_keeps_opponent_level_judges_search_tab_and_game(page: Any) -> None:
    go(page, "/?game=gomoku9&position=e5+d4+e6+d5&side=both")
    on_board(page, "e5 d4 e6 d5")
    page.select_option("#opponent", "random ")
    expect(page.locator("#preset")).to_be_disabled()  # chance has no levels
    page.select_option("#opponent", "rollout ")
    page.select_option("#preset", label="Casual")
    page.click("#tab-analysis")
    page.select_option("#judge-1", "rollouts")
    page.select_option("#visits", "1000")
    page.check("#teacher")
    page.keyboard.press("ArrowLeft")
    at_ply(page, 3)
    page.click("#tab-tree")
    page.reload()
    on_board(page, "e5 d4 e6")
    expect(page.locator("#tab-tree")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#opponent")).to_have_value("rollout ")
    expect(page.locator("#simulations")).to_have_value("25")
    expect(page.locator("#judge-1")).to_have_value("rollouts")
    expect(page.locator("#visits")).to_have_value("1000")
    expect(page.locator("#analysing")).to_be_checked()
    expect(page.locator("#teacher")).to_be_checked()
    page.keyboard.press("End")
    on_board(page, "e5 d4 e6 d5")  # what was ahead is there too
    page.click("#tab-analysis")
    expect(page.locator(".analysis[data-done='true']")).to_have_count(2)


def test_the_address_follows_the_game_and_brings_it_to_others(page: Any, browser: Any, port: int) -> None:
    go(page, "/?position=44&side=both")
    on_board(page, "44")
    played(page, 2, by="key")
    expect(page).to_have_url(re.compile("position=443&side=both"))
    with opened(browser, port) as other:
        go(other, page.url)
        on_board(other, "443")
    page.click("#undo")
    on_board(page, "44")
    page.click("#redo")
    on_board(page, "443")


def test_an_address_that_names_no_position_says_so_and_starts_a_game(page: Any) -> None:
    page.goto("/?position=4444444")
    expect(page.locator("#toasts")).to_have_attribute("data-said", re.compile("column 4 is full"))
    at_ply(page, 0)


def test_an_unknown_address_is_a_page_that_leads_back(page: Any) -> None:
    assert page.goto("/no/such/page").status == 404
    page.complaints.clear()  # the browser tells of the 404
    assert "no page at this address" in page.inner_text("h1")
    page.click("main a[href='/']")
    page.wait_for_selector("#board[data-yours='true']")


def test_a_move_wakes_a_page_that_rests_and_a_small_server_has_weaker_levels(browser: Any) -> None:
    with serving("web.idle_seconds=1", "web.most_simulations=400") as (_, port):
        page = browser.new_page(base_url=f"http://127.0.0.1:{port}")
        page.set_default_timeout(PATIENCE)
        go(page, "/?position=&side=both")
        page.wait_for_selector("#online[data-state='idle']")
        page.keyboard.press("4")
        on_board(page, "4")
        page.select_option("#preset", label="Strongest")
        expect(page.locator("#simulations")).to_have_value("400")
        expect(page.locator("#visits")).to_have_value("400")
        page.close()


def test_a_move_that_is_lost_with_the_connection_is_played_when_it_is_back(page: Any) -> None:
    lost: list[str] = []

    def connect(line: Any) -> None:
        server = line.connect_to_server()

        def pass_on(message: str) -> None:
            if '"play"' in message and not lost:
                lost.append(message)
                line.send('{"type": "pong"}')  # on its way already: no answer to the move
                server.close()
                line.close()
            else:
                server.send(message)

        line.on_message(pass_on)

    page.route_web_socket(re.compile("/ws$"), connect)
    go(page, "/?position=44&side=both")
    played(page, 2)
    on_board(page, "443")
    assert len(lost) == 1


def test_what_is_lost_with_the_connection_is_found_out_when_it_is_back(page: Any) -> None:
    lines: list[tuple[Any, Any]] = []

    def connect(line: Any) -> None:
        server, deaf = line.connect_to_server(), not lines
        lines.append((line, server))
        found = re.compile('"type": ?"(thought|truth|reviewed|review_done)"')
        server.on_message(lambda message: None if deaf and found.search(message) else line.send(message))

    page.route_web_socket(re.compile("/ws$"), connect)
    go(page, "/?position=4444&side=both")
    page.click("#tab-analysis")
    page.check("#teacher")
    page.click("#tab-moves")
    page.click("#review")
    for end in lines[0]:
        end.close()
    expect(page.locator("#review-note")).to_contain_text("No move gives anything away")
    page.wait_for_selector(".chip")
    page.click("#tab-analysis")
    page.wait_for_selector(".analysis[data-done='true']")
    assert len(lines) == 2


def test_the_keyboard_alone_can_play_and_is_told_what_happens(page: Any) -> None:
    go(page, "/?position=&side=both")
    page.keyboard.press("ArrowDown")  # to the board
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    on_board(page, "5")
    assert "Red dropped in column 5" in page.inner_text("#say")
    assert page.get_attribute(".cell[data-action='4']", "aria-label") == "Column 5: from below red; 5 free"
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    at_ply(page, 0)


def test_a_click_on_the_board_leaves_the_arrows_to_the_game(page: Any) -> None:
    go(page, "/?position=4453&side=both")
    on_board(page, "4453")
    played(page, 0)
    for key, ply in (("ArrowLeft", 4), ("ArrowLeft", 3), ("Home", 0), ("ArrowRight", 1), ("End", 5)):
        page.keyboard.press(key)
        at_ply(page, ply)


def test_a_game_as_text_is_taken_away_and_brought_with_what_was_found_out(page: Any) -> None:
    go(page, "/?position=1212127&side=both")
    on_board(page, "1212127")
    page.click("#tab-moves")
    page.click("#review")
    expect(page.locator("#review-note")).to_contain_text("something away")
    page.keyboard.press("Home")
    at_ply(page, 0)
    played(page, 3, by="key")
    page.click("#share")
    page.wait_for_selector("#text-dialog[open]")
    text = page.input_value("#text")
    assert "moves: 1212127\n" in text
    assert re.search(r"^7: 7\?+ value [+-]\d\.\d\d .*1 was better", text, re.MULTILINE)
    assert text.endswith("variation 1: 4\n")

    page.fill("#text", "moves: 1212128")
    page.click("#text-load")
    expect(page.locator("#text-wrong")).to_contain_text("This is not a game: ply 7")
    expect(page.locator("#text-dialog")).to_be_visible()
    shot(page, "bad_import")
    page.fill("#text", text)
    expect(page.locator("#text-wrong")).to_be_hidden()
    page.click("#text-load")
    expect(page.locator("#text-dialog")).to_be_hidden()
    on_board(page, "1212127")
    expect(page.locator("#variations li")).to_have_count(1)
    expect(page.locator(".why")).to_contain_text(["1 was better"])


@pytest.mark.parametrize(
    ("game", "spots", "says", "text"),
    [("connect4", [38, 37], "hangs in the air", "43"), ("gomoku9", [40, 41], "as many or one more", "e5 f5")],
)
def test_a_position_is_set_up_and_its_legality_told(
    page: Any, game: str, spots: list[int], says: str, text: str
) -> None:
    """Spots are counted from the upper left: 38 is the fourth of connect4's lowest row."""
    go(page, f"/?game={game}&position=&side=both")
    page.click("#tab-moves")
    page.click("#edit")
    expect(page.locator("#editor-says")).to_have_attribute("data-ok", "true")  # the empty board
    first, second = spots
    page.click(f".spot >> nth={first}")
    expect(page.locator("#editor-says")).to_have_text(re.compile("is to move"))
    page.click(f".spot >> nth={second - 7 if game == 'connect4' else second}")
    page.locator("#editor-says[data-ok='false']").wait_for()
    if game == "connect4":
        page.click(f".spot >> nth={second - 7}")
        page.click("#editor-brushes label >> nth=1")
        page.click(f".spot >> nth={second - 7}")
        expect(page.locator("#editor-says")).to_contain_text(says)
        expect(page.locator("#editor-done")).to_be_disabled()
        shot(page, "editor")
        page.click(f".spot >> nth={second - 7}")
    else:
        expect(page.locator("#editor-says")).to_contain_text(says)
        page.click("#editor-brushes label >> nth=1")
    page.click(f".spot >> nth={second}")
    expect(page.locator("#editor-says")).to_have_attribute("data-ok", "true")
    page.click("#editor-done")
    on_board(page, text)


def test_gomoku_is_played_on_lines(page: Any) -> None:
    go(page, "/?game=gomoku9&position=&side=first")
    played(page, 40)
    at_ply(page, 2)
    page.click("#tab-analysis")
    page.check("#analysing")
    page.wait_for_selector(".analysis[data-done='true']")
    shot(page, "gomoku")


@pytest.mark.parametrize(("game", "text", "held"), [("tictactoe", "a1 b2 b1", 0), ("connect4", "4453", 1)])
def test_a_stone_in_hand_covers_no_score(page: Any, game: str, text: str, held: int) -> None:
    go(page, f"/?game={game}&position={text.replace(' ', '+')}&side=both")
    on_board(page, text)
    free = page.locator(".cell[aria-disabled='false']").first
    free.hover()
    expect(page.locator("#board .ghost")).to_have_count(1)
    expect(page.locator("#board .held")).to_have_count(held)
    page.click("#tab-analysis")
    page.check("#teacher")
    page.wait_for_selector(".chip, #truth-note:not(:empty)")
    free.hover()
    if page.locator(".chip").count():
        expect(page.locator("#board .held")).to_have_count(0)
        expect(page.locator("#board .ghost")).to_have_count(held)


def test_light_and_dark_can_be_chosen(page: Any) -> None:
    go(page)
    shade = expect(page.locator("body"))  # waits: a colour changes with the next picture
    light = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    click(page, "#theme")
    shade.to_have_css("background-color", light)
    page.click("#theme")
    shade.not_to_have_css("background-color", light)
    page.click("#theme")  # by the system again
    shade.to_have_css("background-color", light)
