"""What runs of several seeds say of two recipes."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from scipy import stats


@dataclasses.dataclass(frozen=True, kw_only=True)
class Difference:
    """B's errors minus A's over seeds, in points of per cent, with its 95 % interval (Welch)."""

    value: float
    low: float
    high: float

    @property
    def is_known(self) -> bool:
        return self.low > 0 or self.high < 0


def over_seeds(a: Sequence[float], b: Sequence[float]) -> Difference:
    """From the errors of each seed in per cent; an endless interval where a side has one seed only."""
    middle = float(np.mean(b) - np.mean(a))
    if min(len(a), len(b)) < 2:
        return Difference(value=middle, low=-math.inf, high=math.inf)
    parts = [float(np.var(side, ddof=1)) / len(side) for side in (a, b)]
    error = math.sqrt(sum(parts))
    if error == 0.0:
        return Difference(value=middle, low=middle, high=middle)
    freedom = sum(parts) ** 2 / sum(part**2 / (len(side) - 1) for part, side in zip(parts, (a, b), strict=True))
    half = float(stats.t.ppf(0.975, freedom)) * error
    return Difference(value=middle, low=middle - half, high=middle + half)
