"""A cheap engine, knobs for games of a moment, and a source that plays them: for tests that need samples."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.differential.trees import PLAIN

from c4.games import GameSpec, game_spec
from c4.native.knobs import plain_selfplay
from c4.network.inference.engine import Evaluations
from c4.params.data import DataParams, Repeats
from c4.selfplay.local import LocalSource
from c4.selfplay.source import Glance

GAME = "connect4_4x4"

SEARCH = dataclasses.replace(PLAIN, num_simulations=16, temperature_end=0.5)

SELFPLAY = plain_selfplay(
    games_per_group=8,
    groups=3,
    cache_megabytes=0.0625,
    full_search_probability=0.5,
    fast_simulations=8,
    random_opening_probability=0.5,
    random_opening_plies=4,
    trace_tolerance=0.05,
)

DATA = DataParams(
    batch_size=32,
    sampling_ratio=2.0,
    generation_samples_first=100,
    generation_samples_growth=1.5,
    generation_samples_max=300,
    window_first=250,
    window_growth=0.5,
    window_max=400,
    symmetries=True,
    probe_samples=50,
    repeats=Repeats.EACH,
    repeat_weight=0.5,
    surprise_share=0.0,
)


@dataclasses.dataclass(frozen=True)
class Ready:
    """A batch that was answered when it was asked."""

    evaluations: Evaluations

    def result(self) -> Evaluations:
        return self.evaluations


class LinearEngine:
    """Every row's evaluation is a linear function of its planes, and the same in any batch."""

    def __init__(self, *, game: GameSpec) -> None:
        self._game = game
        self.loaded: list[Mapping[str, Any]] = []
        self.rows: list[int] = []
        self.load({"seed": 0})

    def load(self, state: Mapping[str, Any]) -> None:
        self.loaded.append(state)
        cells = self._game.planes * self._game.height * self._game.width
        stream = np.random.default_rng(int(state["seed"]))
        self._weights = stream.integers(-8, 9, size=(cells, self._game.actions + 2)).astype(np.float32) / 8.0

    def submit(self, planes: NDArray[np.uint8]) -> Ready:
        self.rows.append(len(planes))
        answer = planes.reshape(len(planes), -1).astype(np.float32) @ self._weights  # sums of eighths: exact
        actions = self._game.actions
        return Ready(
            Evaluations(
                policy_logits=np.ascontiguousarray(answer[:, :actions]),
                value=np.tanh(answer[:, actions]),
                plies_left=np.abs(answer[:, actions + 1]),
            )
        )


def local_source(*, game: str = GAME, seed: int = 1, **selfplay: Any) -> tuple[LocalSource, LinearEngine]:
    spec = game_spec(game)
    engine = LinearEngine(game=spec)
    params = dataclasses.replace(SELFPLAY, **selfplay)
    return LocalSource(game=spec, search=SEARCH, selfplay=params, engine=engine, seed=seed), engine


def never(glance: Glance) -> bool:
    """A watch that lets the playing go on."""
    return False
