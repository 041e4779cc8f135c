"""The rules in C++ against the reference, ply for ply, on lines of play that hypothesis draws, in every game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from c4.games import game_names
from c4.native import _core
from c4.native._core import Position
from c4.reference.games import START, State


def assert_same(position: Position, state: State) -> None:
    np.testing.assert_array_equal(position.board(), np.array(state.board))
    np.testing.assert_array_equal(position.planes(), state.planes())
    assert position.ply == state.ply
    assert position.legal == state.legal_actions()
    assert position.is_terminal == state.is_terminal()
    assert position.winning_cells == state.winning_cells
    if position.is_terminal:
        assert position.value == state.result()


@pytest.mark.parametrize("game", game_names())
@settings(deadline=None, max_examples=15)
@given(choices=st.lists(st.integers(0, 1 << 16), max_size=300))
def test_a_line_of_play(game: str, choices: list[int]) -> None:
    position, state = Position(game), START[game]
    assert_same(position, state)
    for choice in choices:
        if position.is_terminal:
            break
        action = position.legal[choice % len(position.legal)]
        position, state = position.play(action), state.play(action)
        assert_same(position, state)


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_to_its_end(game: str, seed: int) -> None:
    """Lists that are drawn are mostly short: full boards and draws are found here."""
    rng = np.random.default_rng(seed)
    position, state = Position(game), START[game]
    while not position.is_terminal:
        action = int(rng.choice(position.legal))
        position, state = position.play(action), state.play(action)
        assert position.is_terminal == state.is_terminal()
    assert_same(position, state)


@pytest.mark.parametrize("game", game_names())
@settings(deadline=None, max_examples=10)
@given(choices=st.lists(st.integers(0, 1 << 16), max_size=40), data=st.data())
def test_symmetries(game: str, choices: list[int], data: st.DataObject) -> None:
    position, state = Position(game), START[game]
    for choice in choices:
        if position.is_terminal:
            break
        action = position.legal[choice % len(position.legal)]
        position, state = position.play(action), state.play(action)
    table = _core.symmetry_actions(game)
    symmetry = data.draw(st.integers(0, state.symmetries - 1))
    assert table[symmetry].tolist() == [state.transform(action, symmetry) for action in range(state.actions)]
    planes = np.empty((1, *state.planes().shape), np.uint8)
    _core.unpack_planes(game, position.packed()[None], np.array([symmetry], np.uint8), planes)
    np.testing.assert_array_equal(planes[0], state.planes(symmetry))
    image = state.seen_under(symmetry)
    assert image.canonical_key() == state.canonical_key()
    assert image.legal_actions() == sorted(state.transform(action, symmetry) for action in state.legal_actions())


@pytest.mark.parametrize("game", game_names())
def test_names_of_actions(game: str) -> None:
    position, state = Position(game), START[game]
    assert [position.action_name(action) for action in range(state.actions)] == [
        state.action_name(action) for action in range(state.actions)
    ]
