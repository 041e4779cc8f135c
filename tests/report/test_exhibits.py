"""What trackers are shown of a grading: its errors, its mistakes, its pictures, and the card of a player."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.callbacks.test_measurements import PARAMS
from tests.evaluation.makers import SEARCH, three_positions

from c4.evaluation.metrics import Judgement
from c4.evaluation.report import Graded, Report, brief_report
from c4.report.exhibits import (
    Picture,
    Table,
    card,
    evaluation_table,
    grading_exhibits,
    learning_exhibits,
    mistakes_table,
)


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


def test_mistakes_are_those_of_the_largest_budget_that_makes_any() -> None:
    rows = mistakes_table(report()).rows
    assert [(row[0], row[1], row[2], row[3], row[4]) for row in rows] == [
        ("1235", 0, "3", "won", "drawn"),
        ("777777", 0, "1", "drawn", "lost"),
    ]


def test_pictures_are_whole_pages_that_need_nothing_else() -> None:
    exhibits = grading_exhibits(report())
    pictures = [one for one in exhibits if isinstance(one, Picture)]
    assert {one.name for one in pictures} == {"pictures/errors", "pictures/calibration", "pictures/mistakes"}
    for one in pictures:
        assert one.html.startswith("<!doctype html>")
        assert "<svg" in one.html or "<table" in one.html
        assert "src=" not in one.html
        assert "http" not in one.html.replace("http://www.w3.org", "")


def test_curves_are_drawn_as_soon_as_there_are_any() -> None:
    assert learning_exhibits({}) == []
    ((picture),) = learning_exhibits({1: {"loss/policy": 2.0}, 2: {"loss/policy": 1.5}})
    assert isinstance(picture, Picture)
    assert "policy" in picture.html


def test_a_card_has_errors_where_they_were_graded_and_metrics_where_not() -> None:
    graded = card(report(), title="run, generation 3", origin={"seed": 7, "minutes": 1.5}, metrics={})
    assert graded.startswith("# run, generation 3\n")
    assert "- seed: 7" in graded
    assert "| three | 100.0" in graded
    plain = card(None, title="run", origin={"seed": 7}, metrics={"baseline/strength": 1.5})
    assert "- seed: 7" in plain
    assert "| baseline/strength | 1.5 |" in plain


def test_a_table_as_markdown() -> None:
    table = Table(name="t", columns=("a", "b"), rows=(("x", None), (1, 0.123456)))
    assert table.markdown().splitlines() == ["| a | b |", "| --- | --- |", "| x | – |", "| 1 | 0.1235 |"]
