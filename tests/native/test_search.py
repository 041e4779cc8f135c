"""What a search promises, one known trap after the other, on the native code."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN, think

from c4.native import _core
from c4.native._core import Position, Searches
from c4.reference.games import Connect4

WIN_IN_ONE = "112233"  # column 4 wins at once
ONE_MOVE_LEFT = "2252576253462244111563365343671351441"  # three columns open, four plies to a full board


def new_search(position: str, *, game: str = "connect4", **changes: object) -> Searches:
    searches = Searches(game, 1, dataclasses.replace(PLAIN, **changes))
    searches.set_position(0, Position(game, position))
    return searches


def run(searches: Searches, simulations: int, answer: object, *, game: str = "connect4") -> list[NDArray[np.uint8]]:
    """Searches with `answer(planes) -> (logits, value, plies_left)`; returns all planes that were asked about."""
    info = _core.game_spec(game)
    planes = np.zeros((searches.rows, info.planes, info.height, info.width), np.uint8)
    asked = []
    searches.think(0, simulations)
    while searches.busy:
        rows = searches.gather(planes)
        asked.extend(planes[:rows].copy())
        searches.apply(*answer(planes[:rows]))
    return asked


def constant(value: float, plies_left: float = 10.0) -> object:
    def answer(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        rows = len(planes)
        return np.zeros((rows, 7), np.float32), np.full(rows, value, np.float32), np.full(rows, plies_left, np.float32)

    return answer


class TestFinishedStates:
    @pytest.mark.parametrize("proven", [False, True])
    def test_are_never_expanded_and_give_their_true_result_at_every_visit(self, proven: bool) -> None:
        searches = new_search(WIN_IN_ONE, proven_results=proven)
        run(searches, 300, constant(0.9))  # the network says that whoever is to move wins
        won = searches.node(0, [3])
        assert won.is_terminal
        assert not won.expanded
        assert won.visits > (0 if proven else 100)
        assert (won.q, won.m) == (-1.0, 0.0)  # lost for the side to move there

    @pytest.mark.parametrize("leaves", [1, 8])
    def test_the_network_is_never_asked_about_them(self, leaves: int) -> None:
        searches = new_search("4455", leaves_per_batch=leaves)
        asked = run(searches, 500, constant(0.0))
        assert len(asked) < 500
        for own, other, first in asked:
            own_stone, other_stone = (1, 2) if first.any() else (2, 1)
            board = tuple(tuple(int(cell) for cell in row) for row in own * own_stone + other * other_stone)
            assert not Connect4(in_a_row=4, board=board).is_terminal()

    def test_a_tree_that_is_played_out_ends_by_its_budget(self) -> None:
        searches = new_search(ONE_MOVE_LEFT)
        asked = run(searches, 5000, constant(0.0))
        assert searches.root(0).visits == 5000
        assert len(asked) < 100
        assert not searches.busy

    def test_a_finished_root_has_nothing_to_search(self) -> None:
        searches = new_search(WIN_IN_ONE + "4")
        assert run(searches, 100, constant(0.0)) == []
        assert searches.root(0).is_terminal
        with pytest.raises(ValueError, match="the game is over"):
            searches.best_action(0)


class TestMovesLeft:
    """Two moves that are alike but for the plies that are left after them."""

    @staticmethod
    def visits(*, value: float, slope: float) -> tuple[int, int]:
        """Of a move after which 4 plies are left and of one after which 30 are, with `value` for the root's side."""
        searches = new_search("", mlh_slope=slope, cpuct=1.0)

        def answer(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
            rows = len(planes)
            logits = np.full((rows, 7), -20.0, np.float32)
            values, plies = np.empty(rows, np.float32), np.empty(rows, np.float32)
            for i, row in enumerate(planes):
                ply = int(row[:2].sum())
                values[i] = value if ply % 2 == 0 else -value
                plies[i] = 20
                if ply == 0:
                    logits[i, [1, 3]] = 5.0
                else:
                    logits[i, 3] = 5.0
                    opening = (row[0] + row[1])[5]
                    plies[i] = (4 if opening[1] or opening[5] else 30) - ply
            return logits, values, plies

        run(searches, 400, answer)
        root = searches.root(0)
        return int(root.child_visits[1]), int(root.child_visits[3])

    def test_a_faster_win_is_preferred(self) -> None:
        short, long = self.visits(value=0.8, slope=0.02)
        assert short > 2 * long

    def test_a_slower_loss_is_preferred(self) -> None:
        short, long = self.visits(value=-0.8, slope=0.02)
        assert long > 2 * short

    def test_a_draw_is_left_alone(self) -> None:
        assert self.visits(value=0.0, slope=0.02) == self.visits(value=0.0, slope=0.0)

    def test_without_slope_the_length_says_nothing(self) -> None:
        short, long = self.visits(value=0.8, slope=0.0)
        assert abs(short - long) <= 1


class TestNoise:
    def test_is_at_the_root_only_and_apart_from_the_priors(self) -> None:
        noise = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], np.float32)
        quiet, noisy = new_search("44"), new_search("44", cpuct=4.0)
        evaluator = HashEvaluator(game="connect4", sharpness=1.0)
        noisy.set_noise(0, noise)
        think(quiet, 0, 200, evaluator)
        think(noisy, 0, 200, evaluator)
        root = noisy.root(0)
        assert root.prior.tobytes() == quiet.root(0).prior.tobytes()
        np.testing.assert_allclose(root.prior_effective, 0.75 * root.prior + 0.25 * noise, rtol=1e-6)
        for action in range(7):
            below = noisy.node(0, [action])
            assert below.prior_effective.tobytes() == below.prior.tobytes()

    def test_does_not_choose_below_the_root(self) -> None:
        """What grew below a move is the tree that a search of its own would have grown there."""
        noisy = new_search("44", noise_epsilon=1.0)
        noisy.set_noise(0, np.array([0, 0, 0, 0.5, 0, 0, 0.5], np.float32))
        evaluator = HashEvaluator(game="connect4", sharpness=1.0)
        think(noisy, 0, 200, evaluator)
        below, alone = noisy.node(0, [3]), new_search("444")
        assert below.visits > 20
        think(alone, 0, below.visits, evaluator)
        assert alone.root(0).child_visits.tolist() == below.child_visits.tolist()
        assert alone.root(0).child_q.tobytes() == below.child_q.tobytes()

    def test_is_gone_when_the_root_moves_on(self) -> None:
        searches = new_search("44")
        searches.set_noise(0, np.array([1, 0, 0, 0, 0, 0, 0], np.float32))
        think(searches, 0, 200, HashEvaluator(game="connect4"))
        searches.play(0, 3)
        root = searches.root(0)
        assert root.visits > 1  # the tree was kept
        assert root.prior_effective.tobytes() == root.prior.tobytes()

    def test_must_fit_the_legal_moves(self) -> None:
        with pytest.raises(ValueError, match="each of the 6 legal actions, not 7"):
            new_search("444444").set_noise(0, np.ones(7, np.float32))

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -0.1])
    def test_must_be_what_can_be_mixed_into_probabilities(self, bad: float) -> None:
        with pytest.raises(ValueError, match="finite numbers from 0 up"):
            new_search("").set_noise(0, [0.5] * 6 + [bad])


class TestReuse:
    def test_keeps_the_subtree_and_gives_the_rest_back(self) -> None:
        searches = new_search("44")
        think(searches, 0, 400, HashEvaluator(game="connect4"))
        nodes = searches.stats()["nodes"]
        below = searches.node(0, [3])
        grandchild = searches.node(0, [3, 2])
        searches.play(0, 3)
        root = searches.root(0)
        assert (root.visits, root.q, root.child_visits.tolist()) == (below.visits, below.q, below.child_visits.tolist())
        assert searches.node(0, [2]).child_visits.tolist() == grandchild.child_visits.tolist()
        assert searches.stats()["nodes"] < nodes
        think(searches, 0, 100, HashEvaluator(game="connect4"))
        assert searches.root(0).visits == below.visits + 100  # num_simulations counts new ones

    def test_can_be_switched_off(self) -> None:
        searches = new_search("44", reuse_tree=False)
        think(searches, 0, 100, HashEvaluator(game="connect4"))
        assert searches.node(0, [0]).visits > 1
        searches.play(0, 0)
        assert searches.root(0).visits == 0
        assert searches.position(0).text == "441"


class TestSeveralLeaves:
    def test_no_trace_is_left_of_virtual_loss(self) -> None:
        """Each mean is the mean of the leaves below it, whatever was assumed while they were in flight."""
        searches = new_search("", leaves_per_batch=16, virtual_loss=3.0, cpuct=1.0)
        run(searches, 500, constant(0.25))
        values = []
        for action in range(7):
            child = searches.node(0, [action])
            inner = child.child_visits.sum()
            assert child.visits == inner + 1
            values += [0.25] + [-q for q, n in zip(child.child_q, child.child_visits, strict=True) for _ in range(n)]
            assert child.q == pytest.approx(np.mean(values[-(inner + 1) :]), abs=1e-5)
        assert searches.root(0).q == pytest.approx(np.mean([0.25, *np.negative(values)]), abs=1e-5)

    def test_leaves_spread_over_the_tree(self) -> None:
        searches = new_search("", leaves_per_batch=64)
        planes = np.zeros((searches.rows, 3, 6, 7), np.uint8)
        searches.think(0, 200)
        searches.apply(*constant(0.0)(planes[: searches.gather(planes)]))  # the root alone
        assert searches.gather(planes) == 7  # one leaf below each move; the next would meet one of them


class TestProvenResults:
    def test_a_won_root_needs_no_more_simulations_and_plays_the_win(self) -> None:
        searches = new_search(WIN_IN_ONE, proven_results=True)
        run(searches, 10_000, constant(0.0))
        root = searches.root(0)
        assert (root.lower, root.upper, root.proven_plies, root.q, root.m) == (1, 1, 1, 1.0, 1.0)
        assert root.visits < 20
        assert searches.best_action(0) == 3
        assert searches.policy(0, 1.0).tolist() == [0, 0, 0, 1, 0, 0, 0]

    def test_nothing_is_spent_on_what_is_settled(self) -> None:
        """A lost move costs what it took to prove it; all the rest goes to the open one."""
        searches = new_search("11223", proven_results=True)  # column 4 must be answered
        run(searches, 500, constant(0.0))
        lost = [action for action in range(7) if searches.node(0, [action]).lower == 1]
        assert lost == [0, 1, 2, 4, 5, 6]
        before = searches.root(0).child_visits
        run(searches, 500, constant(0.0))
        gained = searches.root(0).child_visits - before
        assert gained.tolist() == [0, 0, 0, 500, 0, 0, 0]
        assert searches.best_action(0) == 3

    def test_proofs_settle_what_the_tree_has_not_seen(self) -> None:
        searches = new_search("3344", proven_results=True, proof_nodes=20)  # three in a row, open on both sides
        run(searches, 10_000, constant(0.0))
        root = searches.root(0)
        assert (root.lower, root.upper, root.proven_plies, root.q, root.m) == (1, 1, 3, 1.0, 3.0)
        assert searches.stats()["simulations"] <= 1 + 7
        won = searches.node(0, [searches.best_action(0)])
        assert (won.lower, won.upper, won.proven_plies, won.q, won.m) == (-1, -1, 2, -1.0, 2.0)
        assert not won.expanded

    def test_a_root_is_never_proven_by_itself(self) -> None:
        searches = new_search("3344", proven_results=True, proof_nodes=20, reuse_tree=True)
        run(searches, 100, constant(0.0))
        searches.play(0, searches.best_action(0))
        assert not searches.root(0).expanded
        run(searches, 100, constant(0.0))
        root = searches.root(0)
        assert root.expanded
        assert (root.lower, root.upper, root.proven_plies) == (-1, -1, 2)
        assert searches.policy(0, 1.0).sum() == pytest.approx(1.0)

    def test_proofs_need_proven_results(self) -> None:
        trees = []
        for nodes in (0, 500):
            searches = new_search("3344", proven_results=False, proof_nodes=nodes)
            run(searches, 200, constant(0.0))
            assert searches.stats()["proofs"] == 0
            trees.append(searches.root(0).child_visits.tolist())
        assert trees[0] == trees[1]

    @pytest.mark.parametrize("game", ["tictactoe", "connect4_4x4"])
    def test_a_proof_is_true(self, game: str) -> None:
        """Searched until it is settled, the result is the one of plain exhaustive search."""
        rng = np.random.default_rng(3)
        for _ in range(20):
            position = Position(game)
            for _ in range(rng.integers(4, 9) if game == "connect4_4x4" else 3):
                following = position.play(int(rng.choice(position.legal)))
                position = position if following.is_terminal else following
            searches = Searches(game, 1, dataclasses.replace(PLAIN, proven_results=True))
            searches.set_position(0, position)
            think(searches, 0, 20_000, HashEvaluator(game=game))
            root = searches.root(0)
            assert root.lower == root.upper == exhaustive(position, {})
            best = position.play(searches.best_action(0))
            assert -exhaustive(best, {}) == root.lower


def exhaustive(position: Position, known: dict[int, int]) -> int:
    if position.is_terminal:
        return position.value
    if position.key not in known:
        known[position.key] = max(-exhaustive(position.play(action), known) for action in position.legal)
    return known[position.key]


class TestPolicy:
    def test_is_the_softmax_of_the_logarithm_of_the_visits(self) -> None:
        searches = new_search("44")
        think(searches, 0, 300, HashEvaluator(game="connect4"))
        visits = searches.root(0).child_visits.astype(float)
        assert (visits > 0).sum() > 2
        for temperature in (0.5, 1.0, 2.0):
            powers = visits ** (1 / temperature)
            np.testing.assert_allclose(searches.policy(0, temperature), powers / powers.sum(), rtol=1e-5)
        assert searches.policy(0, 0.0).argmax() == visits.argmax()
        assert searches.policy(0, 0.0).max() == 1.0

    def test_no_temperature_shares_among_the_most_visited(self) -> None:
        searches = new_search("")
        run(searches, 8, constant(0.0))
        np.testing.assert_allclose(searches.policy(0, 0.0), np.full(7, 1 / 7), rtol=1e-6)
        assert searches.best_action(0) == 0

    @pytest.mark.parametrize("temperature", [-1.0, np.nan, np.inf])
    @pytest.mark.parametrize("root_selection", ["puct", "gumbel"])
    def test_refuses_what_is_no_temperature(self, temperature: float, root_selection: str) -> None:
        searches = new_search("", root_selection=root_selection)
        run(searches, 8, constant(0.0))
        with pytest.raises(ValueError, match="temperature must be a finite number from 0 up"):
            searches.policy(0, temperature)

    def test_one_simulation_is_the_bare_network(self) -> None:
        searches = new_search("44")
        think(searches, 0, 1, HashEvaluator(game="connect4"))
        root = searches.root(0)
        assert root.child_visits.sum() == 0
        np.testing.assert_allclose(searches.policy(0, 1.0), root.prior, rtol=1e-6)

    def test_forced_visits_are_taken_out_of_the_target(self) -> None:
        noise = np.array([0.9, 0.02, 0.02, 0, 0.02, 0.02, 0.02], np.float32)
        targets = {}
        for forced in (0.0, 2.0):
            searches = new_search("44", forced_visits=forced, noise_epsilon=0.25, cpuct=1.0)
            searches.set_noise(0, noise)

            def answer(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
                logits, value, plies = constant(0.0)(planes)
                for i, row in enumerate(planes):
                    mine = row[0] if row[:2].sum() % 2 == 0 else row[1]
                    at_edge = mine[5, 0] or mine[5, 6]
                    value[i] = (-0.9 if at_edge else 0.3) * (1 if row[:2].sum() % 2 == 0 else -1)
                return logits, value, plies

            run(searches, 400, answer)
            targets[forced] = (int(searches.root(0).child_visits[0]), float(searches.policy(0, 1.0)[0]))
        assert targets[2.0][0] > 2 * targets[0.0][0]  # explored more ...
        assert targets[2.0][1] < 0.5 * targets[2.0][0] / 400  # ... and the target does not show it


class TestRollouts:
    def test_find_the_winning_move_and_depend_on_the_seed_alone(self) -> None:
        roots = []
        for seed in (1, 1, 2):
            searches = new_search("4455")  # columns 3 and 6 win by force
            searches.think(0, 2000)
            searches.roll_out(seed)
            roots.append(searches.root(0).child_q.tobytes())
            assert searches.best_action(0) in {2, 5}
        assert roots[0] == roots[1] != roots[2]

    def test_value_is_for_the_side_to_move(self) -> None:
        searches = new_search(WIN_IN_ONE)
        searches.think(0, 3000)
        searches.roll_out(1)
        assert searches.root(0).q > 0.9
