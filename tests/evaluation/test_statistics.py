"""Intervals against published values, ratings against the formula, and the sequential test's errors by trial."""

from __future__ import annotations

import math

import numpy as np
import pytest

from c4.evaluation.elo import ELO_PER_NAT, difference, ratings
from c4.evaluation.statistics import (
    Z95,
    SequentialTest,
    Verdict,
    expected_score,
    mean,
    paired_difference,
    rate,
    wilson,
)


def test_wilson() -> None:
    figure = wilson(8, 10)  # (p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n) with z = 1.96
    assert (figure.value, figure.count) == (0.8, 10)
    assert (figure.low, figure.high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))


def test_wilson_is_honest_at_the_ends() -> None:
    assert wilson(0, 20).low == 0.0
    assert wilson(0, 20).high == pytest.approx(Z95**2 / (20 + Z95**2))
    assert wilson(20, 20).high == 1.0
    assert wilson(20, 20).low == pytest.approx(20 / (20 + Z95**2))
    assert math.isnan(wilson(0, 0).value)
    assert wilson(0, 0).as_dict() == {"value": None, "low": None, "high": None, "count": 0}


def test_rate_and_mean() -> None:
    assert rate(np.array([True, False, True, True])).value == 0.75
    figure = mean(np.array([1.0, 2.0, 3.0, 4.0]))  # deviation sqrt(5/3), standard error sqrt(5/12)
    assert figure.value == 2.5
    assert figure.high - 2.5 == pytest.approx(Z95 * math.sqrt(5 / 12))
    assert mean(np.array([7.0])).as_dict()["high"] is None


def test_a_paired_difference_counts_only_what_differs() -> None:
    first = np.array([True] * 98 + [False, False])
    second = np.array([True] * 98 + [True, True])
    figure = paired_difference(first, second)
    assert figure.value == pytest.approx(0.02)
    assert figure.high - figure.value < 0.03  # two unpaired rates of 100 cases would give about 0.04
    assert paired_difference(first, first).value == 0.0


def test_elo_of_two_players_is_the_textbook_formula() -> None:
    points = np.array([[0.0, 75.0], [25.0, 0.0]])
    one, other = ratings(points, prior_draws=0.0)
    assert one.elo - other.elo == pytest.approx(400 * math.log10(3))
    # Each player's strength against the mean of the two is half of their difference, and so is its error.
    assert one.margin == pytest.approx(Z95 * ELO_PER_NAT / math.sqrt(100 * 0.75 * 0.25) / 2)
    assert (one.games, one.score) == (100, 0.75)


def test_elo_adds_up_over_players_who_never_met() -> None:
    strength = np.array([0.0, 100.0, 300.0])
    points = np.zeros((3, 3))
    for i, j in ((0, 1), (1, 2)):
        points[i, j] = 1000 * expected_score(strength[i] - strength[j])
        points[j, i] = 1000 - points[i, j]
    found = ratings(points, prior_draws=0.0)
    assert found[2].elo - found[0].elo == pytest.approx(300, abs=1e-6)
    assert sum(one.elo for one in found) == pytest.approx(0, abs=1e-6)


def test_a_clean_sweep_has_a_finite_rating() -> None:
    one, other = ratings(np.array([[0.0, 20.0], [0.0, 0.0]]), prior_draws=1.0)
    assert one.elo - other.elo == pytest.approx(400 * math.log10(20.5 / 0.5))
    assert one.score == 1.0


def test_the_difference_of_two_is_between_their_ratings() -> None:
    one, other = ratings(np.array([[0.0, 15.0], [5.0, 0.0]]), prior_draws=0.0)
    between = difference(15.0, games=20, prior_draws=0.0)
    assert between.elo == pytest.approx(one.elo - other.elo) == pytest.approx(400 * math.log10(3))
    # One parameter, 20 games of variance 3/4 * 1/4: 1 / sqrt(3.75) nats.
    assert between.margin == pytest.approx(1.96 / math.sqrt(3.75) * 400 / math.log(10), rel=1e-4)
    assert (between.games, between.score) == (20, 0.75)


def test_more_games_make_a_narrower_interval() -> None:
    few = ratings(np.array([[0.0, 6.0], [4.0, 0.0]]), prior_draws=0.0)[0]
    many = ratings(np.array([[0.0, 600.0], [400.0, 0.0]]), prior_draws=0.0)[0]
    assert many.margin == pytest.approx(few.margin / 10)


TEST = SequentialTest(elo_low=0.0, elo_high=60.0, error=0.05)


def _verdict(elo: float, *, seed: int) -> tuple[Verdict, int]:
    rng = np.random.default_rng(seed)
    scores: list[float] = []
    for _ in range(200):
        scores += list(rng.binomial(2, expected_score(elo), size=10) / 2)
        if (verdict := TEST.verdict(scores)) is not Verdict.OPEN:
            return verdict, len(scores)
    return Verdict.OPEN, len(scores)


@pytest.mark.parametrize(("elo", "right"), [(60.0, Verdict.STRONGER), (0.0, Verdict.NOT_STRONGER)])
def test_the_sequential_test_errs_as_rarely_as_it_says(elo: float, right: Verdict) -> None:
    verdicts = [_verdict(elo, seed=seed) for seed in range(200)]
    wrong = sum(verdict is not right for verdict, _ in verdicts)
    assert wilson(wrong, 200).low < TEST.error


def test_the_sequential_test_stops_early_when_it_is_clear() -> None:
    verdict, pairs = _verdict(400.0, seed=1)
    assert verdict is Verdict.STRONGER
    assert pairs <= 40
    assert TEST.verdict([1.0]) is Verdict.OPEN
    assert TEST.verdict([0.0] * 30) is Verdict.NOT_STRONGER
