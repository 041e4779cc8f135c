"""What a set of choices and opinions is worth against the truth: one function a question, arrays in, figures out.

value: native/value.h. Two definitions of a right move, always named: value-preserving (keeps the sign of the best
score) and distance-optimal (has the best score).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from c4.evaluation.labels import LabelledSet
from c4.evaluation.statistics import Figure, mean, rate

# What is logged of a budget, by its name in grade().
LOGGED = (
    "value_preserving",
    "value_preserving_decisive",
    "distance_optimal",
    "plies_lost",
    "policy_mass",
    "policy_cross_entropy",
    "policy_divergence",
    "blind",
    "value_sign",
    "value_brier",
    "moves_left_mae",
)
LEAST_PROBABILITY = 1e-9  # a move ruled out entirely costs this many nats, not infinitely many
BLIND = 0.01  # probability of all right moves together below which a player does not see them


@dataclasses.dataclass(frozen=True, kw_only=True)
class Judgement:
    """What a player thinks of n positions and would play there; None for an opinion that it does not have."""

    action: NDArray[np.int64]  # [n]
    policy: NDArray[np.float64] | None = None  # [n, actions], sums to 1 over the legal ones
    value: NDArray[np.float64] | None = None  # [n]
    plies_left: NDArray[np.float64] | None = None  # [n]

    def take(self, rows: NDArray[np.intp]) -> Judgement:
        return Judgement(
            action=self.action[rows],
            policy=None if self.policy is None else self.policy[rows],
            value=None if self.value is None else self.value[rows],
            plies_left=None if self.plies_left is None else self.plies_left[rows],
        )


def at_action(table: NDArray[Any], action: NDArray[np.int64]) -> NDArray[Any]:
    """table[i, action[i]]"""
    return np.asarray(table[np.arange(len(action)), action])


def keeps_value(labels: LabelledSet, action: NDArray[np.int64]) -> NDArray[np.bool_]:
    return at_action(labels.preserving, action)


def keeps_distance(labels: LabelledSet, action: NDArray[np.int64]) -> NDArray[np.bool_]:
    return at_action(labels.fastest, action)


def plies_lost(labels: LabelledSet, action: NDArray[np.int64]) -> NDArray[np.float64]:
    """Plies by which a win comes later, or a loss sooner, than it need; 0 in draws, NaN where the value is lost."""
    later = at_action(labels.plies, action) - labels.moves_left
    lost = np.where(labels.value == 0, 0.0, later * labels.value).astype(np.float64)
    return np.where(keeps_value(labels, action), lost, np.nan)


def plies_lost_figure(labels: LabelledSet, action: NDArray[np.int64], *, value: int | None = None) -> Figure:
    """Mean over the positions that are won or lost (or only the ones of `value`) and whose value was kept."""
    counted = keeps_value(labels, action) & (labels.value != 0 if value is None else labels.value == value)
    return mean(plies_lost(labels, action)[counted])


def policy_mass(labels: LabelledSet, policy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probability on value-preserving moves: what a player that samples from its policy would score."""
    return np.asarray((policy * labels.preserving).sum(axis=1))


def policy_cross_entropy(labels: LabelledSet, policy: NDArray[np.float64]) -> NDArray[np.float64]:
    """To the uniform distribution over the value-preserving moves, in nats; log(their number) is the least possible."""
    log = np.log(np.maximum(policy, LEAST_PROBABILITY))
    return np.asarray(-(log * labels.preserving).sum(axis=1) / labels.preserving.sum(axis=1))


def policy_divergence(labels: LabelledSet, policy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cross-entropy above the least possible: 0 for perfect play that does not care which right move it takes."""
    return np.asarray(policy_cross_entropy(labels, policy) - np.log(labels.preserving.sum(axis=1)))


def blind(labels: LabelledSet, policy: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where all value-preserving moves together have next to no probability: no search of a usual size looks there."""
    return np.asarray(policy_mass(labels, policy) < BLIND)


def sign_right(labels: LabelledSet, value: NDArray[np.float64]) -> NDArray[np.bool_]:
    """On the won and lost positions: does the value say so? Drawn positions are left out (see outcome_right)."""
    not_drawn = labels.value != 0
    return np.asarray(np.sign(value[not_drawn]) == labels.value[not_drawn])


def outcome_right(labels: LabelledSet, value: NDArray[np.float64]) -> NDArray[np.bool_]:
    """On all positions: is the true result the nearest of -1, 0, +1 to the value?"""
    return np.asarray(np.clip(np.rint(value), -1, 1) == labels.value)


def brier(labels: LabelledSet, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared error of the expected score (value + 1) / 2 against 0, 1/2 or 1."""
    return np.asarray(((value - labels.value) / 2) ** 2)


@dataclasses.dataclass(frozen=True, kw_only=True)
class CalibrationBin:
    predicted: float  # mean expected score, 0 to 1
    actual: float  # mean true score
    count: int


def calibration(labels: LabelledSet, value: NDArray[np.float64], *, bins: int) -> list[CalibrationBin]:
    """The bins that hold any position, equally wide in the expected score."""
    predicted, actual = (value + 1) / 2, (labels.value + 1) / 2
    index = np.clip((predicted * bins).astype(np.int64), 0, bins - 1)
    return [
        CalibrationBin(
            predicted=float(predicted[inside].mean()), actual=float(actual[inside].mean()), count=int(inside.sum())
        )
        for one in range(bins)
        if (inside := index == one).any()
    ]


def calibration_error(curve: list[CalibrationBin]) -> float:
    """ECE: mean distance between what is expected and what is true, weighted by how often."""
    count = sum(one.count for one in curve)
    return sum(abs(one.predicted - one.actual) * one.count for one in curve) / count if count else float("nan")


def moves_left_error(labels: LabelledSet, plies_left: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.abs(plies_left - labels.moves_left))


def grade(labels: LabelledSet, judgement: Judgement, *, bins: int) -> dict[str, Any]:
    """Every figure of one player at one budget on one set of positions, as plain data."""
    keeps = keeps_value(labels, judgement.action)
    figures: dict[str, Any] = {
        "positions": len(labels),
        "value_preserving": rate(keeps).as_dict(),
        "value_preserving_decisive": rate(keeps[labels.decisive]).as_dict(),
        "distance_optimal": rate(keeps_distance(labels, judgement.action)).as_dict(),
        "plies_lost": plies_lost_figure(labels, judgement.action).as_dict(),
        "plies_lost_winning": plies_lost_figure(labels, judgement.action, value=1).as_dict(),
        "plies_lost_losing": plies_lost_figure(labels, judgement.action, value=-1).as_dict(),
    }
    if judgement.policy is not None:
        figures["policy_mass"] = mean(policy_mass(labels, judgement.policy)).as_dict()
        figures["policy_cross_entropy"] = mean(policy_cross_entropy(labels, judgement.policy)).as_dict()
        figures["policy_divergence"] = mean(policy_divergence(labels, judgement.policy)).as_dict()
        figures["blind"] = rate(blind(labels, judgement.policy)).as_dict()
    if judgement.value is not None:
        curve = calibration(labels, judgement.value, bins=bins)
        figures["value_sign"] = rate(sign_right(labels, judgement.value)).as_dict()
        figures["value_outcome"] = rate(outcome_right(labels, judgement.value)).as_dict()
        figures["value_brier"] = mean(brier(labels, judgement.value)).as_dict()
        figures["value_ece"] = calibration_error(curve)
        figures["calibration"] = [dataclasses.asdict(one) for one in curve]
    if judgement.plies_left is not None:
        figures["moves_left_mae"] = mean(moves_left_error(labels, judgement.plies_left)).as_dict()
    return figures


def logged(figures: Mapping[str, Any], *, prefix: str, simulations: int) -> dict[str, float]:
    """The figures of grade() by the names under which they are logged (docs/METRICS.md)."""
    suffix = f"_{simulations}" if simulations else ""
    values: dict[str, float | None] = {"positions": float(figures["positions"])}
    values |= {name: figures[name]["value"] for name in LOGGED if name in figures}
    values |= {"value_ece": figures["value_ece"]} if "value_ece" in figures else {}
    return {f"{prefix}{name}{suffix}": value for name, value in values.items() if value is not None}


def by_ply(labels: LabelledSet, judgement: Judgement, *, width: int, bins: int) -> list[dict[str, Any]]:
    """grade() for each band of `width` plies that has any position."""
    bands = []
    for start in range(0, int(labels.ply.max()) + 1, width):
        rows = np.flatnonzero((labels.ply >= start) & (labels.ply < start + width))
        if len(rows):
            figures = grade(labels.take(rows), judgement.take(rows), bins=bins)
            bands.append({"from": start, "to": start + width - 1} | figures)
    return bands
