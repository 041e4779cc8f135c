"""What the tests of this folder share: small labelled sets, networks that know the truth, searches."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from tests.differential.trees import PLAIN

from c4.evaluation.labels import LabelledSet, from_scores
from c4.native._core import game_spec

SEARCH = dataclasses.replace(PLAIN, num_simulations=32, proven_results=True, early_stop=True, temperature_plies=4)


def three_positions() -> LabelledSet:
    """Won, lost and drawn on 7x6, with scores made up so that every figure can be computed by hand.

    ply  value  preserving  fastest  plies to the end: the winner plays the last ply
     4   won    0 1         1        score 1 ends at ply 41 (42 is the loser's), 3 at 37
     5   lost   all         0        score -2 ends at ply 39 (40 is the loser's), -4 at 35
     6   drawn  2 3         2 3      ends at ply 42
    """
    return from_scores(
        name="three",
        game="connect4",
        moves=[(0, 1, 2, 4), (0, 0, 1, 2, 4), (6, 6, 6, 6, 6, 6)],
        scores=[
            [1, 3, 0, 0, -5, -5, -5],
            [-2, -4, -4, -4, -4, -4, -4],
            [-3, -3, 0, 0, -3, -3, None],
        ],
    )


@dataclasses.dataclass
class Answer:
    """A batch that is done at once."""

    evaluations: tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]

    def result(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        return self.evaluations


class Judge:
    """A network that has no idea: even policy, value 0."""

    def __init__(self, game: str = "connect4") -> None:
        self.actions = game_spec(game).actions
        self.rows = 0

    def evaluate(
        self, planes: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        n = len(planes)
        self.rows += n
        return np.zeros((n, self.actions), np.float32), np.zeros(n, np.float32), np.full(n, 5, np.float32)

    def submit(self, planes: NDArray[np.uint8]) -> Answer:
        return Answer(self.evaluate(planes))


class KnowingJudge(Judge):
    """A network that knows the truth about a set, but for a share of positions about which it believes the contrary."""

    def __init__(self, labels: LabelledSet, *, damage: float = 0.0) -> None:
        super().__init__(labels.game)
        wrong = np.random.default_rng(1).random(len(labels)) < damage
        right = np.where(labels.preserving, 0.0, -30.0)
        logits = np.where(wrong[:, None], -30.0 - right, right).astype(np.float32)
        value = (labels.value * np.where(wrong, -1, 1)).astype(np.float32)
        left = np.where(wrong, labels.cells - labels.moves_left, labels.moves_left).astype(np.float32)
        rows = zip(labels.positions(), logits, value, left, strict=True)
        self._known = {position.planes().tobytes(): row for position, *row in rows}

    def evaluate(
        self, planes: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        rows = [self._known[one.tobytes()] for one in planes]
        logits, value, left = zip(*rows, strict=True)
        return np.stack(logits), np.array(value, np.float32), np.array(left, np.float32)


class HashJudge(Judge):
    """A network with an opinion on everything that follows from the planes alone."""

    def evaluate(
        self, planes: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        streams = [np.random.default_rng(list(np.packbits(one))) for one in planes]
        drawn = np.array([stream.random(self.actions + 2) for stream in streams], np.float32)
        return 4 * drawn[:, 2:], 2 * drawn[:, 0] - 1, 20 * drawn[:, 1]


def actions(*choices: int) -> NDArray[np.int64]:
    return np.array(choices, dtype=np.int64)


def policy(*rows: Sequence[float]) -> NDArray[np.float64]:
    return np.array(rows, dtype=np.float64)
