"""native/search against reference/search.py: node for node and bit for bit, on every knob and every game."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN, Twins

from c4.native import _core
from c4.params.knob import field_types
from c4.params.search import RootSelection, SearchParams

GAMES = _core.game_names()


def numbers(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, width=32)


CHOSEN = {
    "cpuct": numbers(0, 8),
    "fpu_reduction": numbers(0, 2),
    "mlh_slope": st.sampled_from([0.0, 0.02, 0.3]),
    "mlh_cap": numbers(0, 0.5),
    "discount": st.sampled_from([1.0, 0.99, 0.7]),
    "num_simulations": st.just(100),
    "virtual_loss": st.sampled_from([0.0, 1.0, 2.5]),
    "leaves_per_batch": st.sampled_from([1, 1, 2, 5, 16]),
    "proof_nodes": st.sampled_from([0, 0, 1, 4, 25]),
    "forced_visits": st.sampled_from([0.0, 0.0, 2.0]),
    "gumbel_considered": st.sampled_from([1, 2, 3, 4, 7, 16]),
    "gumbel_cvisit": st.sampled_from([0.0, 50.0]),
    "gumbel_cscale": st.sampled_from([0.0, 0.1, 1.0]),
}


def anything(field: dataclasses.Field[Any]) -> st.SearchStrategy[Any]:
    """Of a knob that nothing was chosen for: off, on, or in its range at a magnitude that matters."""
    plain = getattr(PLAIN, field.name)
    if isinstance(plain, bool):
        return st.booleans()
    if isinstance(plain, RootSelection):
        return st.sampled_from(RootSelection)
    kind = field_types(SearchParams)[field.name]
    low, high = field.metadata["low"], min(field.metadata["high"], 4.0)
    number = st.integers(low, int(high)) if kind is int else st.floats(low, high)
    return st.one_of(st.just(plain), number, *([] if kind in {int, float} else [st.none()]))


KNOBS = st.builds(
    SearchParams, **{field.name: CHOSEN.get(field.name, anything(field)) for field in dataclasses.fields(SearchParams)}
)


def random_line(game: str, *, seed: int, plies: int) -> list[int]:
    """Up to so many plies at random, stopping before the game ends."""
    rng = np.random.default_rng(seed)
    position = _core.Position(game)
    for _ in range(plies):
        following = position.play(int(rng.choice(position.legal)))
        if following.is_terminal:
            break
        position = following
    return position.actions


def simulations_on(game: str, *, small_board: int) -> int:
    """What the reference does in the same time, never less than a few."""
    return max(8, small_board * 36 // max(36, _core.game_spec(game).actions))


@settings(max_examples=150)
@given(data=st.data(), params=KNOBS)
def test_grows_the_same_tree(data: st.DataObject, params: SearchParams) -> None:
    game = data.draw(st.sampled_from(GAMES), label="game")
    most = _core.game_spec(game).max_plies
    line = random_line(game, seed=data.draw(st.integers(0, 999)), plies=data.draw(st.integers(0, most), label="plies"))
    evaluator = HashEvaluator(
        game=game, sharpness=data.draw(st.sampled_from([0.0, 1.0, 6.0])), salt=data.draw(st.integers(0, 9))
    )
    twins = Twins(
        game=game, actions=line, params=params, evaluator=evaluator, cache=data.draw(st.sampled_from([0, 64]))
    )
    for _ in range(data.draw(st.integers(1, 3), label="moves")):
        legal = twins.native.position(0).legal
        if not legal:
            break
        if data.draw(st.booleans(), label="noise"):
            rng = np.random.default_rng(data.draw(st.integers(0, 99)))
            twins.set_noise([float(entry) for entry in rng.dirichlet([1.0] * len(legal)).astype(np.float32)])
        if data.draw(st.booleans(), label="gumbel"):
            rng = np.random.default_rng(data.draw(st.integers(0, 99)))
            twins.set_gumbel([float(entry) for entry in rng.gumbel(size=len(legal)).astype(np.float32)])
        budgets = st.lists(st.integers(0, simulations_on(game, small_board=40)), min_size=1, max_size=2)
        for simulations in data.draw(budgets, label="simulations"):
            twins.think(simulations)
            twins.assert_equal()
        if data.draw(st.booleans(), label="turn the knobs"):
            twins.set_params(data.draw(KNOBS))
        twins.play(data.draw(st.sampled_from(legal), label="action"))
        twins.assert_equal()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("proven", [False, True])
@pytest.mark.parametrize("root_selection", RootSelection)
def test_grows_the_same_deep_tree(game: str, proven: bool, root_selection: RootSelection) -> None:
    params = dataclasses.replace(PLAIN, proven_results=proven, mlh_slope=0.05, root_selection=root_selection)
    most = _core.game_spec(game).max_plies
    line = random_line(game, seed=5, plies=most // 3)
    twins = Twins(game=game, actions=line, params=params, evaluator=HashEvaluator(game=game))
    twins.think(simulations_on(game, small_board=600))
    twins.assert_equal()


def test_knobs_that_are_off_change_nothing() -> None:
    """mlh_slope = 0 is the search without a moves-left head, whatever the head says and the cap is."""
    trees = []
    for cap, plies_factor in ((0.0, 1), (0.5, 7)):
        evaluator = HashEvaluator(game="connect4")
        searches = _core.Searches("connect4", 1, dataclasses.replace(PLAIN, mlh_cap=cap))
        searches.set_position(0, _core.Position("connect4", "4453"))
        searches.think(0, 300)
        planes = np.zeros((searches.rows, 3, 6, 7), np.uint8)
        while searches.busy:
            logits, value, plies = evaluator.batch(planes[: searches.gather(planes)])
            searches.apply(logits, value, plies * np.float32(plies_factor))
        root = searches.root(0)
        trees.append((root.child_visits.tolist(), root.child_q.tobytes()))
    assert trees[0] == trees[1]
