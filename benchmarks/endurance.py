"""Hours of train.py, looked at from outside once a minute: memory, open handles, threads and disk.

python benchmarks/endurance.py                     six hours of experiment=connect4, in runs/endurance
python benchmarks/endurance.py minutes=120 folder=DIR experiment=gomoku8      other words are overrides of train.py
The same line again goes on with what was stopped, by Ctrl-C or SIGTERM.

Memory must be flat over the second half of the longest stretch that one process trained: its trend, without what the
window of samples grew by, at most MOST_GROWTH of it. Handles and threads must be no more than in the first half, and
the disk no more than the run said before it began. Ends with 1 where it is not so. Linux alone.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from results import FOLDER, publish
from words import parted

from c4.native import _core
from c4.report.chart import Axis, Point, Series, lines
from c4.run.about import read_config
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics
from c4.run.outcome import has_finished

ROOT = Path(__file__).parents[1]
OWN = {"minutes": "360", "every": "60", "folder": str(ROOT / "runs" / "endurance")}  # seconds between two looks
RUN = ("experiment=connect4", "callbacks.progress.live=false")
MOST_GROWTH = 0.05  # of the memory at half time, over the half that follows
SPARE = 4  # handles and threads that come and go: files being written, a grading
BESIDE_BUDGET = 50.0  # MB: metrics, logs, and what a write holds twice
SAID = re.compile(r"disk: up to ([\d.]+) (MB|GB) .*?(?:and ([\d.]+) MB every (\d+) generations)?;")
DRAWN = {"memory": " MB", "handles": "", "threads": "", "disk": " MB"}  # with their units


@dataclasses.dataclass(frozen=True, kw_only=True)
class Look:
    """At one moment, all processes of the run together."""

    minute: float  # of training: what lies between two sessions does not count
    session: int  # one for each time that the run was gone on with
    memory: float  # MB resident, memory that is shared counted in each process
    proportional: float  # MB, shared memory counted once
    handles: int
    threads: int
    disk: float  # MB in the run's folder
    window: float  # MB of samples in the window
    generation: int


def processes(pid: int) -> Iterator[int]:
    """It and all below it."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from processes(int(child))


def memory(pid: int) -> tuple[float, float]:
    """Resident and proportional, in MB."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    resident, proportional = (re.search(rf"^{name}: +(\d+) kB", text, flags=re.MULTILINE) for name in ("Rss", "Pss"))
    if resident is None or proportional is None:
        raise OSError(f"process {pid} has just ended")
    return int(resident[1]) / 1000, int(proportional[1]) / 1000


def looked(pid: int, *, folder: RunFolder, minute: float, session: int) -> Look:
    """Raises OSError when the process has just ended."""
    found = list(processes(pid))
    resident, proportional = (sum(parts) for parts in zip(*(memory(one) for one in found), strict=True))
    rows = read_metrics(folder)
    newest = max(rows, default=0)
    record = _core.sample_dtype(str(read_config(folder)["game"]["name"])).itemsize if newest else 0
    return Look(
        minute=minute,
        session=session,
        memory=resident,
        proportional=proportional,
        handles=sum(len(list(Path(f"/proc/{one}/fd").iterdir())) for one in found),
        threads=sum(len(list(Path(f"/proc/{one}/task").iterdir())) for one in found),
        disk=sum(size_of(path) for path in folder.path.rglob("*")) / 1e6,
        window=rows[newest]["window/samples"] * record / 1e6 if newest else 0.0,
        generation=newest,
    )


def size_of(path: Path) -> int:
    """0 of what went away meanwhile."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def watched(words: Sequence[str], *, folder: RunFolder, every: float, kept: Path) -> bool:
    """Trains to the end, or until it is asked to stop, and adds a look after the other. Whether it came to its end."""
    seen = read_looks(kept)
    line = [f"resume={folder.path}"] if folder.has_begun() else [*words, f"hydra.run.dir={folder.path}"]
    before, session = (seen[-1].minute, seen[-1].session + 1) if seen else (0.0, 1)
    had = seen[-1].generation if seen else 0  # what starts up, or goes on, is not looked at before it has made another
    began = time.monotonic()
    process = subprocess.Popen([sys.executable, str(ROOT / "train.py"), *line], start_new_session=True)
    stopped = False
    try:
        while process.poll() is None:
            minute = before + (time.monotonic() - began) / 60
            with contextlib.suppress(OSError, KeyError):  # it is not there yet, or no longer
                look = looked(process.pid, folder=folder, minute=minute, session=session)
                if look.generation > had:
                    with kept.open("a") as file:
                        file.write(json.dumps(dataclasses.asdict(look)) + "\n")
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=every)
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        process.wait()
        stopped = True
    if process.returncode != 0 and not stopped:
        raise SystemExit(f"train.py ended with {process.returncode}; see {folder.log}")
    return has_finished(folder)


def read_looks(kept: Path) -> list[Look]:
    """Half a line, of a kill, is passed over."""
    seen = []
    for line in kept.read_text().splitlines() if kept.exists() else []:
        try:
            seen.append(Look(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return seen


def longest(seen: Sequence[Look]) -> list[Look]:
    """Of the sessions: a new process begins with memory of its own."""
    sessions = [list(looks) for _, looks in groupby(seen, key=lambda look: look.session)]
    return max(sessions, key=lambda looks: looks[-1].minute - looks[0].minute)


def allowed_disk(folder: RunFolder, *, generation: int) -> float:
    """MB, by the first sentence about it in the run's log."""
    said = SAID.search(folder.log.read_text(errors="replace"))
    if said is None:
        raise SystemExit(f"{folder.log} does not say how much of the disk the run may take")
    most, unit, player, every = said.groups()
    kept = float(player) * (generation // int(every)) if player else 0.0
    return float(most) * (1000 if unit == "GB" else 1) + kept + BESIDE_BUDGET


def judged(seen: Sequence[Look], *, allowed: float) -> tuple[dict[str, Any], list[str]]:
    """The figures of the longest session, and what is not as it has to be."""
    looks = longest(seen)
    middle = (looks[0].minute + looks[-1].minute) / 2
    first = [look for look in looks if look.minute <= middle]
    second = [look for look in looks if look.minute >= middle]
    minutes = np.array([look.minute for look in second])
    own = np.array([look.memory - look.window for look in second])
    trend = float(np.polyfit(minutes, own, 1)[0] * (minutes[-1] - minutes[0])) if len(second) > 1 else 0.0
    disk = max(look.disk for look in seen)
    figures: dict[str, Any] = {
        "minutes": looks[-1].minute - looks[0].minute,
        "generations": looks[-1].generation,
        "MB at half time": second[0].memory,
        "MB at the end": second[-1].memory,
        "MB at the end, shared once": second[-1].proportional,
        "window grew by MB": second[-1].window - second[0].window,
        "trend of the rest MB": trend,
        "handles, most of each half": [max(look.handles for look in half) for half in (first, second)],
        "threads, most of each half": [max(look.threads for look in half) for half in (first, second)],
        "disk MB, most": disk,
        "disk MB, said before": allowed,
    }
    wrong = []
    if trend > MOST_GROWTH * second[0].memory:
        wrong.append(f"memory grows: by {trend:.0f} MB over the second half, the window apart")
    for name in ("handles", "threads"):
        before, after = figures[f"{name}, most of each half"]
        if after > before + SPARE:
            wrong.append(f"{name} grow: {after} in the second half, {before} in the first")
    if disk > allowed:
        wrong.append(f"the disk takes {disk:.0f} MB, and {allowed:.0f} MB were said")
    return figures, wrong


def plot(seen: Sequence[Look]) -> str:
    """Each as a share of its median: they have nothing else in common."""
    middle = {name: statistics.median(getattr(look, name) for look in seen) for name in DRAWN}
    shown = [
        Series(
            label=f"{name}, {middle[name]:,.0f}{unit}",
            thing=name,
            marked=False,
            points=[Point(x=look.minute, y=100 * getattr(look, name) / middle[name]) for look in seen],
        )
        for name, unit in DRAWN.items()
    ]
    about = "Memory, open handles, threads and disk of a long run, each minute, as shares of their medians."
    y = Axis(label="% of the median", reaches=(0.0, 120.0))
    return lines(shown, x=Axis(label="minutes"), y=y, about=about).file()


def main(words: Sequence[str]) -> int:
    own, typed = parted(words, own=OWN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    place = Path(own["folder"]).resolve()
    place.mkdir(parents=True, exist_ok=True)
    folder, kept = RunFolder(path=place / "run"), place / "looks.jsonl"
    words = [*RUN, f"budget.minutes={own['minutes']}", *typed]
    if not has_finished(folder) and not watched(words, folder=folder, every=float(own["every"]), kept=kept):
        print(f"stopped; the same line goes on: python benchmarks/endurance.py folder={own['folder']}")
        return 130
    seen = read_looks(kept)
    if not seen:
        raise SystemExit(f"{kept} has no look at a finished generation: train longer, or look more often (every=)")
    figures, wrong = judged(seen, allowed=allowed_disk(folder, generation=seen[-1].generation))
    publish("endurance", [{"what": name, "measured": value} for name, value in figures.items()])
    (FOLDER / "endurance_looks.json").write_text(json.dumps([dataclasses.asdict(look) for look in seen]) + "\n")
    (FOLDER / "endurance.svg").write_text(plot(seen))
    print("\n".join(wrong) or "as it should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
