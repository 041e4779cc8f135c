"""The policy in PettingZoo's own connect_four_v3."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.adapters.kit import player_of
from tests.network.shapes import CONNECT4, GOMOKU, SMALL

from c4 import load_agent
from c4.adapters.petting_zoo import ConnectFourPolicy
from c4.agent import Agent
from c4.games import GameSpec
from c4.network.weights import save_player


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    loaded = load_agent(_saved(tmp_path, CONNECT4), "simulations=100", "inference=torch")
    yield loaded
    loaded.close()


def _saved(folder: Path, spec: GameSpec) -> Path:
    save_player(folder / "p.safetensors", spec=spec, design=SMALL, state=player_of(spec, SMALL).state, card={})
    return folder / "p.safetensors"


@pytest.mark.parametrize("seat", [0, 1])
def test_beats_chance(agent: Agent, seat: int) -> None:
    connect_four_v3 = pytest.importorskip("pettingzoo.classic.connect_four_v3", reason="PettingZoo is not installed")
    policy, rng, environment = ConnectFourPolicy(agent), np.random.default_rng(seat), connect_four_v3.env()
    for seed in range(5):
        environment.reset(seed=seed)
        rewards = [0.0, 0.0]
        for name in environment.agent_iter():
            observation, reward, terminated, truncated, _ = environment.last()
            player = int(name[-1])
            rewards[player] += reward
            if terminated or truncated:
                environment.step(None)
            elif player == seat:
                environment.step(policy(observation))
            else:
                environment.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        assert rewards[seat] == 1
    environment.close()


def test_the_mover_is_read_from_the_stones(agent: Agent) -> None:
    """The observation shows own stones first, whoever is to move."""
    policy = ConnectFourPolicy(agent)
    stones = np.zeros((6, 7, 2), np.int8)
    stones[5, 0:3, 1] = 1  # the opponent, first player, is about to win with the fourth column
    stones[4, 0:2, 0] = 1
    assert policy({"observation": stones}) == 3


def test_another_game_is_refused(tmp_path: Path) -> None:
    other = load_agent(_saved(tmp_path, GOMOKU), "inference=torch")
    with pytest.raises(ValueError, match="plays gomoku6"):
        ConnectFourPolicy(other)
    other.close()
