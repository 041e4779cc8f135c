"""The watch over a long run: what it sees of a process, and when that is not flat."""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from c4.run.about import write_about
from c4.run.disk import DiskNeed
from c4.run.folder import RunFolder
from c4.run.metrics import write_metrics

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
STEADY: dict[str, Any] = {
    "memory": 1000.0, "proportional": 900.0, "handles": 30, "threads": 10, "disk": 400.0, "window": 50.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def endurance() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield importlib.import_module("endurance")


def looks(endurance: Any, *, minutes: int = 60, session: int = 1, **by_minute: Any) -> list[Any]:
    """Of a steady run, with what a function of the minute says otherwise."""
    return [
        endurance.Look(
            minute=float(minute),
            session=session,
            generation=minute,
            **(STEADY | {name: said(minute) for name, said in by_minute.items()}),
        )
        for minute in range(1, minutes + 1)
    ]


def wrong(endurance: Any, seen: list[Any]) -> list[str]:
    _, sentences = endurance.judged(seen, allowed=500.0)
    return [sentence.split()[0] if sentence[:3] != "the" else "disk" for sentence in sentences]


def test_what_is_flat_is_well(endurance: Any) -> None:
    assert wrong(endurance, looks(endurance)) == []


@pytest.mark.parametrize(
    ("by_minute", "named"),
    [
        ({"memory": lambda minute: 1000.0 + 3 * minute}, ["memory"]),
        ({"memory": lambda minute: min(2000.0, 1000.0 + 40 * minute)}, []),  # it has come to an end by half time
        ({"memory": lambda minute: 1000.0 + 3 * minute, "window": lambda minute: 50.0 + 3 * minute}, []),
        ({"handles": lambda minute: minute}, ["handles"]),
        ({"threads": lambda minute: 10 + minute // 10}, []),
        ({"threads": lambda minute: 10 + minute // 4}, ["threads"]),
        ({"disk": lambda minute: 10.0 * minute}, ["disk"]),
    ],
)
def test_what_grows_is_named(endurance: Any, by_minute: dict[str, Any], named: list[str]) -> None:
    assert wrong(endurance, looks(endurance, **by_minute)) == named


def test_a_process_that_was_gone_on_with_begins_with_memory_of_its_own(endurance: Any) -> None:
    short = looks(endurance, minutes=20, session=1, memory=lambda minute: 10.0 * minute)
    long = looks(endurance, minutes=60, session=2)
    assert wrong(endurance, [*short, *long]) == []
    assert wrong(endurance, [*looks(endurance, minutes=60, session=1, memory=lambda m: 10.0 * m), *short]) == ["memory"]


def test_a_look_sees_memory_handles_threads_disk_and_the_window(endurance: Any, tmp_path: Path) -> None:
    folder = RunFolder(path=tmp_path)
    write_about(folder, config={"game": {"name": "tictactoe"}}, facts={})
    write_metrics(folder, {3: {"window/samples": 2e6}})

    def look() -> Any:
        return endurance.looked(os.getpid(), folder=folder, minute=1.0, session=1)

    before, gate = look(), threading.Event()
    thread = threading.Thread(target=gate.wait)
    thread.start()
    with (tmp_path / "large").open("wb") as file:
        file.write(bytes(2_000_000))
        file.flush()
        after = look()
    gate.set()
    thread.join()
    assert (after.handles, after.threads) == (before.handles + 1, before.threads + 1)
    assert after.disk == pytest.approx(before.disk + 2.0)
    assert 0 < after.proportional <= after.memory
    assert after.window > 2e6 * 9 * 4 / 1e6  # of the policy alone
    assert after.generation == 3


def test_the_disk_that_a_run_may_take_is_what_it_said(endurance: Any, tmp_path: Path) -> None:
    folder = RunFolder(path=tmp_path)
    need = DiskNeed(samples=1_500_000_000, states=40_000_000, players=10_000_000, player=5_000_000, every=10)
    folder.log.write_text(f"a line\n{need.sentence(free=10**10)}\nanother\n")
    assert endurance.allowed_disk(folder, generation=99) == pytest.approx(1600 + 9 * 5.0 + endurance.BESIDE_BUDGET)
    folder.log.write_text(DiskNeed(samples=1_000_000, states=0, players=0, player=1, every=0).sentence(free=1))
    assert endurance.allowed_disk(folder, generation=99) == pytest.approx(1.0 + endurance.BESIDE_BUDGET)


def test_looks_are_kept_and_half_a_line_is_passed_over(endurance: Any, tmp_path: Path) -> None:
    kept = tmp_path / "looks.jsonl"
    assert endurance.read_looks(kept) == []
    (look, *_) = looks(endurance)
    kept.write_text(f'{json.dumps(dataclasses.asdict(look))}\n{{"min')
    assert endurance.read_looks(kept) == [look]
    assert "<svg" in endurance.plot(looks(endurance))
