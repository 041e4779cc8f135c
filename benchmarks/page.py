"""What the page asks of a browser: its first paint, when the board can be played on, its weight, what moves by itself,
and how many frames a second are drawn while a search of 5,000 visits grows beside the board; besides, how many this
machine draws of an empty page and of ours when nothing happens, and what each thought of the search costs the page:
layouts and processor time of its main thread, which say the same on a busy machine.

A server in a process of its own and a Chromium without a graphics card; every load has a profile of its own.
    python benchmarks/page.py [checkpoint=PATH] [inference=openvino]
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import results
from playwright.sync_api import sync_playwright
from served import served

LOADS, SEARCHES, REST = 20, 5, 1500  # milliseconds of rest
FLAGS = "--no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking"
BARS = {"first paint ms": 500.0, "weight kB": 300.0, "layout shift": 0.0, "frames a second": 60.0}
COSTS = {"TaskDuration": ("processor ms", 1000.0), "LayoutCount": ("layouts", 1.0)}
WATCH = """window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())
  if (!entry.hadRecentInput) window.shift += entry.value; }).observe({ type: "layout-shift", buffered: true });"""
LOADED = """() => ({
  "first paint ms": performance.getEntriesByName("first-contentful-paint")[0].startTime,
  "board ms": performance.now(),
  "weight kB": performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
  "layout shift": window.shift,
})"""
RESTS = """(milliseconds) => new Promise((done) => {
  const times = [];
  const frame = (now) => {
    times.push(now);
    if (now - times[0] > milliseconds) done(times);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""
FRAMES = """() => new Promise((done) => {
  const times = [];
  let thoughts = 0;
  new MutationObserver(() => { thoughts += 1; })
    .observe(document.getElementById("analyses"), { subtree: true, attributeFilter: ["data-visits"] });
  const frame = (now) => {
    times.push(now);
    if (document.querySelector(".analysis[data-done='true']")) done({ times, thoughts });
    else requestAnimationFrame(frame);
  };
  document.getElementById("analysing").click();
  requestAnimationFrame(frame);
})"""


def loads(open_page: Callable[[], Any]) -> list[dict[str, float]]:
    found = []
    for _ in range(LOADS):
        page = open_page()
        page.goto("/")
        page.wait_for_selector("#board[data-yours='true']")
        found.append(page.evaluate(LOADED))
        page.context.close()
    return found


def rate(times: list[float]) -> float:
    """Frames a second."""
    return 1000 * (len(times) - 1) / (times[-1] - times[0])


def counted(session: Any) -> dict[str, float]:
    return {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}


def rests(open_page: Callable[[], Any]) -> list[dict[str, float]]:
    """What the rate of a search is to be held against."""
    found = []
    for _ in range(SEARCHES):
        page = open_page()
        page.set_content("<p>nothing</p>")
        empty = page.evaluate(RESTS, REST)
        page.goto("/")
        page.wait_for_selector("#board[data-yours='true']")
        ours = page.evaluate(RESTS, REST)
        found.append({"frames a second, empty page": rate(empty), "frames a second, at rest": rate(ours)})
        page.context.close()
    return found


def searches(open_page: Callable[[], Any]) -> list[dict[str, float]]:
    """Of early positions, which no search of this size settles; one for each, so that none finds a tree."""
    found = []
    for column in range(1, SEARCHES + 1):
        page = open_page()
        page.goto(f"/?position=4{column}&side=first")
        page.wait_for_selector("#board[data-yours='true']")
        page.click("#tab-analysis")
        page.select_option("#visits", "5000")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = counted(session)
        drawn = page.evaluate(FRAMES)
        after, times, thoughts = counted(session), drawn["times"], max(1, drawn["thoughts"])
        between = [later - earlier for earlier, later in pairwise(times)]
        told = {"slowest frame ms": max(between), "search ms": times[-1] - times[0]}
        costs = {
            f"{what}, a thought": scale * (after[name] - before[name]) / thoughts
            for name, (what, scale) in COSTS.items()
        }
        found.append({"frames a second": rate(times)} | told | costs)
        page.context.close()
    return found


def rows(measured: list[dict[str, float]]) -> list[dict[str, Any]]:
    table = []
    for what in measured[0]:
        values = sorted(each[what] for each in measured)
        told: dict[str, Any] = {
            "what": what,
            "times": len(values),
            "median": statistics.median(values),
            "least": values[0],
            "most": values[-1],
        }
        bar = BARS.get(what)
        if bar is not None:
            within = told["median"] >= bar - 1 if what == "frames a second" else told["most"] <= bar
            told |= {"bar": bar, "within": "yes" if within else "no"}
        table.append(told)
    return table


def measure(port: int) -> list[dict[str, Any]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", headless=True, args=FLAGS.split())

        def open_page() -> Any:
            page = browser.new_page(base_url=f"http://127.0.0.1:{port}", viewport={"width": 1280, "height": 800})
            page.add_init_script(WATCH)
            return page

        try:
            return rows(loads(open_page)) + rows(rests(open_page)) + rows(searches(open_page))
        finally:
            browser.close()


def main() -> None:
    with served(sys.argv[1:]) as (_, port):
        table = measure(port)
    results.publish("page", table)


if __name__ == "__main__":
    main()
