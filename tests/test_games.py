"""Shapes of games, and the help a mistyped name gets."""

from __future__ import annotations

import dataclasses

import pytest

from c4.games import GameSpec, UnknownGameError, game_names, game_spec


def test_connect_four_has_its_shape() -> None:
    assert game_spec("connect4") == GameSpec(
        name="connect4",
        title="Connect Four",
        planes=3,
        height=6,
        width=7,
        in_a_row=4,
        actions=7,
        max_plies=42,
        symmetries=2,
        packed_bytes=7,
    )


def test_a_spec_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        game_spec("connect4").height = 7  # type: ignore[misc]


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
