"""What root_selection=gumbel promises of searches and self-play. The formulas: tests/reference/test_gumbel.py."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN, think
from tests.native.test_generator import new_generator, play, samples_by_game
from tests.native.test_search import constant, run

from c4.native import _core
from c4.native._core import Position, Searches
from c4.params.search import RootSelection
from c4.players.forest import as_played

GUMBEL = dataclasses.replace(PLAIN, root_selection=RootSelection.GUMBEL)
SELFPLAY = dataclasses.replace(GUMBEL, num_simulations=16, gumbel_considered=4)


def new_search(position: str, **changes: object) -> Searches:
    searches = Searches("connect4", 1, dataclasses.replace(GUMBEL, **changes))
    searches.set_position(0, Position("connect4", position))
    return searches


def falling(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Moves to the left are likelier, and all positions even."""
    rows = len(planes)
    return (
        np.tile(np.arange(7, 0, -1, dtype=np.float32), (rows, 1)),
        np.zeros(rows, np.float32),
        np.ones(rows, np.float32),
    )


class TestSchedule:
    """Visits of the root's moves, as sequential halving shares them. One simulation goes to the root itself."""

    @pytest.mark.parametrize("leaves", [1, 8])
    @pytest.mark.parametrize(
        ("considered", "simulations", "visits"),
        [
            (4, 17, [6, 6, 2, 2, 0, 0, 0]),  # 4 x 2, 2 x 4
            (16, 32, [12, 11, 4, 1, 1, 1, 1]),  # 7 x 1, 3 x 3, 2 x 5, and the 5 that are left
            (8, 5, [1, 1, 1, 1, 0, 0, 0]),  # no more moves than simulations
            (2, 8, [4, 3, 0, 0, 0, 0, 0]),
            (1, 8, [7, 0, 0, 0, 0, 0, 0]),
            (7, 1, [0, 0, 0, 0, 0, 0, 0]),
        ],
    )
    def test_by_hand(self, considered: int, simulations: int, visits: list[int], leaves: int) -> None:
        searches = new_search("", gumbel_considered=considered, leaves_per_batch=leaves)
        run(searches, simulations, falling)
        assert searches.root(0).child_visits.tolist() == visits
        assert searches.best_action(0) == 0

    def test_noise_decides_who_is_considered_and_scale_0_is_none(self) -> None:
        for scale, first in ((1.0, 6), (0.0, 0)):
            searches = new_search("", gumbel_considered=1, gumbel_scale=scale)
            searches.set_gumbel(0, [0, 0, 0, 0, 0, 0, 9])
            run(searches, 10, falling)
            assert searches.root(0).child_visits.argmax() == first
            assert searches.root(0).child_visits.sum() == 9

    def test_a_search_that_goes_on_begins_a_new_halving_and_keeps_what_it_knows(self) -> None:
        searches = new_search("", gumbel_considered=4)
        run(searches, 17, falling)
        run(searches, 16, falling)
        assert searches.root(0).child_visits.tolist() == [12, 12, 4, 4, 0, 0, 0]
        searches.play(0, 0)
        kept = searches.root(0).child_visits
        assert kept.sum() == 11
        run(searches, 16, falling)
        gained = searches.root(0).child_visits - kept
        assert sorted(gained.tolist()) == [0, 0, 0, 2, 2, 6, 6]

    def test_draws_must_fit_the_legal_moves_and_be_finite(self) -> None:
        with pytest.raises(ValueError, match="each of the 6 legal actions, not 7"):
            new_search("444444").set_gumbel(0, [0.0] * 7)
        with pytest.raises(ValueError, match="must be finite"):
            new_search("").set_gumbel(0, [0.0] * 6 + [np.inf])

    @pytest.mark.parametrize("knob", ["noise_epsilon", "forced_visits", "early_stop"])
    def test_knobs_that_are_not_used(self, knob: str) -> None:
        trees = []
        for value in (0, 1):
            searches = new_search("44", **{knob: value})
            searches.set_noise(0, np.array([1, 0, 0, 0, 0, 0, 0], np.float32))
            think(searches, 0, 64, HashEvaluator(game="connect4"))
            trees.append((searches.root(0).child_visits.tolist(), searches.policy(0, 1.0).tobytes()))
        assert trees[0] == trees[1]


class TestProvenResults:
    def test_a_win_is_played(self) -> None:
        searches = new_search("112233", proven_results=True)
        run(searches, 100, falling)
        assert searches.root(0).lower == 1
        assert searches.best_action(0) == 3
        assert searches.policy(0, 1.0).tolist() == [0, 0, 0, 1, 0, 0, 0]
        assert searches.value(0) == 1.0

    @pytest.mark.parametrize("selection", RootSelection)
    def test_a_proof_outlives_what_was_thought_while_proofs_were_off(self, selection: RootSelection) -> None:
        proving = dataclasses.replace(GUMBEL, proven_results=True, root_selection=selection)
        searches = new_search("112233", proven_results=True)
        searches.set_params(proving)
        run(searches, 100, falling)
        searches.set_params(dataclasses.replace(proving, proven_results=False, cpuct=20.0))
        run(searches, 100, falling)
        searches.set_params(proving)
        assert searches.root(0).q < 1.0
        assert searches.value(0) == 1.0

    def test_nothing_is_spent_on_what_is_settled_and_others_take_its_place(self) -> None:
        """All moves but column 4 lose, and the search begins with columns 1 and 2."""
        searches = new_search("11223", proven_results=True, gumbel_considered=2)
        run(searches, 100, constant(0.0))
        root = searches.root(0)
        assert root.child_lower.tolist() == [1, 1, 1, -1, -1, -1, -1]
        assert root.visits == 100
        assert root.child_visits.sum() == 99
        assert root.child_visits[4:].sum() == 0
        run(searches, 100, constant(0.0))
        assert (searches.root(0).child_visits - root.child_visits)[:3].tolist() == [0, 0, 0]
        assert searches.policy(0, 1.0)[:3].tolist() == [0, 0, 0]
        assert searches.best_action(0) == 3


class TestSelfplay:
    def test_targets_reach_moves_without_a_visit(self) -> None:
        samples, games = play(new_generator(search=SELFPLAY), games=20)
        assert len(games) >= 20
        assert (samples["policy"] > 0).sum(axis=1).mean() > 4.3  # of 5 columns, fewer when some are full
        np.testing.assert_allclose(samples["policy"].sum(axis=1), 1, atol=1e-5)

    @pytest.mark.parametrize("proven", [False, True])
    def test_samples_are_what_the_search_says(self, proven: bool) -> None:
        """Each first move of a game, searched again with the noise that explains it: none, since scale is 0."""
        params = dataclasses.replace(SELFPLAY, gumbel_scale=0.0, proven_results=proven, reuse_tree=False)
        samples, games = play(new_generator(search=params), games=12)
        assert len({tuple(record["actions"]) for record in games.values()}) == 1  # no noise: temperature has no hold
        actions = next(iter(games.values()))["actions"]
        for ply, policy, root_value in zip(
            samples["ply"][: len(actions)], samples["policy"], samples["root_value"], strict=False
        ):
            searches = Searches("connect4_5x4", 1, params)
            searches.set_position(0, Position.from_actions("connect4_5x4", actions[:ply]))
            think(searches, 0, params.num_simulations, HashEvaluator(game="connect4_5x4"))
            assert policy.tobytes() == searches.policy(0, 1.0).tobytes()
            assert root_value == np.float32(searches.value(0))
            assert searches.best_action(0) == actions[ply]

    @pytest.mark.parametrize(
        "changes",
        [{"num_threads": 3}, {"games_per_group": 17}, {"groups": 5}, {"cache_megabytes": 0.25, "num_threads": 2}],
        ids=str,
    )
    @pytest.mark.parametrize("leaves", [1, 4])
    def test_games_do_not_depend_on_how_they_are_played(self, changes: dict[str, int], leaves: int) -> None:
        params = dataclasses.replace(SELFPLAY, leaves_per_batch=leaves, proven_results=True)
        expected = samples_by_game(play(new_generator(search=params), games=40)[0])
        found = samples_by_game(play(new_generator(search=params, **changes), games=40)[0])
        shared = expected.keys() & found.keys()
        assert len(shared) > 25
        assert all(found[number] == expected[number] for number in shared)

    def test_noise_is_drawn_for_each_game_and_ply(self) -> None:
        params = dataclasses.replace(SELFPLAY, temperature_start=1.0, temperature_end=1.0)
        _, games = play(new_generator(search=params), games=60)
        assert len({tuple(record["actions"][:3]) for record in games.values()}) > 10
        sampled = [bool(flags & _core.SAMPLED_MOVE) for record in games.values() for flags in record["flags"]]
        assert 0.1 < np.mean(sampled) < 0.7

    def test_without_temperature_the_best_survivor_is_played(self) -> None:
        params = dataclasses.replace(SELFPLAY, temperature_start=0.0, temperature_end=0.0)
        _, games = play(new_generator(search=params), games=60)
        assert all(record["actions"] == record["best"] for record in games.values())
        assert len({tuple(record["actions"]) for record in games.values()}) > 10  # noise decides who is considered


def test_players_search_without_gumbel_noise() -> None:
    assert as_played(GUMBEL).gumbel_scale == 0.0
    assert as_played(GUMBEL).root_selection is RootSelection.GUMBEL
