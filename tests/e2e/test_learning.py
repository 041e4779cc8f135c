"""experiment=tiny learns its board: value-preserving moves over all of its positions, whose values are worked out here.

The truth comes from nothing but the rules: every position is visited, and values are passed back from the ends.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from tests.e2e.training_kit import ROOT, only_run, train

from c4.evaluation.judges import Budgets, searched
from c4.native._core import Position
from c4.network.inference.factory import make_engine
from c4.network.weights import load_player
from c4.params.inference import EngineName
from c4.params.train import TrainConfig
from c4.params.walk import build

SIMULATIONS = 64
BAR = 0.99


def solved(game: str) -> dict[int, tuple[Position, int]]:
    """Every position up to symmetry that can be reached, by its key, with its value for the side to move."""
    levels: list[dict[int, Position]] = [{Position(game).canonical_key: Position(game)}]
    while levels[-1]:
        following: dict[int, Position] = {}
        for position in levels[-1].values():
            for action in position.legal:
                after = position.play(action)
                following.setdefault(after.canonical_key, after)
        levels.append(following)
    values: dict[int, tuple[Position, int]] = {}
    for level in reversed(levels):
        for key, position in level.items():
            value = position.value if position.is_terminal else max(moves(position, values).values())
            values[key] = (position, value)
    return values


def moves(position: Position, values: dict[int, tuple[Position, int]]) -> dict[int, int]:
    """What each move is worth to who makes it; value: native/value.h."""
    return {action: -values[position.play(action).canonical_key][1] for action in position.legal}


def test_the_empty_board_of_four_by_four_is_a_draw() -> None:
    values = solved("connect4_4x4")
    assert values[Position("connect4_4x4").canonical_key][1] == 0
    assert {value for _, value in values.values()} == {-1, 0, 1}


@pytest.mark.slow
def test_the_tiny_experiment_plays_its_whole_board_almost_perfectly(tmp_path: Path) -> None:
    train("experiment=tiny", "evaluation.grading.every=0", runs=tmp_path)
    player = load_player(only_run(tmp_path) / "checkpoints" / "last.safetensors")
    with initialize_config_dir(config_dir=str(ROOT / "conf"), version_base="1.3"):
        config = build(TrainConfig, compose("train", overrides=["experiment=tiny", "inference=torch"]))
    assert config.inference.engine is EngineName.TORCH
    engine = make_engine(config.inference, spec=player.spec, network=player.network)
    engine.load(player.state)
    values = solved(player.spec.name)
    positions = [position for position, _ in values.values() if not position.is_terminal]
    budgets = Budgets(trees=1024, threads=1, cache_megabytes=16.0)
    found = searched(positions, engine, params=config.search, simulations=[SIMULATIONS], budgets=budgets)
    engine.close()
    kept = np.array(
        [
            moves(position, values)[int(action)] == values[position.canonical_key][1]
            for position, action in zip(positions, found[SIMULATIONS].action, strict=True)
        ]
    )
    assert kept.mean() >= BAR, f"{kept.mean():.2%} of {len(kept):,} positions"
    print(f"{kept.mean():.3%} of {len(kept):,} positions")
