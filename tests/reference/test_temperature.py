"""Temperatures by hand: the schedule of the moves, what the policy target takes, and what it makes of visits."""

from __future__ import annotations

import dataclasses

import pytest
from tests.differential.trees import PLAIN

from c4.reference import mcts
from c4.reference.mcts import F, Node
from c4.reference.temperature import target_temperature_at, temperature_at

FALLING = dataclasses.replace(PLAIN, temperature_start=1.0, temperature_end=0.25, temperature_plies=16)


@pytest.mark.parametrize(("ply", "temperature"), [(0, 1.0), (8, 0.625), (16, 0.25), (40, 0.25)])
def test_the_target_has_a_temperature_of_its_own_or_that_of_the_move(ply: int, temperature: float) -> None:
    assert temperature_at(FALLING, ply=ply) == temperature
    assert target_temperature_at(dataclasses.replace(FALLING, policy_target_temperature=0.7), ply=ply) == 0.7
    assert target_temperature_at(dataclasses.replace(FALLING, policy_target_temperature=None), ply=ply) == temperature


def test_the_target_is_the_softmax_of_the_logarithm_of_the_visits() -> None:
    """N^(1/T), normalised: at T = 0.5 the squares of 50, 30 and 20."""
    visits = (50, 30, 20)
    root = Node(visits=100, children=[Node(action=i, prior=F(1 / 3), visits=n) for i, n in enumerate(visits)])
    policy = mcts.policy(root, PLAIN, 0.5, visits)
    assert policy == pytest.approx([0.658, 0.237, 0.105], abs=5e-4)
    assert mcts.policy(root, PLAIN, 1.0, visits) == pytest.approx([0.5, 0.3, 0.2])
