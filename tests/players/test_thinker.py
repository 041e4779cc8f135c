"""One search that is watched, followed and changed: against the plain search, and its temperature."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.evaluation.makers import SEARCH, Answer, HashJudge

from c4.native._core import Position
from c4.params.play import LevelParams
from c4.params.search import SearchParams
from c4.players.forest import Forest, as_played
from c4.players.thinker import Thinker

PLAIN = as_played(SEARCH)


def thinker(text: str = "", *, params: SearchParams = PLAIN) -> Thinker:
    return Thinker(position=Position("connect4", text), params=params, judge=HashJudge(), cache_megabytes=0, seed=3)


def level(simulations: int) -> LevelParams:
    return LevelParams(simulations=simulations, seconds=None)


def test_searches_like_any_other_search() -> None:
    position = Position("connect4", "4453")
    one = thinker()
    one.think(position, level=level(300))
    forest = Forest(game="connect4", size=1, params=PLAIN, judge=HashJudge(), threads=1, cache_megabytes=0)
    forest.set_position(0, position)
    forest.think(0, 300)
    forest.run()
    assert one.root().child_visits.tolist() == forest.root(0).child_visits.tolist()
    assert one.root().q == forest.root(0).q
    assert one.best_action() == forest.best_action(0)


def test_keeps_its_tree_along_a_game_and_drops_it_elsewhere() -> None:
    one = thinker()
    one.think(Position("connect4"), level=level(300))
    kept = int(one.root().child_visits[3])
    assert kept > 0
    one.think(Position("connect4", "4"), level=level(10))
    assert one.root().visits == kept + 10
    one.think(Position("connect4", "5"), level=level(10))
    assert one.root().visits == 10


def test_a_settled_position_costs_nothing_more() -> None:
    one = thinker("121212")
    one.think(Position("connect4", "121212"), level=level(5000))
    visits = one.root().visits
    assert visits < 1000
    one.think(Position("connect4", "121212"), level=level(5000))
    assert one.root().visits - visits <= 64


def test_noise_widens_the_root_and_can_be_set_while_playing() -> None:
    one = thinker()
    one.set_params(dataclasses.replace(PLAIN, noise_epsilon=0.5))
    one.think(Position("connect4"), level=level(10))
    assert one.root().prior.tolist() != one.root().prior_effective.tolist()


def test_temperature_decides_between_the_best_and_a_draw() -> None:
    position = Position("connect4")
    cold = thinker(params=dataclasses.replace(PLAIN, temperature_start=0.0, temperature_end=0.0))
    cold.think(position, level=level(100))
    assert cold.choose(position) == cold.best_action()
    warm = thinker(params=dataclasses.replace(PLAIN, temperature_start=50.0, temperature_end=50.0))
    chosen = set()
    for _ in range(30):
        warm.think(position, level=level(100))
        chosen.add(warm.choose(position))
    assert len(chosen) > 3


def test_a_budget_shared_out_in_pieces_grows_the_same_tree() -> None:
    position = Position("connect4", "4453")
    whole, pieces = thinker(), thinker()
    whole.think(position, level=level(256))
    pieces.begin(position)
    for _ in range(4):
        assert pieces.advance(64)
    assert pieces.root().child_visits.tolist() == whole.root().child_visits.tolist()
    assert pieces.tree_bytes > 0


def test_an_engine_that_failed_once_leaves_a_search_that_works() -> None:
    class FailsOnce(HashJudge):
        calls = 0

        def submit(self, planes: NDArray[np.uint8]) -> Answer:
            self.calls += 1
            if self.calls == 101:
                raise RuntimeError("out of memory")
            return super().submit(planes)

    position = Position("connect4", "4453")
    one = Thinker(position=position, params=PLAIN, judge=FailsOnce(), cache_megabytes=0, seed=3)
    one.think(position, level=level(100))
    with pytest.raises(RuntimeError, match="out of memory"):
        one.think(position, level=level(100))
    one.think(position.play(3), level=level(100))
    assert (one.position().text, one.root().visits) == ("44534", 100)


def test_pieces_end_where_nothing_is_left_to_find_out() -> None:
    one = thinker()
    one.begin(Position("connect4", "121212"))
    while one.advance(64):
        pass
    visits = one.root().visits
    assert (one.root().lower, one.advance(64), one.root().visits) == (1, False, visits)
    one.begin(Position("connect4", "1212121"))
    assert not one.advance(64)
