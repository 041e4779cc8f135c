"""The comparison of players by pairs of answers: what it calls known, and what not."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def _beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


def compare() -> ModuleType:
    return importlib.import_module("compare")


def answers(*, both: int, only_a: int, only_b: int) -> tuple[np.ndarray, np.ndarray]:
    """Spread evenly, so that the order decides nothing."""
    kinds = np.array([0] * both + [1] * only_a + [2] * only_b)
    kinds = np.random.default_rng(1).permutation(kinds)
    return kinds != 2, kinds != 1


def test_the_ratio_is_that_of_the_sequential_test() -> None:
    assert compare().log_ratio(won=30, lost=10) == pytest.approx(30 * math.log(1.2) + 10 * math.log(0.8))
    assert pytest.approx(2.944, abs=1e-3) == compare().BOUND


def test_a_clear_difference_is_known_whichever_side_it_is_on() -> None:
    a, b = answers(both=900, only_a=80, only_b=20)
    verdict = compare().Verdict
    assert compare().meet(a, b).verdict is verdict.A
    assert compare().meet(b, a).verdict is verdict.B
    assert compare().meet(a, b).count < len(a)  # it stops where it knows


def test_few_differences_say_nothing() -> None:
    a, b = answers(both=990, only_a=6, only_b=4)
    assert compare().meet(a, b).verdict is compare().Verdict.OPEN


def test_as_many_wins_as_losses_are_even() -> None:
    a = np.arange(1000) % 2 == 0
    b = ~a
    assert compare().meet(a, b).verdict is compare().Verdict.EVEN


def test_the_spread_over_seeds_decides_for_recipes() -> None:
    known = compare().over_seeds([2.0, 2.1, 1.9], [3.0, 3.1, 2.9])
    assert known.is_known
    assert known.low == pytest.approx(1.0 - 2.776 * math.sqrt(0.02 / 3), abs=1e-3)  # Welch, 4 degrees of freedom
    assert not compare().over_seeds([2.0, 3.0, 1.0], [3.0, 2.0, 2.5]).is_known
    assert not compare().over_seeds([2.0], [3.0]).is_known


def test_one_seed_says_nothing_of_a_recipe() -> None:
    a, b = answers(both=900, only_a=80, only_b=20)
    assert compare().compared([[a], [b]])[-1].endswith("of recipes nothing is known: that takes 3 seeds a side")
    assert "A is the better recipe" in compare().compared([[a, a, a], [b, b, b]])[-1]
