"""The improved policy and the choice of a move, by numbers computed by hand. The native search agrees bit for bit."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN

from c4.params.search import RootSelection, SearchParams
from c4.reference import gumbel
from c4.reference.games import START, State
from c4.reference.gumbel import Halving
from c4.reference.mcts import F, Node
from c4.reference.search import Evaluation, Search

PARAMS = dataclasses.replace(PLAIN, root_selection=RootSelection.GUMBEL, gumbel_cvisit=1.0, gumbel_cscale=1.0)

# ln 0.5 + 3 * 0.4, ln 0.3 - 3 * 0.2, ln 0.2 + 3 * v, where v = (0.25 + 3 * (0.5 * 0.4 - 0.3 * 0.2) / 0.8) / 4
LOGITS = [0.506853, -1.803973, -1.028188]
POLICY = [0.760673, 0.075443, 0.163884]


def three_moves() -> Node:
    """Values of children are the opponent's (value: native/value.h)."""
    children = [
        Node(action=0, prior=F(0.5), q=F(-0.4), visits=2),
        Node(action=1, prior=F(0.3), q=F(0.2), visits=1),
        Node(action=2, prior=F(0.2)),
    ]
    return Node(q=F(0.25), visits=4, children=children)


def test_a_move_without_a_visit_is_worth_the_mean_of_the_others_by_their_priors() -> None:
    assert gumbel.completed_q(three_moves(), PARAMS) == pytest.approx([0.4, -0.2, 0.19375])


def test_before_any_visit_every_move_is_worth_what_the_network_says_of_the_root() -> None:
    root = three_moves()
    for child in root.children:
        child.visits = 0
    assert gumbel.completed_q(root, PARAMS) == pytest.approx([0.25, 0.25, 0.25])
    assert gumbel.policy(root, PARAMS, 1.0) == pytest.approx([0.5, 0.3, 0.2])


def test_improved_policy() -> None:
    assert gumbel.improved_logits(three_moves(), PARAMS) == pytest.approx(LOGITS, abs=1e-5)
    assert gumbel.policy(three_moves(), PARAMS, 1.0) == pytest.approx(POLICY, abs=1e-5)
    assert gumbel.policy(three_moves(), PARAMS, 0.0) == [1, 0, 0]


def test_value_is_the_mean_by_the_improved_policy() -> None:
    expected = 0.4 * POLICY[0] - 0.2 * POLICY[1] + 0.19375 * POLICY[2]
    assert gumbel.value(three_moves(), PARAMS) == pytest.approx(expected, abs=1e-5)


def test_a_faster_win_gets_a_higher_logit_and_a_slower_loss_too() -> None:
    params = dataclasses.replace(PARAMS, mlh_slope=0.1, mlh_cap=1.0)
    for winning in (1, -1):
        root = Node(q=F(0.5 * winning), m=F(10), visits=3)
        root.children = [
            Node(action=0, prior=F(0.5), q=F(-0.5 * winning), m=F(5), visits=1),
            Node(action=1, prior=F(0.5), q=F(-0.5 * winning), m=F(15), visits=1),
        ]
        fast, slow = gumbel.improved_logits(root, params)
        assert (fast > slow) == (winning == 1)
        assert gumbel.improved_logits(root, PARAMS)[0] == gumbel.improved_logits(root, PARAMS)[1]


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_the_choice_with_gumbel_noise_is_a_sample_of_the_improved_policy(temperature: float) -> None:
    rng, root, draws = np.random.default_rng(1), three_moves(), 4000
    counts = np.zeros(3)
    for noise in rng.gumbel(size=(draws, 3)):
        counts[gumbel.choose(root, PARAMS, Halving(), noise.astype(np.float32).tolist(), temperature).action] += 1
    weights = np.exp(np.array(LOGITS) / temperature)
    np.testing.assert_allclose(counts / draws, weights / weights.sum(), atol=0.025)


def test_only_a_survivor_is_played_unless_none_may_be() -> None:
    root = three_moves()
    assert gumbel.choose(root, PARAMS, Halving(considered=[2, 1]), (), 1.0).action == 2
    proven = dataclasses.replace(PARAMS, proven_results=True)
    for child in root.children[1:]:
        child.lower = child.upper = 1  # won by the opponent
    assert gumbel.choose(root, proven, Halving(considered=[2, 1]), (), 1.0).action == 0
    assert gumbel.policy(root, proven, 1.0) == [1, 0, 0]


def test_phases_by_hand() -> None:
    """16 simulations over 4 moves are 2 phases of 8; over 7 moves, 3 phases of at least one visit each, then on."""
    halving = Halving(considered=[0, 1, 2, 3], simulations=16, phases=2)
    halving.begin_phase(16)
    assert (halving.end, halving.survivors) == (8, 2)
    halving.considered = [0, 1]
    halving.begin_phase(8)
    assert (halving.end, halving.survivors) == (0, 2)
    halving = Halving(considered=list(range(7)), simulations=16, phases=3)
    halving.begin_phase(16)
    assert (halving.end, halving.survivors) == (9, 3)


def known_values(worth: np.ndarray, start: State) -> Callable[[State], Evaluation]:
    """A network that knows what the first player's first moves are worth, and that prefers none."""

    def evaluate(state: State) -> Evaluation:
        logits = np.zeros(start.actions, np.float32)
        columns = np.flatnonzero(np.array(state.board)[-1] == 1)  # the first player's stones in the lowest row
        value = 0.0 if len(columns) == 0 else float(worth[columns[0]])
        return logits, value if state.ply % 2 == 0 else -value, 10.0

    return evaluate


def improvement(params: SearchParams, *, simulations: int) -> float:
    """By how much the improved policy is worth more than the prior, under values that are known."""
    start = START["connect4"]
    worth = np.array([-0.8, -0.5, 0.1, 0.4, 0.6, -0.1, -0.9])
    search = Search(start)
    search.run(params, simulations, known_values(worth, start))
    assert all(child.visits < 3 or abs(-child.q - worth[child.action]) < 0.3 for child in search.root.children)
    policy = np.array(search.policy(params, 1.0))
    return float(policy @ worth - worth.mean())


@pytest.mark.parametrize("considered", [3, 7])
@pytest.mark.parametrize("simulations", [8, 16, 32])
def test_improves_on_the_prior(considered: int, simulations: int, monkeypatch: pytest.MonkeyPatch) -> None:
    params = dataclasses.replace(PARAMS, gumbel_considered=considered, gumbel_cvisit=50.0, gumbel_cscale=0.1)
    assert improvement(params, simulations=simulations) > 0.05
    true = gumbel.completed_q
    monkeypatch.setattr(gumbel, "completed_q", lambda root, knobs: [-q for q in true(root, knobs)])
    assert improvement(params, simulations=simulations) < 0.0  # the sign is the known trap


def test_does_not_ask_for_more_than_its_budget() -> None:
    params = dataclasses.replace(PARAMS, leaves_per_batch=4, proven_results=True)
    search = Search(START["tictactoe"])
    search.run(params, 23, HashEvaluator(game="tictactoe").state)
    assert search.root.visits == 23
