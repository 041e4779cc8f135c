"""Elo by maximum likelihood over all pairs of players at once (Bradley-Terry), with confidence intervals.

A draw is half a win for each. Knows neither players nor games: a table of points in, ratings out.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from c4.evaluation.statistics import Z95

ELO_PER_NAT = 400.0 / math.log(10.0)
STEPS, CLOSE_ENOUGH = 100, 1e-9


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rating:
    elo: float  # the field's mean is 0
    margin: float  # half of the 95 % interval
    games: int
    score: float  # share of the points


def ratings(points: NDArray[np.float64], *, prior_draws: float) -> list[Rating]:
    """points[i, j]: what i scored against j (a win 1, a draw 1/2); so games(i, j) = points[i, j] + points[j, i].

    `prior_draws` imaginary drawn games between each two that met keep the rating of a clean sweep finite.
    """
    games = points + points.T
    met = games > 0
    played, score = games + prior_draws * met, points + prior_draws / 2 * met
    size = len(points)
    strength = np.zeros(size)  # in nats; Newton's method on a concave function, the mean held at 0
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (score - played * chance).sum(axis=1)
        information = _information(played, chance)
        step = np.linalg.pinv(information) @ gradient
        strength += step * min(1.0, 3.0 / max(float(np.abs(step).max()), 1e-12))
        strength -= strength.mean()
        if np.abs(step).max() < CLOSE_ENOUGH:
            break
    chance = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
    covariance = np.linalg.pinv(_information(played, chance))
    return [
        Rating(
            elo=float(strength[i] * ELO_PER_NAT),
            margin=float(Z95 * math.sqrt(max(covariance[i, i], 0.0)) * ELO_PER_NAT),
            games=round(float(games[i].sum())),
            score=float(points[i].sum() / games[i].sum()) if games[i].sum() else math.nan,
        )
        for i in range(size)
    ]


def difference(score: float, *, games: int, prior_draws: float) -> Rating:
    """Of two players who met: how much Elo the one who scored so many points is above the other."""
    own, _ = ratings(np.array([[0.0, score], [games - score, 0.0]]), prior_draws=prior_draws)
    return dataclasses.replace(own, elo=2 * own.elo, margin=2 * own.margin)  # both are held around a mean of 0


def _information(played: NDArray[np.float64], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fisher information of the strengths: singular along the common shift, which the mean fixes."""
    weight = played * chance * (1.0 - chance)
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)
