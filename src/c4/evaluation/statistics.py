"""Figures with their uncertainty: rates, means, paired differences, the sequential test. Knows nothing of games."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959964  # two-sided 95 % of the normal distribution


@dataclasses.dataclass(frozen=True, kw_only=True)
class Figure:
    """A value with its 95 % interval and the number of cases behind it. NaN all through when there are none."""

    value: float
    low: float
    high: float
    count: int

    def as_dict(self) -> dict[str, float | int | None]:
        """Plain numbers, None in place of NaN, which JSON does not know."""
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        return {name: number if math.isfinite(number) else None for name, number in numbers.items()} | {
            "count": self.count
        }


NO_CASES = Figure(value=math.nan, low=math.nan, high=math.nan, count=0)


def wilson(successes: int, count: int, *, z: float = Z95) -> Figure:
    """A rate with Wilson's score interval, which stays inside of [0, 1] and honest at 0 % and 100 %."""
    if count == 0:
        return NO_CASES
    rate, spread = successes / count, z * z / count
    centre = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(rate * (1 - rate) / count + spread / (4 * count))
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == count else centre + half
    return Figure(value=rate, low=low, high=high, count=count)


def rate(hits: NDArray[np.bool_]) -> Figure:
    return wilson(int(hits.sum()), len(hits))


def mean(values: NDArray[np.floating] | NDArray[np.integer], *, z: float = Z95) -> Figure:
    """A mean with the normal interval of its standard error."""
    count = len(values)
    if count == 0:
        return NO_CASES
    middle = float(values.mean())
    half = z * float(values.std(ddof=1)) / math.sqrt(count) if count > 1 else math.inf
    return Figure(value=middle, low=middle - half, high=middle + half, count=count)


def paired_difference(first: NDArray[np.bool_], second: NDArray[np.bool_], *, z: float = Z95) -> Figure:
    """second's rate minus first's on the same cases: only the cases on which they differ carry the uncertainty."""
    return mean(second.astype(np.float64) - first.astype(np.float64), z=z)


class Verdict(Enum):
    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"
    OPEN = "open"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SequentialTest:
    """Is A stronger than B? elo_low (H0) against elo_high (H1), decided as soon as the pairs of games allow it.

    The generalised likelihood ratio of Van den Bergh for pairs of games with colours swapped: pairs are the unit, so
    that what an opening gives to one colour cancels instead of adding variance.
    """

    elo_low: float
    elo_high: float
    error: float  # chance of a wrong verdict, either way

    def ratio(self, pair_scores: Sequence[float]) -> float:
        """log likelihood ratio of H1 against H0. A pair's score is from 0 to 1 (two wins)."""
        count = len(pair_scores)
        if count < 2:
            return 0.0
        # One imaginary pair spread over all outcomes keeps the variance above zero when all pairs ended alike.
        seen = np.concatenate([np.asarray(pair_scores, dtype=np.float64), [0.0, 0.25, 0.5, 0.75, 1.0]])
        weight = np.concatenate([np.ones(count), np.full(5, 0.2)])
        middle = float((seen * weight).sum() / weight.sum())
        variance = float((weight * (seen - middle) ** 2).sum() / weight.sum())
        low, high = expected_score(self.elo_low), expected_score(self.elo_high)
        return count * (high - low) * (2 * middle - low - high) / (2 * variance)

    @property
    def bound(self) -> float:
        return math.log((1 - self.error) / self.error)

    def verdict(self, pair_scores: Sequence[float]) -> Verdict:
        ratio = self.ratio(pair_scores)
        if ratio >= self.bound:
            return Verdict.STRONGER
        return Verdict.NOT_STRONGER if ratio <= -self.bound else Verdict.OPEN


def expected_score(elo: float) -> float:
    """Score from 0 to 1 against an opponent that is `elo` points weaker."""
    return 1.0 / (1.0 + math.exp(-elo * math.log(10.0) / 400.0))
