"""The page in a real Chromium: whole games on a desktop and a phone, their review, variations, analysis, the tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.e2e.browser_kit import (
    MARKS,
    against,
    at_ply,
    click,
    expect,
    go,
    my_turn,
    on_board,
    opened,
    played,
    shot,
)
from tests.evaluation.makers import SEARCH
from tests.ui.web.kit import serving

from c4.native._core import Position
from c4.params.play import LevelParams
from c4.players.thinker import Thinker

pytestmark = MARKS
GAME = "4453635221234"
MISSED = "12121272"  # red could have won in column 1 at the seventh ply, and loses


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving("web.review_simulations=300", "web.tree_megabytes=2") as (_, port):
        yield port


ON_BOTH = pytest.mark.parametrize("page", ["desktop", "phone"], indirect=True)


@pytest.fixture(params=["desktop"])
def page(request: pytest.FixtureRequest, browser: Any, port: int) -> Iterator[Any]:
    theme = "dark" if request.param == "phone" else "light"
    with opened(browser, port, size=request.param, theme=theme) as page:
        yield page


@ON_BOTH
def test_a_whole_game_is_won_against_chance_and_there_is_a_rematch(page: Any) -> None:
    go(page)
    against(page, "random", simulations=1)
    thinker = Thinker(position=Position("connect4"), params=SEARCH, judge=None, cache_megabytes=0, seed=1)
    while (position := my_turn(page)) is not None:
        thinker.think(position, level=LevelParams(simulations=400, seconds=None))
        played(page, thinker.best_action(), by="key" if position.ply % 4 == 2 else "hand")
    expect(page.locator("#status")).to_have_text("You won!")
    assert page.locator("circle.win").count() >= 4
    assert "You won" in page.inner_text("#say")
    assert page.is_visible("#review-now")
    shot(page, "won")
    click(page, "#rematch")
    expect(page.locator("#status")).to_have_text("Your move: yellow")
    at_ply(page, 1)  # the sides are swapped


@ON_BOTH
def test_a_whole_game_is_lost_against_a_search_and_reviewed(page: Any) -> None:
    go(page)
    against(page, "rollout", simulations=600)
    while (position := my_turn(page)) is not None:
        played(page, position.legal[position.ply // 2 % len(position.legal)], by="hand")
    expect(page.locator("#status")).to_have_text("Rollouts won")
    game, plies = page.get_attribute("#board", "data-text"), int(page.get_attribute("#board", "data-ply"))
    click(page, "#review-now")
    expect(page.locator("#review-note")).to_contain_text("something away")
    expect(page.locator("#chart .dot")).to_have_count(plies + 1)
    found = page.locator(".why").count()
    assert found >= 1
    shot(page, "lost_and_reviewed")

    page.locator("#chart .hit[data-ply='2']").click()
    at_ply(page, 2)
    position = Position("connect4", game[:2])
    other = next(action for action in position.legal if position.action_name(action) != game[2])
    played(page, other)
    expect(page.locator("#variations li")).to_have_count(1)
    assert page.inner_text("#status").startswith("Variation")
    my_turn(page)  # the opponent goes on playing here
    click(page, "#leave")
    at_ply(page, 2)
    click(page, "#to-on")
    on_board(page, game[:3])
    page.keyboard.press("End")
    on_board(page, game)
    expect(page.locator("#status")).to_have_text("Rollouts won")
    expect(page.locator(".why")).to_have_count(found)
    page.click("#variations .variation")
    expect(page.locator("#status")).to_contain_text("Variation")
    page.click("#variations .remove")
    expect(page.locator("#variations li")).to_have_count(0)
    expect(page.locator("#status")).not_to_contain_text("Variation")
    page.keyboard.press("End")
    on_board(page, game)


def test_variations_are_kept_apart_and_lines_lead_back_to_where_they_are(page: Any) -> None:
    go(page, f"/?position={GAME}&side=both")
    on_board(page, GAME)
    for ply, column in ((2, 7), (4, 7), (2, 1)):
        while page.is_visible("#leave"):
            page.click("#leave")
            expect(page.locator("#leave")).to_be_hidden()
        page.click("#tab-moves")
        page.click(f".ply[data-ply='{ply}']")
        at_ply(page, ply)
        played(page, column - 1, by="key")
        on_board(page, f"{GAME[:ply]}{column}")
    expect(page.locator("#variations li")).to_have_count(3)
    page.keyboard.press("Home")
    at_ply(page, 0)
    for move in (GAME[0], GAME[1], "7"):  # what is in a line already is no new one
        played(page, int(move) - 1, by="key")
    on_board(page, f"{GAME[:2]}7")
    expect(page.locator("#variations li")).to_have_count(3)
    expect(page.locator("#variations li.here")).to_have_text("from ply 27×")
    page.reload()
    on_board(page, f"{GAME[:2]}7")
    expect(page.locator("#variations li")).to_have_count(3)
    page.click("#leave")
    expect(page.locator("#leave")).to_be_hidden()
    page.keyboard.press("End")
    on_board(page, GAME)


@ON_BOTH
def test_a_position_by_its_address_is_analysed_and_its_tree_walked(page: Any) -> None:
    go(page, "/?position=4453")
    on_board(page, "4453")
    page.click("#tab-analysis")
    page.select_option("#judge-1", "rollouts")
    page.wait_for_selector(".analysis[data-done='true'] >> nth=1")
    assert page.locator(".analysis").first.get_attribute("data-visits") == "5000"
    assert page.locator(".analysis").first.locator("tbody tr").count() == 7
    one, two = (page.locator(".analysis").nth(side).bounding_box() for side in (0, 1))
    beside = one["y"] == two["y"] and one["x"] + one["width"] <= two["x"]
    assert beside == (page.size == "desktop")
    page.check("#teacher")
    page.wait_for_selector(".chip, #truth-note:not(:empty)")
    shot(page, "analysed")
    page.click("#tab-tree")
    first = page.locator("#tree > ul > li").first
    name = first.locator(".name").first.text_content()  # which is there before it is painted
    first.locator(".leaf").click()
    expect(page.locator("#node")).to_have_attribute("data-text", f"4453{name}")
    child = first.locator("ul .leaf").first
    child.click()
    expect(page.locator("#node")).to_have_attribute("data-text", f"4453{name}{child.locator('.name').text_content()}")
    expect(page.locator("#node .mini .stone")).to_have_count(6)
    page.locator("#panel-tree").scroll_into_view_if_needed()
    shot(page, "tree")
    page.click("#tree-draw")
    page.wait_for_selector("#picture-dialog[open] img[src^='data:image/svg']")
    shot(page, "tree_picture")
    page.click("#picture-close")
    first.locator("ul .leaf").first.click()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#node")).to_have_attribute("data-text", f"4453{name}")
    told = first.get_attribute("aria-label")
    page.select_option("#tree-side", "1")  # the other judge's
    page.wait_for_selector(f"#tree > ul > li:first-child:not([aria-label='{told}'])")


@ON_BOTH
def test_an_expected_line_is_pointed_at_and_played_beside_the_game(page: Any) -> None:
    go(page, "/?position=4453&side=first")
    on_board(page, "4453")
    page.click("#tab-analysis")
    page.check("#analysing")
    page.wait_for_selector(".analysis[data-done='true']")
    step = page.locator(".step").nth(2)
    if page.size == "desktop":
        step.hover()
        expect(page.locator("#board .ahead")).to_have_count(3)
        page.hover("#status")
        expect(page.locator("#board .ahead")).to_have_count(0)
    names = [page.locator(".step").nth(index).inner_text() for index in range(3)]
    step.click()
    on_board(page, "4453" + "".join(names))
    expect(page.locator("#status")).to_contain_text("Variation")
    click(page, "#leave")
    on_board(page, "4453")
    expect(page.locator("#status")).to_have_text("Your move: red")
    page.click("#tab-moves")
    expect(page.locator("#variations li")).to_have_count(1)


def test_an_analysis_goes_on_until_it_is_stopped_or_its_memory_is_spent(page: Any) -> None:
    go(page, "/?position=4453&side=both")
    page.click("#tab-analysis")
    page.select_option("#visits", "all")
    page.wait_for_selector(".analysis[data-done='true'] .verdict:has-text('The tree has reached its 2 MB')")
    assert int(page.get_attribute(".analysis", "data-visits")) > 5000


def test_mistakes_are_tried_again(page: Any) -> None:
    go(page, f"/?position={MISSED}&side=first")
    on_board(page, MISSED)
    page.click("#tab-moves")
    page.click("#review")
    expect(page.locator("#review-note")).to_contain_text("something away")
    page.click("#retry-start")
    said = page.locator("#retry-text")
    expect(said).to_contain_text("Red played")  # yellow's mistakes are not this person's
    while "column 7" not in said.inner_text():  # who judges by a search may find an earlier one
        page.click("#retry-next")
    at_ply(page, 6)
    click(page, ".cell[data-action='6']")
    expect(said).to_contain_text("Try another")
    on_board(page, "121212")  # nothing was played
    click(page, ".cell[data-action='0']")
    expect(said).to_contain_text("Column 1 is right")
    expect(page.locator("#board .hint")).to_have_count(1)
    shot(page, "retry")
    page.click("#retry-end")
    expect(page.locator("#controls")).to_be_visible()
    page.keyboard.press("End")
    on_board(page, MISSED)


def test_resigning_asks_once(page: Any) -> None:
    go(page, "/?position=44&side=first")
    on_board(page, "44")
    page.click("#resign")
    page.click("#sure-no")
    expect(page.locator("#sure-dialog")).to_be_hidden()
    expect(page.locator("#status")).to_have_text("Your move: red")
    page.click("#resign")
    page.click("#sure-yes")
    expect(page.locator("#status")).to_have_text("Rollouts won by resignation")
    page.keyboard.press("ArrowLeft")
    at_ply(page, 1)
    page.reload()
    at_ply(page, 1)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_have_text("Rollouts won by resignation")
