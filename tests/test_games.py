"""Shapes of games, and the help a mistyped name gets."""

from __future__ import annotations

import copy

import pytest

from c4.games import UnknownGameError, game_names, game_spec


def test_connect_four_has_its_shape() -> None:
    spec = game_spec("connect4")
    assert (spec.name, spec.title, spec.in_a_row, spec.max_plies) == ("connect4", "Connect Four", 4, 42)
    assert (spec.planes, spec.height, spec.width, spec.actions, spec.symmetries, spec.packed_bytes) == (
        3,
        6,
        7,
        7,
        2,
        7,
    )


def test_a_spec_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        game_spec("connect4").height = 7  # type: ignore[misc]


def test_a_copy_is_of_the_same_game() -> None:
    """Networks keep the one that they are made for, and are copied."""
    spec, other = game_spec("gomoku8"), game_spec("gomoku6")
    twin = copy.deepcopy(spec)
    assert (twin, hash(twin), twin.width) == (spec, hash(spec), 8)
    assert spec != other
    assert spec != "gomoku8"


def test_titles_tell_games_apart() -> None:
    assert len({game_spec(name).title for name in game_names()}) == len(game_names())


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("conect4", "Did you mean 'connect4'?"), ("gomuku9", "Did you mean 'gomoku9'?"), ("Q", "'Q'. The games are con")],
)
def test_a_mistyped_name_gets_the_nearest_one(typed: str, hint: str) -> None:
    with pytest.raises(UnknownGameError, match=r"The games are .*tictactoe\.$") as error:
        game_spec(typed)
    assert hint in str(error.value)
