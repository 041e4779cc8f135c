"""What trackers are shown of a grading: its errors, its mistakes, its pictures; and of a run its curves."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.evaluation.makers import SEARCH, three_positions
from tests.evaluation.reports import PARAMS
from tests.report.drawn import assert_nothing_is_cut, words_of

from c4.evaluation.metrics import Judgement
from c4.evaluation.report import Graded, Report, brief_report
from c4.report.exhibits import errors_picture, grading_exhibits, learning_exhibits
from c4.report.figures import evaluation_table, mistakes_table
from c4.report.picture import Picture
from c4.report.table import Bars, Table


def thought(*actions: int) -> Judgement:
    """Sure of its moves, and that every position is drawn."""
    return Judgement(
        action=np.array(actions),
        policy=np.eye(7)[list(actions)],
        value=np.zeros(len(actions)),
        plies_left=np.full(len(actions), 30.0),
    )


def report() -> Report:
    labels = three_positions()
    first, rest = labels.take([0]), dataclasses.replace(labels.take([1, 2]), name="rest")
    return brief_report(
        [
            Graded(labels=first, simulations=0, judgement=thought(2)),  # gives a win away
            Graded(labels=rest, simulations=0, judgement=thought(0, 0)),  # right; gives a draw away
            Graded(labels=first, simulations=32, judgement=thought(0)),  # wins later than it could
            Graded(labels=rest, simulations=32, judgement=thought(1, 2)),  # right; right
        ],
        game="connect4", search=SEARCH, params=dataclasses.replace(PARAMS, worst=5),
    )  # fmt: skip


def test_errors_stand_by_set_and_budget() -> None:
    rows = {(row[0], row[1]): row[2:] for row in evaluation_table(report()).rows}
    errors = {key: (row[0], row[1]) for key, row in rows.items()}
    assert errors == {
        ("three", 0): (1, 100.0),
        ("rest", 0): (2, 50.0),
        ("all", 0): (3, pytest.approx(66.667)),
        ("three", 32): (1, 0.0),
        ("rest", 32): (2, 0.0),
        ("all", 32): (3, 0.0),
    }
    low, high, _, not_fastest = rows["all", 32][2:]
    assert low == 0.0
    assert isinstance(high, float)
    assert high > 0.0
    assert not_fastest == pytest.approx(66.667)


def test_mistakes_are_those_of_the_largest_budget_that_makes_any_in_each_generation() -> None:
    rows = mistakes_table({3: report(), 7: report()}).rows
    assert [row[:6] for row in rows] == [
        (generation, *mistake)
        for generation in (3, 7)
        for mistake in (("1235", 0, "3", "won", "drawn"), ("777777", 0, "1", "drawn", "lost"))
    ]


def test_pictures_are_of_errors_calibration_and_mistakes() -> None:
    exhibits = grading_exhibits({1: {**report(), "worst": []}, 2: report()})
    pictures = {one.name: one for one in exhibits if isinstance(one, Picture)}
    assert set(pictures) == {"pictures/errors", "pictures/calibration", "pictures/mistakes"}
    for one in pictures.values():
        assert_nothing_is_cut(one)
    assert {"expected score", "true score"} <= set(words_of(pictures["pictures/calibration"]))
    assert "Column 3: a win becomes a draw (=)" in words_of(pictures["pictures/mistakes"])
    without = grading_exhibits({1: {**report(), "worst": []}})
    assert [type(one) for one in without] == [Table, Bars, Table, Picture, Picture]


def test_each_set_and_budget_has_its_error_with_an_interval() -> None:
    picture = errors_picture(report())
    words = words_of(picture)
    assert {"three, bare", "rest, 32 sims", "all, bare", "errors (%)"} <= set(words)
    assert words.count("0.0") == 3
    assert len(picture.figure.axes[0].containers) == 6  # whiskers


def test_curves_are_drawn_as_soon_as_there_are_any() -> None:
    assert learning_exhibits({}) == []
    rows = {
        generation: {"loss/policy": 2.0 / generation, "truth/value_preserving": 0.9, "truth/positions": 100.0}
        for generation in (1, 2)
    }
    learning, losses = learning_exhibits(rows)
    assert (learning.name, losses.name) == ("pictures/learning", "pictures/losses")
    assert {"policy", "generation", "loss"} <= set(words_of(losses))
    assert {"bare", "errors (%)"} <= set(words_of(learning))
    (band,) = [one for one in learning.figure.axes[0].collections if one.get_alpha()]
    low, high = band.get_paths()[0].vertices[:, 1].min(), band.get_paths()[0].vertices[:, 1].max()
    assert low == pytest.approx(5.52, abs=0.01)
    assert high == pytest.approx(17.44, abs=0.01)
    assert_nothing_is_cut(learning)


def test_a_table_as_markdown() -> None:
    table = Table(name="t", columns=("a", "b"), rows=(("x", None), (1, 0.123456)))
    assert table.markdown().splitlines() == ["| a | b |", "| --- | --- |", "| x | – |", "| 1 | 0.1235 |"]
