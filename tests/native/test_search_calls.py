"""What a search refuses, and that it goes on afterwards: bad answers, calls out of order, what is not there."""

from __future__ import annotations

import numpy as np
import pytest
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN, think
from tests.native.test_search import new_search

from c4.native._core import Position


class TestBadNetworks:
    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("output", ["policy logit 3", "value", "plies left"])
    def test_are_refused_with_the_position_and_the_search_goes_on(self, bad: float, output: str) -> None:
        searches = new_search("4453")
        planes = np.zeros((searches.rows, 3, 6, 7), np.uint8)
        searches.think(0, 50)
        evaluator = HashEvaluator(game="connect4")
        for _ in range(10):
            searches.apply(*evaluator.batch(planes[: searches.gather(planes)]))
        rows = searches.gather(planes)
        logits, value, plies = evaluator.batch(planes[:rows])
        broken = [logits.copy(), value.copy(), plies.copy()]
        where = {"policy logit 3": (0, (0, 3)), "value": (1, 0), "plies left": (2, 0)}[output]
        broken[where[0]][where[1]] = bad
        with pytest.raises(ValueError, match=rf"{output} .* for the position '4453\d"):
            searches.apply(*broken)
        searches.apply(logits, value, plies)
        while searches.busy:
            searches.apply(*evaluator.batch(planes[: searches.gather(planes)]))
        untroubled = new_search("4453")
        think(untroubled, 0, 50, evaluator)
        assert searches.root(0).child_q.tobytes() == untroubled.root(0).child_q.tobytes()


class TestOrderOfCalls:
    def test_a_wrong_one_says_what_to_call(self) -> None:
        searches = new_search("")
        planes = np.zeros((1, 3, 6, 7), np.uint8)
        empty = np.zeros((0, 7), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
        with pytest.raises(RuntimeError, match="call gather first"):
            searches.apply(*empty)
        with pytest.raises(RuntimeError, match="call think, gather and apply"):
            searches.policy(0, 1.0)
        searches.think(0, 10)
        searches.gather(planes)
        for call in (
            lambda: searches.gather(planes),
            lambda: searches.play(0, 3),
            lambda: searches.set_params(PLAIN),
            lambda: searches.set_position(0, Position("connect4")),
            lambda: searches.roll_out(1),
        ):
            with pytest.raises(RuntimeError, match="call apply"):
                call()

    def test_arrays_of_another_shape_are_refused(self) -> None:
        searches = new_search("")
        searches.think(0, 10)
        with pytest.raises(ValueError, match="planes must be"):
            searches.gather(np.zeros((1, 3, 7, 6), np.uint8))
        with pytest.raises(ValueError, match="planes must have at least 1 rows, not 0"):
            searches.gather(np.zeros((0, 3, 6, 7), np.uint8))
        searches.gather(np.zeros((1, 3, 6, 7), np.uint8))
        with pytest.raises(ValueError, match="value must be .* float32"):
            searches.apply(np.zeros((1, 7), np.float32), np.zeros(1), np.zeros(1, np.float32))

    def test_trees_and_paths_that_do_not_exist(self) -> None:
        searches = new_search("")
        with pytest.raises(IndexError, match="tree 1 is not between 0 and 0"):
            searches.think(1, 5)
        for simulations in (-1, 2_000_000_000):
            with pytest.raises(ValueError, match="think needs 0 to 10000000 simulations"):
                searches.think(0, simulations)
        for asked in (lambda: searches.root(1), lambda: searches.node(1, [3]), lambda: searches.policy(-1, 1.0)):
            with pytest.raises(IndexError, match="is not between 0 and 0"):
                asked()
        with pytest.raises(KeyError, match="no node at this path"):
            searches.node(0, [3])
        with pytest.raises(ValueError, match="position of gomoku8 was given to a search of connect4"):
            searches.set_position(0, Position("gomoku8"))
