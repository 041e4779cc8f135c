"""What every registered game must keep: the promises of native/game.h, seen through the bindings.

A new game is tested here from the moment it is registered. That its rules are the right ones is the business of
tests/differential.
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from c4.games import GameSpec, game_names, game_spec
from c4.native import _core
from c4.native._core import Position

every_game = pytest.mark.parametrize("game", game_names())
choices = st.lists(st.integers(0, 1 << 16), max_size=300)


@cache
def table_of(game: str) -> NDArray[np.int32]:
    return _core.symmetry_actions(game)


def line_of_play(game: str, choices: list[int]) -> list[Position]:
    """The positions of a game in which each choice picks one of the legal actions."""
    positions = [Position(game)]
    for choice in choices:
        legal = positions[-1].legal
        if not legal:
            break
        positions.append(positions[-1].play(legal[choice % len(legal)]))
    return positions


def random_end(game: str, seed: int) -> Position:
    rng = np.random.default_rng(seed)
    position = Position(game)
    while not position.is_terminal:
        position = position.play(int(rng.choice(position.legal)))
    return position


def seen_under(position: Position, symmetry: int) -> Position:
    table = table_of(position.game)
    return Position.from_actions(position.game, [int(table[symmetry, action]) for action in position.actions])


def unpacked(spec: GameSpec, position: Position, symmetries: list[int]) -> NDArray[np.uint8]:
    packed = np.tile(position.packed(), (len(symmetries), 1))
    planes = np.full((len(symmetries), spec.planes, spec.height, spec.width), 255, np.uint8)
    _core.unpack_planes(spec.name, packed, np.array(symmetries, np.uint8), planes)
    return planes


@every_game
def test_the_start_is_empty_and_open(game: str) -> None:
    start, spec = Position(game), game_spec(game)
    assert (start.ply, start.actions, start.text, start.is_terminal) == (0, [], "", False)
    assert start.board().shape == (spec.height, spec.width)
    assert not start.board().any()
    assert start.legal


@every_game
@settings(deadline=None, max_examples=20)
@given(choices=choices)
def test_each_ply_adds_one_stone_of_the_player_whose_turn_it_is(game: str, choices: list[int]) -> None:
    for ply, (before, after) in enumerate(itertools.pairwise(line_of_play(game, choices))):
        assert before.legal == sorted(set(before.legal))
        assert after.ply == ply + 1
        changed = before.board() != after.board()
        assert before.board()[changed].tolist() == [0]
        assert after.board()[changed].tolist() == [ply % 2 + 1]


@every_game
@settings(deadline=None, max_examples=20)
@given(choices=choices)
def test_planes_show_the_board_to_the_side_to_move(game: str, choices: list[int]) -> None:
    for position in line_of_play(game, choices):
        own, other = (1, 2) if position.ply % 2 == 0 else (2, 1)
        planes, board = position.planes(), position.board()
        assert planes.dtype == np.uint8
        np.testing.assert_array_equal(planes[0], board == own)
        np.testing.assert_array_equal(planes[1], board == other)
        np.testing.assert_array_equal(planes[2], np.full_like(board, own == 1))


@every_game
@settings(deadline=None, max_examples=20)
@given(choices=choices)
def test_a_position_is_read_back_as_it_was_written(game: str, choices: list[int]) -> None:
    position = line_of_play(game, choices)[-1]
    for copy in (Position(game, position.text), Position.from_actions(game, position.actions)):
        assert copy.actions == position.actions
        assert copy.text == position.text
        assert copy.key == position.key
        assert copy.is_terminal == position.is_terminal
        np.testing.assert_array_equal(copy.board(), position.board())


@every_game
@settings(deadline=None, max_examples=20)
@given(choices=choices)
def test_a_symmetric_image_is_the_same_game(game: str, choices: list[int]) -> None:
    spec = game_spec(game)
    position = line_of_play(game, choices)[-1]
    symmetries = list(range(spec.symmetries))
    for symmetry, planes in zip(symmetries, unpacked(spec, position, symmetries), strict=True):
        image = seen_under(position, symmetry)
        assert image.legal == sorted(table_of(game)[symmetry][position.legal].tolist())
        assert image.is_terminal == position.is_terminal
        assert len(image.winning_cells) == len(position.winning_cells)
        if position.is_terminal:
            assert image.value == position.value
        assert image.canonical_key == position.canonical_key
        np.testing.assert_array_equal(planes, image.planes())


@every_game
@settings(deadline=None, max_examples=20)
@given(choices=choices)
def test_the_canonical_symmetry_leads_to_the_canonical_image(game: str, choices: list[int]) -> None:
    position = line_of_play(game, choices)[-1]
    image = seen_under(position, position.canonical_symmetry)
    assert image.key == position.canonical_key


@every_game
def test_symmetries_are_a_group_of_permutations(game: str) -> None:
    table, spec = table_of(game), game_spec(game)
    assert table.shape == (spec.symmetries, spec.actions)
    rows = {tuple(row) for row in table.tolist()}
    assert table[0].tolist() == list(range(spec.actions))
    assert len(rows) == spec.symmetries
    for first in table:
        assert sorted(first.tolist()) == list(range(spec.actions))
        assert {tuple(second[first].tolist()) for second in table} == rows


@every_game
def test_keys_are_equal_exactly_where_boards_are(game: str) -> None:
    """All positions that the first few legal actions lead to: many of them by several ways."""
    key_of_board: dict[bytes, int] = {}
    ways, level = 0, [Position(game)]
    for _ in range(6):
        level = [position.play(action) for position in level for action in position.legal[:4]]
        for position in level:
            ways += 1
            assert key_of_board.setdefault(position.board().tobytes(), position.key) == position.key
    assert len(key_of_board) < ways
    assert len(set(key_of_board.values())) == len(key_of_board)


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_a_game_ends_with_a_result(game: str, seed: int) -> None:
    end, spec = random_end(game, seed), game_spec(game)
    assert end.ply <= spec.max_plies
    assert end.legal == []
    winner = (end.ply - 1) % 2 + 1
    assert end.value == (-1 if end.winning_cells else 0)
    assert all(end.board()[cell] == winner for cell in end.winning_cells)
    assert len(end.winning_cells) == 0 or len(end.winning_cells) >= spec.in_a_row
    if end.value == 0:
        assert (end.board() != 0).all()
        assert end.ply == spec.max_plies  # a proof goes by it
    for action in range(spec.actions):
        with pytest.raises(ValueError, match=rf"^ply {end.ply + 1}: the game was over after ply {end.ply}$"):
            end.play(action)


@every_game
@settings(deadline=None, max_examples=20)
@given(choices=choices)
def test_what_is_not_legal_is_refused_with_its_ply(game: str, choices: list[int]) -> None:
    position = line_of_play(game, choices)[-1]
    if position.is_terminal:
        return
    with pytest.raises(ValueError, match="the game is not over"):
        _ = position.value
    for action in set(range(-1, game_spec(game).actions + 1)) - set(position.legal):
        with pytest.raises(ValueError, match=rf"^ply {position.ply + 1}: .+"):
            position.play(action)


@every_game
@settings(deadline=None, max_examples=200)
@given(text=st.text() | st.text(alphabet="12345678 abci\n"))
def test_any_text_is_a_position_or_is_refused_with_its_ply(game: str, text: str) -> None:
    try:
        position = Position(game, text)
    except ValueError as error:
        assert str(error).startswith("ply ")  # noqa: PT017
    else:
        assert Position(game, position.text).actions == position.actions


@every_game
def test_playing_leaves_the_position_as_it_was(game: str) -> None:
    start = Position(game)
    start.play(start.legal[0])
    assert (start.ply, start.key) == (0, Position(game).key)


@every_game
def test_rows_are_unpacked_each_under_its_own_symmetry(game: str) -> None:
    spec, positions = game_spec(game), [random_end(game, seed) for seed in range(7)]
    symmetries = np.arange(len(positions), dtype=np.uint8) % spec.symmetries
    planes = np.full((len(positions), spec.planes, spec.height, spec.width), 255, np.uint8)
    _core.unpack_planes(game, np.stack([position.packed() for position in positions]), symmetries, planes)
    for position, symmetry, row in zip(positions, symmetries, planes, strict=True):
        np.testing.assert_array_equal(row, seen_under(position, int(symmetry)).planes())
