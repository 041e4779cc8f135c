"""What a policy temperature makes of priors, at the root and below it. The native search agrees bit for bit."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.differential.trees import PLAIN

from c4.params.search import SearchParams
from c4.reference.games import START, State
from c4.reference.mcts import F, Node, normalised
from c4.reference.search import Evaluation, Search

LOGITS = np.array([2.0, 0.0, -1.0, 1.0, 0.5, 3.0, 0.0], np.float32)


def evaluate(state: State) -> Evaluation:
    return LOGITS + np.float32(0.1 * state.ply), 0.0, 10.0


def softmax(logits: NDArray[np.float32]) -> list[float]:
    weights = [math.exp(logit) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def priors(node: Node) -> list[F]:
    return [child.prior for child in node.children]


def searched(params: SearchParams, *, simulations: int = 60) -> Search:
    search = Search(START["connect4"])
    search.run(params, simulations, evaluate)
    return search


def test_logits_are_divided_everywhere_and_at_the_root_alone() -> None:
    flat = searched(dataclasses.replace(PLAIN, policy_temperature=2.0)).root
    below = next(child for child in flat.children if child.children)
    assert priors(flat) == pytest.approx(softmax(LOGITS / 2), rel=1e-5)
    assert priors(below) == pytest.approx(softmax(LOGITS / 2), rel=1e-5)
    sharp = searched(dataclasses.replace(PLAIN, policy_temperature=2.0, root_policy_temperature=0.5)).root
    below = next(child for child in sharp.children if child.children)
    assert priors(sharp) == pytest.approx(softmax(LOGITS * 2), rel=1e-5)
    assert priors(below) == pytest.approx(softmax(LOGITS / 2), rel=1e-5)


def test_a_subtree_that_becomes_the_root_gets_the_priors_of_a_root() -> None:
    params = dataclasses.replace(PLAIN, policy_temperature=1.5, root_policy_temperature=0.7)
    search = searched(params)
    action = max(search.root.children, key=lambda child: child.visits).action
    search.play(action, params)
    assert search.root.visits > 1
    assert priors(search.root) == pytest.approx(softmax(LOGITS / 0.7), rel=1e-5)
    kept = searched(same := dataclasses.replace(params, root_policy_temperature=1.5))
    expected = priors(next(child for child in kept.root.children if child.action == action))
    kept.play(action, same)
    assert priors(kept.root) == expected  # nothing is computed where nothing is to change


def test_at_1_priors_are_the_softmax_to_the_last_bit() -> None:
    plain, explicit = searched(PLAIN), searched(dataclasses.replace(PLAIN, root_policy_temperature=1.0))
    assert priors(plain.root) == priors(explicit.root) == normalised(list(LOGITS), F(1))


@pytest.mark.parametrize("temperature", [0.01, 100.0])
def test_the_largest_logits_stay_probabilities(temperature: float) -> None:
    with np.errstate(over="ignore"):
        found = normalised([F(3e38), F(-3e38), F(0)], F(temperature))
    assert sum(found) == pytest.approx(1.0)
    assert found[0] == max(found)
