"""Every figure against an answer computed by hand, and every figure's fall when the network is damaged."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.evaluation.makers import KnowingJudge, actions, policy, three_positions

from c4.evaluation.judges import bare_network, perfect_play, random_play
from c4.evaluation.metrics import (
    Judgement,
    blind,
    brier,
    by_ply,
    calibration,
    calibration_error,
    grade,
    keeps_distance,
    keeps_value,
    logged,
    moves_left_error,
    outcome_right,
    plies_lost,
    plies_lost_figure,
    policy_cross_entropy,
    policy_divergence,
    policy_mass,
    sign_right,
)
from c4.evaluation.sets import CELLS, labelled_set

LABELS = three_positions()
DEV = labelled_set("dev", game="connect4")


def test_what_follows_from_the_scores() -> None:
    assert LABELS.value.tolist() == [1, -1, 0]
    assert LABELS.preserving.sum(axis=1).tolist() == [2, 7, 2]
    assert LABELS.fastest.argmax(axis=1).tolist() == [1, 0, 2]
    assert LABELS.decisive.tolist() == [True, False, True]
    # Score 3 for the side to move at ply 4: the game ends at ply 44 - 2 * 3 = 38 or 37, and the winner, who plays the
    # odd plies, plays the last one: 37, which is 33 plies on.
    assert LABELS.plies[0].tolist()[:2] == [37, 33]
    assert LABELS.plies[1].tolist()[:2] == [34, 30]
    assert LABELS.plies[2].tolist() == [32, 32, 36, 36, 32, 32, 0]
    assert LABELS.moves_left.tolist() == [33, 34, 36]


def test_a_move_keeps_the_value_or_the_distance() -> None:
    assert keeps_value(LABELS, actions(0, 3, 2)).tolist() == [True, True, True]
    assert keeps_distance(LABELS, actions(0, 3, 2)).tolist() == [False, False, True]
    assert keeps_value(LABELS, actions(2, 0, 0)).tolist() == [False, True, False]


def test_plies_lost() -> None:
    assert plies_lost(LABELS, actions(0, 1, 2)).tolist() == [4.0, 4.0, 0.0]  # wins at 41, not 37; loses at 35, not 39
    assert plies_lost(LABELS, actions(1, 0, 3)).tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(plies_lost(LABELS, actions(4, 0, 0))).tolist() == [True, False, True]
    assert plies_lost_figure(LABELS, actions(0, 0, 2)).value == 2.0  # the draw has no length to lose
    assert plies_lost_figure(LABELS, actions(0, 0, 2), value=1).value == 4.0
    assert plies_lost_figure(LABELS, actions(0, 0, 2), value=-1).value == 0.0


def test_policy() -> None:
    opinion = policy([0.5, 0.25, 0.25, 0, 0, 0, 0], [1 / 7] * 7, [0, 0, 0.1, 0.3, 0.6, 0, 0])
    assert policy_mass(LABELS, opinion) == pytest.approx([0.75, 1.0, 0.4])
    expected = [
        -(math.log(0.5) + math.log(0.25)) / 2,
        math.log(7),
        -(math.log(0.1) + math.log(0.3)) / 2,
    ]
    assert blind(LABELS, opinion).tolist() == [False, False, False]
    unseen = policy([0, 0, 0.5, 0.5, 0, 0, 0], [1 / 7] * 7, [0, 0.009, 0, 0, 0.991, 0, 0])
    assert blind(LABELS, unseen).tolist() == [True, False, True]
    assert policy_cross_entropy(LABELS, opinion) == pytest.approx(expected)
    assert policy_divergence(LABELS, opinion) == pytest.approx(
        [expected[0] - math.log(2), 0.0, expected[2] - math.log(2)]
    )


def test_value() -> None:
    value = np.array([0.2, 0.4, 0.1])  # won, lost, drawn
    assert sign_right(LABELS, value).tolist() == [True, False]
    assert outcome_right(LABELS, value).tolist() == [False, False, True]
    assert brier(LABELS, value) == pytest.approx([0.4**2, 0.7**2, 0.05**2])


def test_calibration() -> None:
    value = np.array([0.8, 0.9, -0.2])  # expected scores 0.9, 0.95, 0.4; true scores 1, 0, 1/2
    curve = calibration(LABELS, value, bins=5)
    assert [(one.predicted, one.actual, one.count) for one in curve] == [
        (pytest.approx(0.4), 0.5, 1),
        (pytest.approx(0.925), 0.5, 2),
    ]
    assert calibration_error(curve) == pytest.approx((0.1 * 1 + 0.425 * 2) / 3)
    assert calibration(LABELS, np.array([1.0, -1.0, 0.0]), bins=5)[-1].predicted == 1.0  # the upper end is inside


def test_moves_left() -> None:
    assert moves_left_error(LABELS, np.array([30.0, 40.0, 36.5])).tolist() == [3.0, 6.0, 0.5]


def test_bands_of_plies() -> None:
    bands = by_ply(LABELS, perfect_play(LABELS), width=5, bins=5)
    assert [(band["from"], band["to"], band["positions"]) for band in bands] == [(0, 4, 1), (5, 9, 2)]


def test_perfect_play_reaches_everything() -> None:
    for name in ("dev", *CELLS):
        labels = labelled_set(name, game="connect4")
        figures = grade(labels, perfect_play(labels), bins=10)
        assert figures["value_preserving"]["value"] == 1.0
        assert figures["value_preserving_decisive"]["value"] == 1.0
        assert figures["distance_optimal"]["value"] == 1.0
        assert figures["plies_lost"]["value"] == 0.0
        assert figures["policy_mass"]["value"] == pytest.approx(1.0)
        assert figures["policy_divergence"]["value"] == pytest.approx(0.0)
        assert figures["blind"]["value"] == 0.0
        assert figures["value_sign"]["value"] == figures["value_outcome"]["value"] == 1.0
        assert figures["value_brier"]["value"] == figures["value_ece"] == 0.0
        assert figures["moves_left_mae"]["value"] == 0.0


def test_the_cross_entropy_of_perfect_play_is_the_least_possible() -> None:
    """Even over n moves it is ln n, here for 2, 7 and 2: a person sees beside it how much lies above."""
    figures = logged(grade(LABELS, perfect_play(LABELS), bins=5), prefix="truth/", simulations=32)
    assert figures["truth/policy_cross_entropy_32"] == pytest.approx((2 * math.log(2) + math.log(7)) / 3)
    assert figures["truth/policy_divergence_32"] == pytest.approx(0.0)
    half = policy([1, 0, 0, 0, 0, 0, 0], [1 / 7] * 7, [0, 0, 0.25, 0.25, 0.5, 0, 0])
    assert policy_divergence(LABELS, half)[2] == pytest.approx(math.log(2))  # half of it is on a losing move
    assert policy_divergence(LABELS, half)[0] > 5.0  # a right move ruled out is dear, though another one is played


def test_random_play_is_as_bad_as_theory_says() -> None:
    theory = float((DEV.preserving.sum(axis=1) / DEV.legal.sum(axis=1)).mean())
    figures = grade(DEV, random_play(DEV, seed=3), bins=10)
    assert figures["policy_mass"]["value"] == pytest.approx(theory)
    assert figures["value_preserving"]["low"] < theory < figures["value_preserving"]["high"]
    assert "value_sign" not in figures  # chance has no opinion


BETTER_WHEN_HIGHER = ("value_preserving", "value_preserving_decisive", "distance_optimal", "policy_mass", "value_sign")
BETTER_WHEN_LOWER = ("blind", "policy_cross_entropy", "policy_divergence", "value_brier", "moves_left_mae")


def test_every_figure_falls_when_the_network_is_damaged() -> None:
    sound, hurt, broken = (
        grade(DEV, bare_network(DEV, KnowingJudge(DEV, damage=damage)), bins=10) for damage in (0.0, 0.2, 0.6)
    )
    for name in (*BETTER_WHEN_HIGHER, "value_outcome"):
        assert sound[name]["value"] > hurt[name]["value"] > broken[name]["value"], name
    for name in BETTER_WHEN_LOWER:
        assert sound[name]["value"] < hurt[name]["value"] < broken[name]["value"], name
    assert sound["value_ece"] < hurt["value_ece"] < broken["value_ece"]


def test_plies_lost_grow_when_slower_moves_are_chosen() -> None:
    slowest = np.where(DEV.preserving, DEV.scores, 99).argmin(axis=1).astype(np.int64)
    figures = grade(DEV, Judgement(action=slowest), bins=10)
    assert figures["value_preserving"]["value"] == 1.0
    assert figures["plies_lost_winning"]["value"] > 1.0
    assert figures["plies_lost_losing"]["value"] > 1.0
