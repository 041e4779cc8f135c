"""Makes the pictures of README and docs from the program itself: the page, the board in a terminal, the curve.

python scripts/pictures.py              all of them, into docs/pictures
python scripts/pictures.py terminal     one: page, terminal, curve or knobs

Position, seed and number of simulations are fixed, so a picture changes when the screen does.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from c4.files import write_beside

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/pictures"
GAME = "444441"  # two moves win, three draw, two lose
PLAY = ("seed=1", "inference=torch", "game=connect4")
SIZE = {"width": 1280, "height": 860}
SHOWN = {"x": 0, "y": 0, "width": 1280, "height": 652}  # of it: the board and what stands beside it
TERMINAL = (100, 30)
MOST_BYTES = 150_000
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage")
PATIENCE = 180_000  # milliseconds


@contextlib.contextmanager
def page_address() -> Iterator[str]:
    """The page of `python play.py ui=web`, for as long as it is looked at."""
    command = [sys.executable, str(ROOT / "play.py"), "ui=web", "web.port=0", "web.runs=null", *PLAY]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield next(found[0] for line in process.stdout if (found := re.search(r"http://[\w.]+:\d+", line)))
        finally:
            process.terminate()


def draw_page() -> None:
    """The exact scores over the board and the search beside it, in light and in dark."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with page_address() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport=SIZE, color_scheme=scheme, reduced_motion="reduce", base_url=address)
            page.set_default_timeout(PATIENCE)
            page.goto(f"/?position={GAME}&side=both")
            page.wait_for_selector(f"#board[data-text='{GAME}']")
            page.click("#tab-analysis")
            page.check("#teacher")
            page.check("#analysing")
            page.wait_for_selector(".analysis[data-done='true']")
            page.wait_for_selector(".chip")
            page.mouse.move(0, 0)
            _keep(FOLDER / f"page_{scheme}.png", page.screenshot(clip=SHOWN))
            page.close()
        browser.close()


def draw_terminal() -> None:
    """The same position on a terminal."""
    from c4.configuration import composed
    from c4.params.play import PlayConfig
    from c4.ui.play import open_table
    from c4.ui.terminal.app import PlayApp
    from c4.ui.terminal.picture import picture_of

    words = [*PLAY, f"position={GAME}", "ui=terminal", "me=second", "terminal.theme=dark", "terminal.animation=false"]
    config = composed("play", schema=PlayConfig, words=words)
    with open_table(config) as table:
        svg = picture_of(PlayApp(table, params=config.terminal), size=TERMINAL, keys=["e"])
    _keep(FOLDER / "terminal.svg", svg.encode())


def draw_curve() -> None:
    """And the ladder's: from the figures that were kept when they were measured."""
    for name in ("zero_to_strong_report", "ladder_report"):
        subprocess.run([sys.executable, str(ROOT / f"benchmarks/{name}.py"), str(ROOT / "docs")], check=True)


def draw_knobs() -> None:
    """From the jobs of the sweep that were kept."""
    from c4.sweeps.kept import read_sweep
    from c4.sweeps.knob_charts import search_plot

    _keep(ROOT / "docs/play_knobs.svg", search_plot(read_sweep(ROOT / "docs/play_knobs.json")).file().encode())


def _keep(path: Path, data: bytes) -> None:
    if path.suffix == ".png":
        from PIL import Image

        # An octree keeps a colour that few pixels have: a score's green.
        few = Image.open(io.BytesIO(data)).convert("RGB").quantize(colors=256, method=Image.Quantize.FASTOCTREE)
        few.save(packed := io.BytesIO(), format="PNG", optimize=True)
        data = packed.getvalue()
    if len(data) > MOST_BYTES:
        raise SystemExit(f"{path.name} has {len(data):,} bytes: more than {MOST_BYTES:,} make README slow to open")
    path.parent.mkdir(exist_ok=True)
    write_beside(path, data)
    print(f"{path.relative_to(ROOT)}: {len(data):,} bytes")


PICTURES: dict[str, Callable[[], None]] = {
    "page": draw_page,
    "terminal": draw_terminal,
    "curve": draw_curve,
    "knobs": draw_knobs,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
