"""What is judged is what would be played: budgets, order, and that search only helps."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.evaluation.makers import SEARCH, HashJudge, Judge, KnowingJudge, three_positions

from c4.evaluation.judges import Budgets, bare_network, perfect_play, random_play, searched
from c4.evaluation.metrics import keeps_value
from c4.evaluation.sets import labelled_set, subset
from c4.params.search import RootSelection

DEV = subset(labelled_set("dev", game="connect4"), count=100)
BUDGETS = Budgets(trees=64, threads=1, cache_megabytes=0.0625)


def test_the_bare_network_plays_its_likeliest_legal_move() -> None:
    labels = three_positions()

    class Fixed(Judge):
        def evaluate(self, planes):  # type: ignore[no-untyped-def]
            _, value, left = super().evaluate(planes)
            logits = np.tile(np.array([0, 1, 0, 0, 0, 0, 5], np.float32), (len(planes), 1))
            return logits, value + 0.5, left

    found = bare_network(labels, Fixed())
    assert found.action.tolist() == [6, 6, 1]  # the last column is full in the third
    assert found.policy is not None
    assert found.policy[2, 6] == 0.0
    assert found.policy.sum(axis=1) == pytest.approx(1.0)
    assert found.policy[0, 6] / found.policy[0, 1] == pytest.approx(np.exp(4))
    assert found.value is not None
    assert found.value.tolist() == [0.5, 0.5, 0.5]


def test_the_bare_network_sees_the_positions_in_their_order() -> None:
    found = bare_network(DEV, KnowingJudge(DEV))
    assert found.value is not None
    assert found.value.tolist() == DEV.value.tolist()
    assert keeps_value(DEV, found.action).all()


@pytest.mark.parametrize("selection", RootSelection)
def test_several_budgets_are_the_same_as_each_alone(selection: RootSelection) -> None:
    positions, params = DEV.positions(), dataclasses.replace(SEARCH, root_selection=selection)
    grown = searched(positions, HashJudge(), params=params, simulations=[4, 16, 48], budgets=BUDGETS)
    for budget in (4, 16, 48):
        alone = searched(positions, HashJudge(), params=params, simulations=[budget], budgets=BUDGETS)[budget]
        assert grown[budget].action.tolist() == alone.action.tolist()
        assert (grown[budget].policy == alone.policy).all()
        assert (grown[budget].value == alone.value).all()


def test_nothing_depends_on_how_positions_are_batched() -> None:
    positions = DEV.positions()
    one = searched(positions, HashJudge(), params=SEARCH, simulations=[24], budgets=BUDGETS)[24]
    others = Budgets(trees=7, threads=2, cache_megabytes=0)
    other = searched(positions, HashJudge(), params=SEARCH, simulations=[24], budgets=others)[24]
    assert one.action.tolist() == other.action.tolist()
    assert (one.policy == other.policy).all()


def test_self_plays_noise_has_no_part_in_grading() -> None:
    positions = DEV.positions()
    noisy, clean = (dataclasses.replace(SEARCH, noise_epsilon=epsilon) for epsilon in (0.25, 0.0))
    one, other = (
        searched(positions, HashJudge(), params=params, simulations=[24], budgets=BUDGETS)[24]
        for params in (noisy, clean)
    )
    assert (one.policy == other.policy).all()


def test_one_simulation_is_the_networks_own_choice() -> None:
    bare = bare_network(DEV, HashJudge())
    once = searched(DEV.positions(), HashJudge(), params=SEARCH, simulations=[1], budgets=BUDGETS)[1]
    # Evaluated in the canonical orientation, as self-play does: the same where that is the position itself.
    upright = [row for row, position in enumerate(DEV.positions()) if position.canonical_symmetry == 0]
    assert once.action[upright].tolist() == bare.action[upright].tolist()


def test_search_helps_a_network_that_knows_nothing() -> None:
    found = searched(DEV.positions(), Judge(), params=SEARCH, simulations=[1, 200], budgets=BUDGETS)
    rates = {budget: keeps_value(DEV, judgement.action).mean() for budget, judgement in found.items()}
    assert rates[200] > rates[1] + 0.05


def test_perfect_and_random_play_are_legal() -> None:
    rows = np.arange(len(DEV))
    assert DEV.fastest[rows, perfect_play(DEV).action].all()
    one = random_play(DEV, seed=1)
    assert DEV.legal[rows, one.action].all()
    assert one.action.tolist() == random_play(DEV, seed=1).action.tolist()
    assert one.action.tolist() != random_play(DEV, seed=2).action.tolist()
