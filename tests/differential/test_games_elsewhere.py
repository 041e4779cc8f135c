"""The rules against implementations that nobody here wrote: OpenSpiel's and PettingZoo's."""

from __future__ import annotations

import numpy as np
import pytest

from c4.native._core import Position

OPEN_SPIEL = {
    "connect4": "connect_four",
    "connect4_4x4": "connect_four(rows=4,columns=4)",
    "connect4_5x4": "connect_four(rows=4,columns=5)",
    "connect4_5x5": "connect_four(rows=5,columns=5)",
    "connect4_6x5": "connect_four(rows=5,columns=6)",
    "gomoku6": "gomoku(size=6,connect=4)",
    "gomoku8": "gomoku(size=8,connect=5)",
    "gomoku9": "gomoku(size=9,connect=5)",
    "gomoku15": "mnk(m=15,n=15,k=5)",
    "tictactoe": "tic_tac_toe",
}


@pytest.mark.parametrize("game", OPEN_SPIEL)
def test_random_games_agree_with_open_spiel(game: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rng = np.random.default_rng(1)
    results = set()
    for _ in range(60):
        position, state = Position(game), pyspiel.load_game(OPEN_SPIEL[game]).new_initial_state()
        while not state.is_terminal():
            assert not position.is_terminal
            assert position.legal == state.legal_actions()
            assert position.ply % 2 == state.current_player()
            action = int(rng.choice(position.legal))
            position = position.play(action)
            state.apply_action(action)
        assert position.is_terminal
        # OpenSpiel's returns are by player; a value belongs to the side to move.
        assert position.value == state.returns()[position.ply % 2]
        results.add(state.returns()[0])
    assert {-1.0, 1.0} <= results


def test_random_games_agree_with_petting_zoo() -> None:
    connect_four = pytest.importorskip("pettingzoo.classic.connect_four.connect_four")
    rng = np.random.default_rng(2)
    environment = connect_four.raw_env()
    for seed in range(60):
        position = Position("connect4")
        environment.reset(seed=seed)
        while not any(environment.terminations.values()):
            seen = environment.observe(environment.agent_selection)
            assert position.legal == np.flatnonzero(seen["action_mask"]).tolist()
            own, other = position.planes()[:2]
            np.testing.assert_array_equal(np.stack([own, other], axis=-1), seen["observation"])
            action = int(rng.choice(position.legal))
            position = position.play(action)
            environment.step(action)
        assert position.is_terminal
        assert position.value == environment.rewards[f"player_{position.ply % 2}"]
