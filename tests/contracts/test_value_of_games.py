"""The sign of a value (native/value.h) where a game ends: it belongs to the side to move, who did not move last.

Other places where a value appears pin their sign beside this file.
"""

from __future__ import annotations

import pytest

from c4.games import game_names
from c4.native._core import Position
from c4.reference.games import START

# Won by the first player's last stone, by the second player's, and by nobody.
FIRST_WINS = {"connect4": "1212121", "gomoku9": "a1 a2 b1 b2 c1 c2 d1 d2 e1", "tictactoe": "a1 a2 b1 b2 c1"}
SECOND_WINS = {"connect4": "71212121", "gomoku9": "i9 a1 a3 b1 b3 c1 c3 d1 h9 e1", "tictactoe": "a3 a1 b3 b1 a2 c1"}
DRAWN = {"connect4_4x4": "1212212134344343", "tictactoe": "a1 b1 c1 b2 a2 c2 b3 a3 c3"}


@pytest.mark.parametrize("lines", [FIRST_WINS, SECOND_WINS])
def test_the_side_to_move_has_lost_whoever_it_is(lines: dict[str, str]) -> None:
    for game, text in lines.items():
        end = Position(game, text)
        assert end.is_terminal
        assert end.value == -1


def test_a_draw_is_worth_nothing_to_either_side() -> None:
    for game, text in DRAWN.items():
        assert Position(game, text).value == 0


@pytest.mark.parametrize("game", game_names())
def test_a_winning_move_is_worth_one_to_who_makes_it(game: str) -> None:
    """Q(s, a) = Flip(V(s')): nobody is ever worse off by the move that ends the game."""
    position = Position(game)
    while not position.is_terminal:
        children = [position.play(action) for action in position.legal]
        worth = [-child.value for child in children if child.is_terminal]
        assert all(value in {0, 1} for value in worth)
        position = next((child for child in children if child.is_terminal), children[0])
    assert position.value in {-1, 0}


@pytest.mark.parametrize("lines", [FIRST_WINS, SECOND_WINS, DRAWN])
def test_the_reference_means_the_same(lines: dict[str, str]) -> None:
    for game, text in lines.items():
        end, state = Position(game, text), START[game]
        for action in end.actions:
            state = state.play(action)
        assert state.result() == end.value
