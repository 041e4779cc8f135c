"""Figures of what actors bring: each is of the time since the generation before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from c4.distributed import traffic


def test_figures_are_of_one_generation(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(traffic, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    seen = traffic.Traffic()
    seen.published(7)
    seen.arrived(60, samples=2)
    seen.arrived(30, samples=1)
    for chunks in (3, 4, 1):
        seen.given_out(chunks)
    with seen.waiting():
        clock[0] += 3.0
    clock[0] += 9.0
    figures = seen.figures(alive=2, lost=1)
    assert figures == {
        "actors/alive": 2, "actors/lost": 1, "actors/bytes_per_sample": 30, "actors/weight_bytes": 7,
        "actors/chunks_out": 4, "actors/idle_share": 0.25,
    }  # fmt: skip
    clock[0] += 5.0
    with seen.waiting():
        clock[0] += 5.0
    again = seen.figures(alive=2, lost=1)
    assert (again["actors/idle_share"], again["actors/bytes_per_sample"]) == (0.5, 0.0)
    assert again["actors/chunks_out"] == 0
