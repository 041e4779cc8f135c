"""The book of failures: what was wrong comes back as openings, and the truth about it stays out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.evaluation.makers import actions, three_positions

from c4.evaluation.failures import BookError, read_openings, write_book
from c4.evaluation.metrics import Judgement
from c4.evaluation.report import failures


def test_failures_are_the_positions_whose_value_was_given_away(tmp_path: Path) -> None:
    labels = three_positions()
    entries = failures(labels, Judgement(action=actions(4, 0, 0)), simulations=600)
    assert [(one["moves"], one["played"]) for one in entries] == [("1235", 4), ("777777", 0)]
    path = tmp_path / "new" / "book.jsonl"
    write_book(path, entries, game="connect4")
    assert read_openings(path, game="connect4") == [[0, 1, 2, 4], [6] * 6]


def test_a_book_holds_positions_and_no_labels(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    write_book(path, [{"moves": "44", "played": 2, "simulations": 32, "scores": [1], "value": 1}], game="connect4")
    assert json.loads(path.read_text()) == {"game": "connect4", "moves": "44", "played": 2, "simulations": 32}


def test_a_position_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    for played in (2, 5):
        write_book(path, [{"moves": "44", "played": played, "simulations": 32}], game="connect4")
    write_book(path, [{"moves": "1", "played": 0, "simulations": 32}], game="connect4")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["moves"], line["played"]) for line in lines] == [("44", 5), ("1", 0)]
    assert [one.name for one in tmp_path.iterdir()] == ["book.jsonl"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("nonsense", "line 1: expected an object"),
        ('{"game":"gomoku9","moves":"a1"}', "line 1: a position of gomoku9, but the game is connect4"),
        ('{"game":"connect4","moves":"8"}', "line 1: ply 1: '8' is no column"),
        ('{"game":"connect4","moves":"1212121"}', "line 1: the game is over after ply 7"),
    ],
)
def test_a_bad_book_is_refused(tmp_path: Path, line: str, sentence: str) -> None:
    path = tmp_path / "book.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(BookError) as error:
        read_openings(path, game="connect4")
    assert sentence in str(error.value)


def test_a_missing_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="No such file"):
        read_openings(tmp_path / "none.jsonl", game="connect4")
