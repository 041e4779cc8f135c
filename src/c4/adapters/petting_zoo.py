"""An agent as a policy for PettingZoo's connect_four_v3: observations in, columns out. Does not import PettingZoo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from c4.adapters.boards import position_of
from c4.agent import Agent
from c4.native._core import Position


class ConnectFourPolicy:
    """`policy(observation)` for whoever is to move; one policy may play both sides, and any number of games.

    It keeps its search tree while the boards that it is shown continue each other.
    """

    def __init__(self, agent: Agent) -> None:
        if agent.game != "connect4":
            raise ValueError(
                f"connect_four_v3 is Connect Four on 6 rows and 7 columns: {agent.name} plays {agent.game}"
            )
        self._agent = agent
        self._seen = Position(agent.game)

    def __call__(self, observation: Mapping[str, Any]) -> int:
        """The column to play. Raises ValueError where the board is full, won, or cannot be reached."""
        stones = np.asarray(observation["observation"])  # [6, 7, 2]: own, the opponent's
        own, other = (int(count) for count in stones.sum(axis=(0, 1)))
        mover = 1 if own == other else 2
        board = mover * stones[..., 0] + (3 - mover) * stones[..., 1]
        self._seen = position_of(board, game=self._agent.game, since=self._seen)
        return self._agent.act(self._seen)
