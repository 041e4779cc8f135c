"""Playing through a pipe: what is read, what is said."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest
from tests.ui.kit import table

from c4.params.play import Seat
from c4.ui.table import PlayTable
from c4.ui.text import play_text


def said(one: PlayTable, *lines: str) -> list[str]:
    out = io.StringIO()
    play_text(one, lines=[f"{line}\n" for line in lines], out=out)
    return out.getvalue().splitlines()


def test_a_move_is_answered_with_numbers_and_a_board() -> None:
    out = said(table(), "4")
    assert " .  .  . [X] .  .  . " in out
    assert out.index(" .  .  . [X] .  .  . ") < next(i for i, line in enumerate(out) if "rollouts played" in line)
    head = next(i for i, line in enumerate(out) if line.split() == ["move", "N", "P", "Q", "left"])
    assert [row.split()[0] for row in out[head + 1 : head + 8]] == list("1234567")
    assert out[-1] == "your move (X):"


def test_bad_input_gets_one_sentence_and_the_game_goes_on() -> None:
    out = said(table("444444"), "9", "4", "x y", "simulations", "mlh_slope 9", "redo", "", "1")
    errors = [line for line in out if line.startswith("error: ")]
    assert len(errors) == 6
    assert any(" played " in line for line in out)


def test_the_program_wins_where_it_can_and_the_game_can_be_taken_back() -> None:
    one = table("314141")
    out = said(one, "7", "4", "undo", "position")
    assert "game over: rollouts won as O (second)" in out
    assert any("error: the game is over" in line for line in out)
    assert out[-1] == "position=314141"
    assert [line for line in out if "(O)" in line]


def test_plays_itself_to_the_end_without_input() -> None:
    out = said(table(game="connect4_4x4", seat=Seat.NONE, simulations=30))
    assert out[-1].startswith("game over: ")


def test_gomoku_by_cells() -> None:
    out = said(table(game="gomoku6", simulations=60), "c3", "hint")
    assert any(line.startswith(" 3 ") and "X" in line for line in out)
    assert out[-1].startswith("hint: ")


def test_another_player_moves_while_the_search_comments() -> None:
    out = said(table(chance=True), "4")
    assert out[0].endswith("you are X, first; moves are judged by rollouts")
    assert any("random played " in line for line in out)


def test_exact_scores_and_a_review_are_told_when_they_are_asked_for() -> None:
    out = said(table("11122", game="connect4_4x4", seat=Seat.SECOND), "truth", "2", "review")
    assert "exact scores are shown" in out
    assert [line for line in out if line.split() == ["move", "N", "P", "Q", "left", "exact"]]
    assert any(line.startswith("  1. X 1") for line in out)
    assert len([line for line in out if "value for first" in line]) == 8


def test_quit_ends_at_once() -> None:
    assert not [line for line in said(table(), "quit", "4") if " played " in line]


def test_the_search_tree_is_written_and_none_over_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = said(table("4453"), "tree", "tree")
    files = [tmp_path / name for name in ("search_tree_4453.svg", "search_tree_4453_2.svg")]
    assert out[-2:] == [f"the search tree is in {file}" for file in files]
    assert all("Connect Four, after 4453" in file.read_text() for file in files)


@pytest.mark.parametrize(("text", "says"), [("", "is a directory"), ("1212121", "error: the game is over")])
def test_a_search_tree_that_cannot_be_had_is_told(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("c4.ui.table.write_drawn", _refused)
    assert says in said(table(text), "tree")[-1].lower()


def _refused(*_: object, **__: object) -> Path:
    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
