"""Positions as a person writes and reads them, drawn; and what is said about bad ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from c4.native import _core
from c4.native._core import Position


def drawn(position: Position) -> list[str]:
    return ["".join(".xo"[stone] for stone in row) for row in position.board()]


def test_connect_four_is_written_as_columns() -> None:
    position = Position("connect4", "4453")
    assert drawn(position) == [
        ".......",
        ".......",
        ".......",
        ".......",
        "...o...",
        "..oxx..",
    ]
    assert position.actions == [3, 3, 4, 2]
    assert position.text == "4453"
    assert position.action_name(3) == "4"
    assert repr(position) == "Position('connect4', '4453')"


def test_gomoku_is_written_as_cells() -> None:
    position = Position("gomoku6", "a1 f6 B2")
    assert drawn(position) == [
        ".....o",
        "......",
        "......",
        "......",
        ".x....",
        "x.....",
    ]
    assert position.text == "a1 f6 b2"
    assert position.actions == [30, 5, 25]
    assert position.action_name(0) == "a6"
    assert Position("gomoku15", "o15 a1").actions == [14, 210]


def test_blanks_around_names_do_not_matter() -> None:
    assert Position("connect4", " 44 5\n3").text == "4453"
    assert Position("gomoku6", "  a1\t f6\n").text == "a1 f6"


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("connect4", "44444442", "ply 7: column 4 is full"),
        ("connect4", "1444444" + "4", "ply 8: column 4 is full"),
        ("connect4", "12121213", "ply 8: the game was over after ply 7"),
        ("connect4", "4480", "ply 3: '8' is no column of this board"),
        ("connect4", "44é", "ply 3: 'é' is no column of this board"),
        ("connect4", "4-1", "ply 2: '-' is no column of this board"),
        ("connect4_4x4", "5", "ply 1: '5' is no column of this board"),
        ("gomoku9", "a1 b2 z9", "ply 3: 'z9' is no cell of this board"),
        ("gomoku9", "j1", "ply 1: 'j1' is no cell of this board"),
        ("gomoku9", "a10", "ply 1: 'a10' is no cell of this board"),
        ("gomoku9", "a0", "ply 1: 'a0' is no cell of this board"),
        ("gomoku9", "a01", "ply 1: 'a01' is no cell of this board"),
        ("gomoku9", "a99999999999999999999", "ply 1: 'a99999999999999999999' is no cell of this board"),
        ("gomoku9", "a1b2", "ply 1: 'a1b2' is no cell of this board"),
        ("gomoku9", "a1 " + "b" * 100_000, f"ply 2: '{'b' * 40}...' is no cell of this board"),
        ("gomoku9", "x" + "é" * 100_000, f"ply 1: 'x{'é' * 19}...' is no cell of this board"),
        ("gomoku9", "a1 b2 A1", "ply 3: cell a1 is taken"),
        ("tictactoe", "a1 a2 b1 b2 c1 c2", "ply 6: the game was over after ply 5"),
    ],
)
def test_a_bad_text_says_which_ply_and_why(game: str, text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        Position(game, text)
    assert str(error.value) == message


@pytest.mark.parametrize("action", [-1, 7, 1 << 20])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    for refused in (
        lambda: Position.from_actions("connect4", [3, action]),
        lambda: Position("connect4", "4").play(action),
    ):
        with pytest.raises(ValueError, match=rf"^ply 2: action {action} is not between 0 and 6$"):
            refused()
    with pytest.raises(ValueError, match=rf"^action {action} is not between 0 and 6$"):
        Position("connect4").action_name(action)


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    for refused in (lambda: Position("chess"), lambda: _core.game_spec("chess")):
        with pytest.raises(ValueError, match=r"'chess'; known games: connect4, .*tictactoe"):
            refused()
    with pytest.raises(ValueError, match="^no game is called 'x{40}...'; known games: "):
        _core.game_spec("x" * 100_000)


@pytest.mark.parametrize(
    ("game", "text", "cells"),
    [
        ("connect4", "1212121", [(2, 0), (3, 0), (4, 0), (5, 0)]),
        ("connect4", "1122334", [(5, 0), (5, 1), (5, 2), (5, 3)]),
        ("connect4", "12233434474", [(2, 3), (3, 2), (4, 1), (5, 0)]),
        ("connect4", "76655454414", [(2, 3), (3, 4), (4, 5), (5, 6)]),
        ("connect4", "1122553", []),
        # Five stones in a row, the last one put between the others : more than four count, and all are shown.
        ("connect4", "112255443", [(5, column) for column in range(5)]),
        ("tictactoe", "b2 a2 a1 c2 c3", [(0, 2), (1, 1), (2, 0)]),
    ],
)
def test_winning_cells(game: str, text: str, cells: list[tuple[int, int]]) -> None:
    position = Position(game, text)
    assert position.winning_cells == cells
    assert position.is_terminal == bool(cells)


def test_a_column_does_not_run_into_the_next() -> None:
    position = Position("connect4", "21717114141")
    assert drawn(position) == [
        "x......",
        "x......",
        "x......",
        "o......",
        "o..o..x",
        "ox.o..x",
    ]
    assert not position.is_terminal


def test_more_than_five_in_a_row_win_at_gomoku() -> None:
    position = Position("gomoku9", "a1 i9 b1 g9 c1 e9 e1 c9 f1 a9 d1")
    assert position.winning_cells == [(8, column) for column in range(6)]


def test_lines_do_not_wrap_around_the_edges_of_a_square_board() -> None:
    # In the order of cells, a1 comes after d2, e2 and f2.
    assert not Position("gomoku6", "d2 a6 e2 c6 f2 e6 a1").is_terminal
    assert Position("gomoku6", "d2 a6 e2 c6 f2 e6 c2").is_terminal


def planes_of(rows: int) -> NDArray[np.uint8]:
    return np.zeros((rows, 3, 6, 7), np.uint8)


@pytest.mark.parametrize(
    ("packed", "symmetry", "planes", "message"),
    [
        (np.zeros((2, 6), np.uint8), np.zeros(2, np.uint8), planes_of(2), r"packed must be .*\[2, 7\], not .*\[2, 6\]"),
        (np.zeros((2, 7), np.int8), np.zeros(2, np.uint8), planes_of(2), "packed must be .*uint8 .*, not .*int8"),
        (np.zeros((2, 7), np.uint8), np.zeros(3, np.uint8), planes_of(2), r"symmetry must be .*\[2\], not .*\[3\]"),
        (np.zeros((2, 7), np.uint8), np.zeros(2, np.uint8), planes_of(1), r"planes must be .*\[2, 3, 6, 7\]"),
        (np.zeros((2, 7), np.uint8), np.zeros(2, np.uint8), planes_of(4)[::2], "planes must be .* with gaps"),
        (np.zeros((2, 7), np.uint8), np.full(2, 2, np.uint8), planes_of(2), "symmetry must be below 2 in connect4"),
        (np.zeros(7, np.uint8), np.zeros(1, np.uint8), planes_of(1), "packed must be"),
    ],
)
def test_unpacking_refuses_arrays_of_another_shape_or_type(
    packed: NDArray[np.uint8], symmetry: NDArray[np.uint8], planes: NDArray[np.uint8], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        _core.unpack_planes("connect4", packed, symmetry, planes)


def test_unpacking_refuses_an_array_it_must_not_write_to() -> None:
    planes = planes_of(1)
    planes.flags.writeable = False
    with pytest.raises(ValueError, match="planes must be writable"):
        _core.unpack_planes("connect4", np.zeros((1, 7), np.uint8), np.zeros(1, np.uint8), planes)


def test_unpacking_no_rows_is_allowed() -> None:
    _core.unpack_planes("connect4", np.zeros((0, 7), np.uint8), np.zeros(0, np.uint8), planes_of(0))
