"""Boards: scores over columns or in cells, plies on stones, stones that differ without colour."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import PathCollection
from tests.report.drawn import all_notes, assert_nothing_is_cut, assert_words_keep_apart, words_of

from c4.report.boards import board, board_sheet, game_board
from c4.report.picture import Picture
from c4.report.style import light
from c4.report.words import mistake_words

MISTAKE: dict[str, Any] = {
    "moves": "1223",
    "ply": 4,
    "board": [[0] * 7] * 4 + [[0, 2, 0, 0, 0, 0, 0], [1, 1, 2, 0, 0, 0, 0]],
    "scores": [3, 0, -1, None, 0, 0, 0],
    "policy": [0.2, 0.5, 0.3, 0, 0, 0, 0],
    "played": 2,
    "truth": 1,
    "value": 0.25,
}


def stones(picture: Picture, colour: str) -> int:
    """How many marks are filled with a colour."""
    found = [one for one in picture.figure.axes[0].collections if isinstance(one, PathCollection)]
    wanted = tuple(int(light(colour)[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return sum(
        len(one.get_offsets()) for one in found if len(face := one.get_facecolor()) and np.allclose(face[0][:3], wanted)
    )


def test_scores_stand_over_their_columns_and_the_policy_below() -> None:
    picture = board(MISTAKE, game="connect4")
    assert words_of(picture) == ["+3", "=", "−1", "=", "=", "="]
    assert all_notes(picture) == [
        "20.0 % of the policy",
        "50.0 % of the policy",
        "30.0 % of the policy",
        *["0.0 % of the policy"] * 3,
    ]
    assert (stones(picture, "first"), stones(picture, "second")) == (2, 2)
    assert "position 1223" in picture.about
    assert_nothing_is_cut(picture)


def test_games_by_cell_have_their_scores_in_the_cells() -> None:
    rows = [[0] * 6 for _ in range(6)]
    rows[0][0], rows[1][1] = 1, 2
    scores = [None if owner else action - 3 for action, owner in enumerate(np.ravel(rows))]
    mistake = MISTAKE | {"moves": "a1 b2", "board": rows, "scores": scores, "policy": [], "played": 1}
    picture = board(mistake, game="gomoku6")
    assert len(words_of(picture)) == 34
    unknown = board(mistake | {"scores": [None] * 35 + [9]}, game="gomoku6")
    assert len(words_of(unknown)) == 1
    assert mistake_words(mistake | {"scores": [None] * 35 + [9], "truth": 1}, game="gomoku6")[0] == (
        "b6 is not known to keep the win"
    )
    sheet = board_sheet([mistake | {"played": 35, "moves": "a1 b1 a2 b2 c1 d1 c2 d2 e1 f1 e2 f2"}] * 3, game="gomoku6")
    assert_words_keep_apart(sheet)
    assert_nothing_is_cut(picture)


def test_a_games_stones_carry_their_plies_and_the_winning_ones_a_ring() -> None:
    picture = game_board("connect4", [0, 6, 0, 6, 0, 6, 0])
    assert words_of(picture) == list("1234567")
    ringed = [one for one in picture.figure.axes[0].collections if one.get_linewidth()[0] == 3]
    assert [len(one.get_offsets()) for one in ringed] == [4]
    assert_nothing_is_cut(picture)


def test_many_boards_are_one_picture_with_what_was_played() -> None:
    picture = board_sheet([MISTAKE] * 5, game="connect4")
    words = words_of(picture)
    assert words.count("Column 3: a win becomes a loss (−1)") == 5
    assert words.count("First player to move, value +0.25") == words.count("1223") == 5
    assert stones(picture, "first") == 10
    assert_words_keep_apart(picture)
    assert_nothing_is_cut(picture)
