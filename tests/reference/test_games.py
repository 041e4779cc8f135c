"""The reference rules against facts that nobody here wrote, and on drawn boards."""

from __future__ import annotations

import pytest

from c4.reference.games import START, State


def played(game: str, actions: list[int]) -> State:
    state = START[game]
    for action in actions:
        state = state.play(action)
    return state


def positions_by_ply(state: State, plies: int) -> list[int]:
    counts, level = [1], {state}
    for _ in range(plies):
        level = {parent.play(action) for parent in level for action in parent.legal_actions()}
        counts.append(len(level))
    return counts


def test_connect_four_has_the_positions_of_the_encyclopaedia() -> None:
    """OEIS A212693; as far as a slow board gets, the rest in tests/native/games_test.cc."""
    assert positions_by_ply(START["connect4"], 5) == [1, 7, 49, 238, 1120, 4263]


def test_tic_tac_toe_has_the_known_number_of_positions() -> None:
    assert sum(positions_by_ply(START["tictactoe"], 9)) == 5478


def test_equal_stones_make_equal_states() -> None:
    state, other = played("connect4", [0, 1, 2]), played("connect4", [2, 1, 0])
    assert state == other
    assert hash(state) == hash(other)
    assert state != played("connect4", [0, 2, 1])


def test_play_leaves_the_state_as_it_was() -> None:
    start = START["connect4"]
    start.play(3)
    assert start == START["connect4"]
    assert start.ply == 0


@pytest.mark.parametrize("action", [-1, 0, 7])
def test_what_is_not_legal_is_refused(action: int) -> None:
    full = played("connect4", [0, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match=f"action {action} is not legal here"):
        full.play(action)


def test_nothing_is_legal_after_the_end_and_no_result_before() -> None:
    state = played("connect4", [0, 1, 0, 1, 0, 1])
    with pytest.raises(ValueError, match="not over"):
        state.result()
    assert state.play(0).legal_actions() == []


def test_planes_are_those_of_the_image() -> None:
    state = played("connect4", [0, 0, 6])
    own, other, first = state.planes(symmetry=1)
    assert own[4].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert other[5].tolist() == [1, 0, 0, 0, 0, 0, 1]
    assert not first.any()
