"""The window: how it grows and slides, what is drawn from it, and what averaging does to its targets."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.replay.made_up import GAME, made_up, sample
from tests.selfplay.kit import DATA

from c4.native import _core
from c4.native._core import Position
from c4.params.data import DataParams, Repeats
from c4.replay.window import Window, by_weight, window_size

PLAIN = dataclasses.replace(DATA, symmetries=False)
AVERAGED = dataclasses.replace(PLAIN, repeats=Repeats.AVERAGED)


def stream() -> np.random.Generator:
    return np.random.default_rng(7)


def filled(params: DataParams, count: int = 40) -> Window:
    window = Window(game=GAME, params=params)
    window.add(made_up(count))
    return window


def test_it_grows_then_slides() -> None:
    params = dataclasses.replace(PLAIN, window_first=30, window_growth=0.5, window_max=50)
    window = Window(game=GAME, params=params)
    sizes = []
    for first in range(0, 150, 10):
        window.add(made_up(10, first=first))
        sizes.append(len(window))
        assert window.samples["game_id"][-1] == first + 9  # the newest are kept
        assert np.all(np.diff(window.samples["game_id"]) == 1)
    assert sizes[:3] == [10, 20, 30]
    assert sizes[5] == int(30 * (60 / 30) ** 0.5)
    assert sizes[-1] == 50
    assert sizes == sorted(sizes)


@given(made=st.integers(0, 10**7), more=st.integers(0, 10**6), growth=st.floats(0, 1))
def test_its_first_sample_never_moves_back(made: int, more: int, growth: float) -> None:
    params = dataclasses.replace(PLAIN, window_growth=growth, window_max=10**8)
    before, after = window_size(made=made, params=params), window_size(made=made + more, params=params)
    assert before <= after
    assert max(0, made - before) <= max(0, made + more - after)


def test_every_row_is_drawn_once_before_any_is_drawn_again() -> None:
    window = filled(PLAIN)
    chosen = window.choose(100, stream=stream())
    counts = np.bincount(chosen, minlength=40)
    assert counts.sum() == 100
    assert set(counts) == {2, 3}
    assert sorted(chosen[:40].tolist()) == list(range(40))


def test_draws_depend_on_the_stream_alone() -> None:
    one, other = (filled(DATA).choose(64, stream=stream()) for _ in range(2))
    assert np.array_equal(one, other)
    assert not np.array_equal(one, filled(DATA).choose(64, stream=np.random.default_rng(8)))


@pytest.mark.parametrize("repeats", list(Repeats))
def test_parts_of_a_batch_are_the_batch(repeats: Repeats) -> None:
    window = filled(dataclasses.replace(DATA, symmetries=True, repeats=repeats))
    chosen = window.choose(31, stream=stream())
    whole = window.rows(chosen, stream=stream())
    parts = [window.rows(chosen, stream=stream(), part=part) for part in (slice(0, 15), slice(15, 31))]
    for name, column in whole.items():
        assert np.array_equal(np.concatenate([part[name] for part in parts]), column)


def test_rows_without_symmetries_are_the_samples() -> None:
    window = filled(PLAIN)
    rows = window.rows(np.arange(40), stream=stream())
    samples = window.samples
    assert np.array_equal(rows["policy"], samples["policy"])
    assert np.array_equal(rows["root_value"], samples["root_value"])
    assert np.array_equal(rows["weight"], np.ones(40, np.float32))
    newest = window.newest(5)
    assert np.array_equal(newest["root_value"], samples["root_value"][-5:])
    assert len(window.newest(0)["result"]) == 0


def test_planes_and_policy_are_seen_under_the_same_symmetry() -> None:
    window = Window(game=GAME, params=DATA)
    window.add(sample(0, 1, policy=(0.1, 0.2, 0.3, 0.4)))
    straight, mirrored = Position.from_actions(GAME, [0, 1]), Position.from_actions(GAME, [3, 2])
    rows = window.rows(np.zeros(50, np.int64), stream=stream())
    seen = set()
    for planes, policy in zip(rows["planes"], rows["policy"], strict=True):
        if np.array_equal(planes, straight.planes()):
            assert policy.tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4])
            seen.add("straight")
        else:
            assert np.array_equal(planes, mirrored.planes())
            assert policy.tolist() == pytest.approx([0.4, 0.3, 0.2, 0.1])
            seen.add("mirrored")
    assert seen == {"straight", "mirrored"}


def test_gomoku_is_seen_under_all_eight_symmetries() -> None:
    info = _core.game_spec("gomoku6")
    window = Window(game="gomoku6", params=DATA)
    policy = np.zeros((1, info.actions), np.float32)
    policy[0, 1] = 1.0  # beside the corner stone
    window.add(sample(0, 21, game="gomoku6", policy=policy))
    rows = window.rows(np.zeros(200, np.int64), stream=stream())
    table = _core.symmetry_actions("gomoku6")
    seen = {
        (int(planes[0].ravel().argmax()), int(planes[1].ravel().argmax()), int(policy.argmax()))
        for planes, policy in zip(rows["planes"], rows["policy"], strict=True)
    }
    assert seen == {(int(image[0]), int(image[21]), int(image[1])) for image in table}
    assert len(seen) == 8


def test_repeated_positions_are_counted_up_to_symmetry() -> None:
    window = Window(game=GAME, params=PLAIN)
    assert window.repeated_share() == 0.0
    window.add(np.concatenate([sample(0, 1), sample(3, 2), sample(0, 1), sample(1, 0)]))
    assert window.repeated_share() == pytest.approx(0.5)


def test_averaging_makes_one_row_of_a_position_with_the_mean_of_its_targets() -> None:
    window = Window(game=GAME, params=AVERAGED)
    window.add(
        np.concatenate(
            [
                sample(0, 1, policy=(1, 0, 0, 0), result=1, plies_left=9),
                sample(3, 2, policy=(1, 0, 0, 0), result=-1, plies_left=6),  # mirrored: (0, 0, 0, 1) of the first
                sample(0, policy=(0, 1, 0, 0), result=1, plies_left=3),
            ]
        )
    )
    rows = window.rows(np.array([0, 1]), stream=stream())
    both = int(np.flatnonzero(rows["result"] == 0.0)[0])
    assert rows["policy"][both].tolist() == [0.5, 0, 0, 0.5]
    assert rows["plies_left"][both] in {7, 8}
    assert np.array_equal(rows["planes"][both], Position.from_actions(GAME, [3, 2]).planes())
    alone = 1 - both
    assert rows["policy"][alone].tolist() == [0, 1, 0, 0]
    assert rows["result"][alone] == 1.0
    assert rows["drawn"].tolist() == [0.0, 0.0]
    assert rows["weight"][both] / rows["weight"][alone] == pytest.approx(2**0.5)
    assert rows["weight"].mean() == pytest.approx(1.0)


def test_a_trace_gives_its_results_the_share_they_have() -> None:
    traced = np.concatenate(
        [
            sample(0, result=1, outcome=0, outcome_share=0.5, bootstrap=0.4),
            sample(0, result=1, outcome=-1, outcome_share=0.25, bootstrap=-0.6),
        ]
    )
    each, averaged = (Window(game=GAME, params=params) for params in (PLAIN, AVERAGED))
    for window in (each, averaged):
        window.add(traced)
        assert window.newest(2)["result"].tolist() == [1.0, 1.0]  # for measuring, as the games ended
        assert window.newest(2)["result_share"].tolist() == [1.0, 1.0]
    columns = ("result", "drawn", "result_share", "bootstrap")
    rows = each.rows(np.array([0, 1]), stream=stream())
    found = np.array([rows[name] for name in columns])
    assert found == pytest.approx(np.array([[0.0, -0.25], [0.5, 0.0], [0.5, 0.25], [0.4, -0.6]]))
    rows = averaged.rows(np.array([0]), stream=stream())
    assert [rows[name][0] for name in columns] == pytest.approx([-0.125, 0.25, 0.375, -0.1])
    assert all(rows[name].dtype == np.float32 for name in columns)


def test_averaging_keeps_a_lone_position_as_it_was() -> None:
    policy = (0.1, 0.2, 0.3, 0.4)
    for actions in ([0, 1], [3, 2], [0, 3]):
        window = Window(game=GAME, params=AVERAGED)
        window.add(sample(*actions, policy=policy))
        rows = window.rows(np.array([0]), stream=stream())
        assert rows["policy"][0].tolist() == pytest.approx(policy)
        assert np.array_equal(rows["planes"][0], Position.from_actions(GAME, actions).planes())


def test_rows_without_a_policy_target_weigh_nothing_for_the_policy() -> None:
    window = Window(game=GAME, params=PLAIN)
    nothing = (0, 0, 0, 0)
    window.add(np.concatenate([sample(0), sample(1, policy=nothing), sample(0, 1), sample(2, policy=nothing)]))
    rows = window.rows(np.arange(4), stream=stream())
    assert rows["weight"].tolist() == [1, 1, 1, 1]
    assert rows["policy_weight"].tolist() == [2, 0, 2, 0]  # of the same sum
    assert window.newest(3)["policy_weight"].tolist() == [0, 3, 0]
    assert window.rows(np.array([1, 3]), stream=stream())["policy_weight"].tolist() == [0, 0]


def test_averaging_takes_the_policy_of_those_samples_that_have_one() -> None:
    window = Window(game=GAME, params=AVERAGED)
    nothing = sample(0, 1, policy=(0, 0, 0, 0), result=1)
    window.add(np.concatenate([sample(0, 1, policy=(0, 1, 0, 0), result=-1), nothing, nothing, nothing, sample(0)]))
    rows = window.rows(np.array([0, 1]), stream=stream())
    four = int(rows["weight"].argmax())
    assert rows["policy"][four].tolist() == [0, 1, 0, 0]
    assert rows["result"][four] == 0.5
    assert rows["weight"][four] / rows["weight"][1 - four] == pytest.approx(4**0.5)
    assert rows["policy_weight"][four] == pytest.approx(rows["policy_weight"][1 - four])  # one target each
    assert rows["policy_weight"].sum() == pytest.approx(rows["weight"].sum())


def test_surprising_samples_are_drawn_in_proportion() -> None:
    params = dataclasses.replace(PLAIN, surprise_share=0.5)
    window = Window(game=GAME, params=params)
    surprise = [0.0, 1.0, 3.0, -1e-7]
    window.add(np.concatenate([sample(action, surprise=surprise[action]) for action in range(4)]))
    counts = np.bincount(window.choose(800, stream=stream()), minlength=4)
    assert np.abs(counts - [100, 200, 400, 100]).max() <= 1
    chosen = window.choose(10, stream=stream())
    assert len(chosen) == 10
    assert np.array_equal(chosen, window.choose(10, stream=stream()))
    even = Window(game=GAME, params=params)
    even.add(np.concatenate([sample(action) for action in range(4)]))  # nothing surprises: as if the knob were 0
    assert sorted(even.choose(8, stream=stream()).tolist()) == [0, 0, 1, 1, 2, 2, 3, 3]


@given(
    weights=st.lists(st.floats(0.01, 10), min_size=1, max_size=30), count=st.integers(0, 200), seed=st.integers(0, 9)
)
def test_each_row_is_drawn_as_often_as_its_weight_asks_rounded(weights: list[float], count: int, seed: int) -> None:
    chosen = by_weight(np.array(weights), count, stream=np.random.default_rng(seed))
    assert len(chosen) == count
    counts = np.bincount(chosen, minlength=len(weights))
    assert np.abs(counts - count * np.array(weights) / sum(weights)).max() < 1 + 1e-6


def test_an_empty_window_says_so() -> None:
    with pytest.raises(ValueError, match="the window is empty"):
        Window(game=GAME, params=PLAIN).choose(3, stream=stream())
