"""The page of a run in a real browser: curves that grow, games that are replayed, failures with what was played.

Screenshots are left in build/screenshots/ for whoever wants to see it.
"""

from __future__ import annotations

import csv
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.ui.web.kit import serving
from tests.ui.web.test_watch import make_run

from c4.evaluation.labels import NOT_LEGAL
from c4.evaluation.sets import labelled_set
from c4.native._core import OPENING_PLY, SAMPLED_MOVE, Position
from c4.run.folder import RunFolder
from c4.run.kept import keep_games, keep_mistakes

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install '.[browser]'")

CHROMIUM = next((path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), None)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt install chromium"),
]
SCREENSHOTS = Path(__file__).parents[3] / "build/screenshots"
QUIET = "no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update"
SIZES = {"desktop": (1360, 900), "phone": (390, 844)}
HEAD = (
    "generation,budget/minutes,budget/progress,loss/policy,loss/value,loss/moves_left,policy/target_entropy,total/games,"
    "total/samples,selfplay/first_win_share,selfplay/draw_share,selfplay/game_length,selfplay/simulations_per_second,"
    "truth/value_preserving,truth/value_preserving_32"
)


def row(step: int) -> str:
    falls = math.exp(-step / 9)
    graded = (f"{0.94 - 0.2 * falls:.4f}", f"{0.975 - 0.15 * falls:.4f}") if step % 2 else ("", "")
    numbers = (step, 0.7 * step, step / 60, 0.9 + falls, 0.55 + falls / 2, 1.6 + 2 * falls, 0.7 + falls, 1500 * step,
               11000 * step, 0.5 - step / 200, step / 100, 36 - 18 * falls, 90000 + 500 * step)  # fmt: skip
    return ",".join([*(f"{number:.6g}" for number in numbers), *graded])


def random_games(game: str, *, count: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(4)
    for number in range(count):
        position = Position(game)
        while not position.is_terminal:
            position = position.play(rng.choice(position.legal))
        actions = position.actions
        best = [-1, *actions[1:4], (actions[4] + 1) % 7, *actions[5:]]
        flags = [OPENING_PLY, 0, 0, 0, SAMPLED_MOVE, *([0] * (len(actions) - 5))]
        result = position.value if position.ply % 2 == 0 else -position.value
        yield {"game_id": number, "actions": actions, "best": best, "flags": flags, "result": result}


def mistakes(*, count: int) -> list[dict[str, Any]]:
    labels = labelled_set("dev", game="connect4")
    decisive = [
        index for index, scores in enumerate(labels.scores) if scores.max() > 0 > scores[scores != NOT_LEGAL].min()
    ]
    kept = []
    for index in decisive[:: len(decisive) // count][:count]:
        scores = labels.scores[index]
        legal = [None if score == NOT_LEGAL else int(score) for score in scores]
        played = int(np.argmin(np.where(scores == NOT_LEGAL, 99, scores)))
        about = {"moves": labels.text(index), "simulations": 32, "policy": [], "board": []}
        kept.append(about | {"played": played, "truth": 1, "scores": legal, "value": 0.4})
    return kept


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    other = make_run(root / "gomoku6/yesterday", config="game:\n  name: gomoku6\n")
    keep_games(RunFolder(path=other), random_games("gomoku6", count=3), generation=3, most=9)
    folder = make_run(root / "connect4/today")
    (folder / "metrics.csv").write_text("\n".join([HEAD, *map(row, range(1, 41))]) + "\n")
    keep_games(RunFolder(path=folder), random_games("connect4", count=8), generation=40, most=9)
    keep_mistakes(RunFolder(path=folder), mistakes(count=8), generation=39)
    before = make_run(root / "connect4/before")
    (before / "metrics.csv").write_text("\n".join([HEAD, *map(row, range(1, 21))]) + "\n")
    broken = make_run(root / "connect4/broken")
    (broken / "metrics.csv").unlink()
    (broken / "metrics.csv").symlink_to("/dev/zero")
    return root


@pytest.fixture(scope="module")
def address(runs: Path) -> Iterator[str]:
    with serving(f"web.runs={runs}") as (_, port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=[f"--{word}" for word in QUIET.split()])
        yield started
        started.close()


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Any]:
    """Nothing may go wrong in its console: no exception, no breach of the policy, no file that is missing."""
    wide, high = SIZES[request.param]
    context = browser.new_context(viewport={"width": wide, "height": high}, reduced_motion="reduce", base_url=address)
    opened, wrong = context.new_page(), list[str]()
    opened.on("console", lambda message: message.type in {"error", "warning"} and wrong.append(message.text))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.screenshot_name = f"watch-{request.param}"
    yield opened
    context.close()
    assert wrong == []


def test_a_run_is_seen_as_a_whole(page: Any) -> None:
    page.goto("/watch?run=connect4/today")
    page.wait_for_selector(".failure")
    sync_api.expect(page.locator(".failure")).to_have_count(8)
    sync_api.expect(page.locator("#games button")).to_have_count(8)
    tiles = page.locator("#tiles").inner_text()
    for text in ("6.3 %", "60k", "440k", "67 %"):
        assert text in tiles
    reading = page.locator(".curve").first
    sync_api.expect(reading.locator(".readings")).to_contain_text("generation 40")
    reading.locator(".stage").press("ArrowLeft")
    sync_api.expect(reading.locator(".readings")).to_contain_text("generation 39")
    assert "bare network 6.26 %" in reading.locator(".stage").get_attribute("aria-label")
    page.click("#last")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{page.screenshot_name}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_is_replayed(page: Any) -> None:
    page.goto("/watch?run=connect4/today")
    page.locator("#games button").nth(2).click()
    stones = page.locator("#board .stone")
    sync_api.expect(stones).to_have_count(0)
    for ply in range(1, 6):
        page.click("#on")
        sync_api.expect(stones).to_have_count(ply)
    sync_api.expect(page.locator("#ply-text")).to_contain_text("sampled, the search preferred column")
    page.click("#back")
    sync_api.expect(stones).to_have_count(4)
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    sync_api.expect(stones).to_have_count(5)
    page.click("#last")
    sync_api.expect(page.locator("#board .win").first).to_be_visible()
    sync_api.expect(page.locator("#ply-text")).to_contain_text("player won")


def test_a_failure_tells_what_was_played_and_leads_to_its_position(page: Any) -> None:
    page.goto("/watch?run=connect4/today")
    failure = page.locator(".failure").nth(3)
    sync_api.expect(failure.locator(".hint")).to_have_count(1)
    assert "turns a win into a loss" in failure.inner_text()
    assert failure.locator(".chip").count() >= 2
    moves = failure.locator("code").inner_text()
    assert failure.locator("a").get_attribute("href") == f"/?game=connect4&position={moves}"


def test_new_generations_appear_by_themselves(page: Any, runs: Path) -> None:
    page.goto("/watch?run=connect4/today")
    page.wait_for_selector(".failure")
    table = runs / "connect4/today/metrics.csv"
    before = table.read_text()
    beside = table.with_name(".metrics.csv")
    beside.write_text(before + row(41) + "\n")
    beside.replace(table)
    sync_api.expect(page.locator("#tiles")).to_contain_text("41")
    sync_api.expect(page.locator(".curve").first.locator(".readings")).to_contain_text("generation 41")
    beside.write_text(before)
    beside.replace(table)


def drawn(page: Any) -> str:
    """Of the first curve: all its lines."""
    return str(
        page.locator(".curve")
        .first.locator(".stage path.curve-line:not(.raw)")
        .evaluate_all("all => all.map(one => one.getAttribute('d')).join()")
    )


def test_runs_are_laid_over_each_other_as_they_are_wanted(page: Any, runs: Path) -> None:
    page.goto("/watch?run=connect4/today")
    readings = page.locator(".curve").first.locator(".readings")
    sync_api.expect(readings.locator("b")).to_have_count(2)
    page.locator("#compare summary").click()
    page.locator("#others label", has_text="connect4/before").click()
    page.locator("#others label", has_text="connect4/broken").click()  # it hides no other
    sync_api.expect(readings.locator("b")).to_have_count(4)
    sync_api.expect(readings).to_contain_text("connect4/before · 32 simulations")
    kinds = (
        page.locator(".curve").first.locator("circle.curve-dot").evaluate_all("all => all.map(one => one.classList[1])")
    )
    assert kinds == ["k-blue", "k-blue", "k-orange", "k-orange"]  # a colour a run
    page.select_option("#over", "minutes")
    assert "minutes" in page.locator(".curve").first.locator(".stage").inner_html()
    seen = {drawn(page)}
    for change in (
        lambda: page.locator("#log-x").check(force=True),
        lambda: page.locator("#log-y").check(force=True),
        lambda: page.locator("#smooth").fill("0.5"),
    ):
        change()
        assert drawn(page) not in seen
        seen.add(drawn(page))
    inside = "all => all.every(one => { const box = one.getBBox(), of = one.ownerSVGElement.viewBox.baseVal;"
    inside += " return box.x >= 0 && box.y >= 0 && box.x + box.width <= of.width && box.y + box.height <= of.height; })"
    assert page.locator(".curve .stage path").evaluate_all(inside)
    page.screenshot(path=SCREENSHOTS / f"{page.screenshot_name}-compared.png", full_page=True)
    for part in ("with=connect4%2Fbefore", "over=minutes", "log=xy", "smooth=0.5"):
        assert part in page.url
    table = runs / "connect4/before/metrics.csv"
    text = table.read_text()
    table.write_text(text + row(21) + "\n")
    last = page.locator(".curve").first.locator("circle.curve-dot").nth(2)
    before = last.get_attribute("cx")
    sync_api.expect(last).not_to_have_attribute("cx", before)  # it goes on, without a reload
    table.write_text(text)


def test_a_curve_is_taken_away_as_picture_and_numbers(page: Any, tmp_path: Path) -> None:
    page.goto("/watch?run=connect4/today")
    curve = page.locator(".curve").first
    sync_api.expect(curve.locator(".readings b")).to_have_count(2)
    saved = {}
    for kind in ("SVG", "PNG", "CSV"):
        with page.expect_download() as download:
            curve.get_by_role("button", name=kind).click()
        assert download.value.suggested_filename == f"errors.{kind.lower()}"
        saved[kind] = Path(download.value.path()).read_bytes()
    picture = ET.fromstring(saved["SVG"])
    assert {"Errors", "bare network: 6.26 %", "generation"} <= {one.text for one in picture.iter() if one.text}
    assert b"class=" not in saved["SVG"]  # it looks the same without a style sheet
    assert saved["PNG"].startswith(b"\x89PNG")
    head, *rows = csv.reader(saved["CSV"].decode().splitlines())
    assert head[:5] == ["run", "series", "generation", "minutes", "games"]
    assert rows[0][:3] == ["connect4/today", "bare network", "1"]
    assert float(rows[0][5]) == pytest.approx(100 * (1 - float(row(1).split(",")[-2])))
    assert len(rows) == 40  # graded at every other generation, by two budgets


def test_another_run_of_another_game_is_chosen(page: Any) -> None:
    page.goto("/watch")
    page.wait_for_selector("#run:not([disabled])")
    page.select_option("#run", "gomoku6/yesterday")
    page.wait_for_selector("#board .lies")
    sync_api.expect(page.locator("#games button")).to_have_count(3)
    sync_api.expect(page.locator("#book-about")).to_contain_text("Nothing has been graded yet")
    page.click("#last")
    page.locator(".replay").screenshot(path=SCREENSHOTS / f"{page.screenshot_name}-gomoku.png")
    assert "run=gomoku6%2Fyesterday" in page.url
