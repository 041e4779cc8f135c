"""How the page looks and weighs: every screen in both themes and three sizes, written to build/screenshots.

No text lies over another, nothing sticks out, axe finds nothing serious, nothing moves by itself, and where nothing is
left to chance the parts lie where `layout.json` says. That file is kept: the test writes a new one beside the
screenshots, and whoever has changed the layout on purpose copies it here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.browser_kit import MARKS, SHOTS, SIZES, at_ply, expect, go, on_board, opened, played, shot
from tests.ui.web.kit import serving

pytestmark = MARKS
KEPT = Path(__file__).with_name("layout.json")
NEAR = 24  # pixels that a part may lie elsewhere: fonts differ from machine to machine
PARTS = (
    ".top",
    ".status",
    "#board",
    ".tools",
    ".tabs",
    ".panel:not([hidden])",
    ".course",
    "dialog[open]",
    "h1:not(.hidden)",
)
MOST_BYTES = 300_000

# What covers what: the boxes of all words that are seen, of which no two may meet. Words within words are one.
OVERLAPS = """() => {
  const shown = ({ visibility, opacity, clipPath }) =>
    visibility === "visible" && opacity > 0 && clipPath !== "inset(50%)";
  const unseen = "option, .hidden, [aria-hidden=true] .mark, dialog:not([open]), details:not([open]) :not(summary)";
  const dialog = document.querySelector("dialog[open]");
  const boxes = [];
  const walk = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest(unseen)) continue;
    if (!shown(getComputedStyle(parent))) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const clip = parent.closest(".line, .moves, .tree, .variation, .spots")?.getBoundingClientRect();
    for (const box of range.getClientRects()) {
      const { left, right, top, bottom } = box;
      if (box.width < 2 || (clip && (right > clip.right || bottom > clip.bottom || top < clip.top))) continue;
      boxes.push({ text: node.data.trim(), left, right, top: top + 2, bottom: bottom - 2, parent });
    }
  }
  const found = [];
  boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (wide > 2 && high > 2 && one.parent !== other.parent) found.push(`'${one.text}' and '${other.text}'`);
  }));
  return found;
}"""
BOXES = """(parts) => Object.fromEntries(parts.flatMap((part) => {
  const box = document.querySelector(part)?.getBoundingClientRect();
  return box?.width ? [[part, [box.left, box.top, box.width, box.height].map(Math.round)]] : [];
}))"""
SHIFTS = """window.shifts = []; new PerformanceObserver((list) => { for (const entry of list.getEntries()) {
  const moved = entry.sources.map(({ node }) => node?.id || node?.className || node?.nodeName);
  if (!entry.hadRecentInput) window.shifts.push(`${entry.value}: ${moved}`);
} }).observe({ type: "layout-shift", buffered: true });"""
WEIGHT = """performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
  .reduce((sum, { transferSize }) => sum + transferSize, 0)"""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving("web.review_simulations=100") as (_, port):
        yield port


# ---- the screens; those that nothing random is in are compared with what is kept


def start(page: Any) -> None:
    go(page, "/?game=connect4&position=4453&side=first")
    page.click("#tab-opponent")


def gomoku(page: Any) -> None:
    go(page, "/?game=gomoku15&position=h8+i9+g7+j10&side=first")
    page.click("#tab-opponent")


def dialog_of_keys(page: Any) -> None:
    start(page)
    page.click("#help")


def editor(page: Any) -> None:
    start(page)
    page.click("#tab-moves")
    page.click("#edit")
    expect(page.locator("#editor-says")).to_have_attribute("data-ok", "true")


def nowhere(page: Any) -> None:
    page.goto("/no/such/page")
    page.complaints.clear()  # the browser tells of the 404


def analysis(page: Any) -> None:
    start(page)
    page.click("#tab-analysis")
    page.select_option("#judge-1", "rollouts")
    page.select_option("#visits", "1000")
    page.check("#analysing")
    page.check("#teacher")
    expect(page.locator(".analysis[data-done='true']")).to_have_count(2)
    page.wait_for_selector(".chip, #truth-note:not(:empty)")


def forced(page: Any) -> None:
    go(page, "/?game=gomoku15&position=d12+a1+e12+a3+f12+h8&side=both")
    page.click("#tab-analysis")
    page.select_option("#judge-1", "")
    page.select_option("#visits", "1000")
    page.check("#analysing")
    page.check("#teacher")
    expect(page.locator("#truth-note")).to_have_text("Teacher: black wins in 3 plies by fours.")
    expect(page.locator("#teaches")).to_have_text(": forced wins")
    expect(page.locator(".analysis[data-done='true']")).to_have_count(1)


def large_tree(page: Any) -> None:
    forced(page)
    page.click("#tab-tree")
    page.click("#tree > ul > li:first-child .leaf")
    page.wait_for_selector("#tree ul ul .leaf")
    names = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert page.locator("#tree .leaf .name").evaluate_all(names) == []


def tree(page: Any) -> None:
    analysis(page)
    page.click("#tab-tree")
    page.click("#tree > ul > li:first-child .leaf")
    page.wait_for_selector("#tree ul ul .leaf")


def review(page: Any) -> None:
    go(page, "/?game=connect4&position=12121272&side=first")
    on_board(page, "12121272")
    page.click("#tab-moves")
    page.click("#review")
    expect(page.locator("#review-note")).to_contain_text("something away")
    page.click("#to-back")
    at_ply(page, 7)
    played(page, 4)
    expect(page.locator("#variations li")).to_have_count(1)


def over(page: Any) -> None:
    go(page, "/?game=connect4&position=1212121&side=first")
    expect(page.locator("#status")).to_have_text("You won!")
    page.click("#tab-opponent")


def text(page: Any) -> None:
    over(page)
    page.click("#tab-moves")
    page.click("#share")
    page.fill("#text", "moves: 9")
    page.click("#text-load")
    expect(page.locator("#text-wrong")).to_be_visible()


SAME: list[Callable[[Any], None]] = [start, gomoku, dialog_of_keys, editor, nowhere, over]
OTHERS: list[Callable[[Any], None]] = [analysis, tree, forced, large_tree, review, text]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_screen_is_sound(browser: Any, port: int, size: str, theme: str) -> None:
    wrong: list[str] = []
    boxes: dict[str, Any] = {}
    with opened(browser, port, size=size, theme=theme) as page:
        for screen in [*SAME, *OTHERS]:
            screen(page)
            shot(page, screen.__name__)
            wrong += [f"{screen.__name__}: {pair} meet" for pair in page.evaluate(OVERLAPS)]
            wide = page.evaluate("document.documentElement.scrollWidth")
            wrong += [f"{screen.__name__} is {wide} pixels wide"] if wide > SIZES[size]["width"] else []
            wrong += [f"{screen.__name__}: {found}" for found in found_by_axe(page)] if size != "wide" else []
            if screen in SAME:
                boxes[screen.__name__] = page.evaluate(BOXES, list(PARTS))
    assert not wrong, "\n".join(wrong)
    kept_as(size, boxes)


def found_by_axe(page: Any) -> list[str]:
    """What hinders people seriously."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe: pip install -e '.[browser]'")
    violations = axe.Axe().run(page).response["violations"]
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in violations
        if found["impact"] in {"serious", "critical"}
        for node in found["nodes"]
    ]


def kept_as(size: str, boxes: dict[str, Any]) -> None:
    """Each part within NEAR of where it is kept to lie."""
    found = SHOTS / "layout.json"
    said = json.loads(found.read_text()) if found.exists() else {}
    found.write_text(written(said | {size: boxes}))
    kept = json.loads(KEPT.read_text())[size]
    moved = [
        f"{screen} {part}: {kept[screen].get(part)} became {box}"
        for screen, parts in boxes.items()
        for part, box in parts.items()
        if part not in kept[screen] or max(abs(a - b) for a, b in zip(kept[screen][part], box, strict=True)) > NEAR
    ]
    gone = [f"{screen} {part} is gone" for screen, parts in kept.items() for part in parts if part not in boxes[screen]]
    assert moved + gone == [], f"if this is meant, copy {found} to {KEPT}"


def written(layout: dict[str, dict[str, Any]]) -> str:
    """As JSON, a line for each screen."""
    sizes = [
        f"{json.dumps(size)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(parts)}" for name, parts in screens.items())
        for size, screens in layout.items()
    ]
    return "{\n" + "\n},\n".join(sizes) + "\n}\n}\n"


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_nothing_moves_by_itself_and_the_page_is_light(browser: Any, port: int, size: str) -> None:
    with opened(browser, port, size=size) as page:
        page.add_init_script(SHIFTS)
        go(page, "/?game=connect4&position=&side=first")
        assert page.evaluate(WEIGHT) < MOST_BYTES
        page.click("#tab-analysis")
        page.check("#analysing")
        page.wait_for_selector(".analysis[data-done='true']")
        for action in (3, 3, 3):
            played(page, action)
            page.wait_for_selector("#board[data-yours='true'], body[data-over='true']")
            page.wait_for_selector(".analysis[data-done='true'], body[data-over='true']")
        go(page, "/?game=gomoku15&position=h8+i9+g7&side=first")  # by an address, another board
        page.wait_for_selector("#board[data-yours='true']")
        assert page.evaluate("window.shifts") == []
