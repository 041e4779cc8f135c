"""native/selfplay against reference/search.py: what samples say is what the specification finds at each ply."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN
from tests.native.test_generator import new_generator, play

from c4.params.search import RootSelection
from c4.reference.games import START
from c4.reference.search import Search
from c4.reference.temperature import target_temperature_at

SMALL = "connect4_4x4"
# Nothing is left to chance but the opening, and which of equals is played.
CERTAIN = dataclasses.replace(
    PLAIN, num_simulations=16, noise_epsilon=0.0, gumbel_scale=0.0, temperature_start=0.0, temperature_end=0.0
)
# Moves are drawn by a schedule, and targets take its temperature.
COOLING = {
    "temperature_start": 1.5,
    "temperature_end": 0.25,
    "temperature_plies": 20,
    "policy_target_temperature": None,
}


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        (SMALL, {}),
        (SMALL, {"reuse_tree": False}),
        (SMALL, {"policy_target_temperature": 0.5}),
        (SMALL, {"proven_results": True, "mlh_slope": 0.05, "early_stop": True}),
        (SMALL, {"leaves_per_batch": 4, "discount": 0.9}),
        (SMALL, {"root_selection": RootSelection.GUMBEL, "proven_results": True}),
        ("connect4", COOLING),
        ("connect4", COOLING | {"root_selection": RootSelection.GUMBEL}),
    ],
    ids=str,
)
def test_samples_are_what_the_specification_finds(game: str, changes: dict[str, Any]) -> None:
    params = dataclasses.replace(CERTAIN, **changes)
    generator = new_generator(game=game, search=params, random_opening_probability=1.0, random_opening_plies=8)
    samples, games = play(generator, games=6 if game == SMALL else 2, game=game)
    evaluator = HashEvaluator(game=game)
    for number, record in games.items():
        opening = record["best"].count(-1)
        state = START[game]
        for action in record["actions"][:opening]:
            state = state.play(action)
        search = Search(state)
        for ply, action in enumerate(record["actions"][opening:], start=opening):
            search.run(params, params.num_simulations, evaluator.state)
            row = np.flatnonzero((samples["game_id"] == number) & (samples["ply"] == ply)).item()
            policy = np.zeros(state.actions, np.float32)
            policy[[child.action for child in search.root.children]] = search.policy(
                params, target_temperature_at(params, ply=ply)
            )
            assert samples["policy"][row].tobytes() == policy.tobytes()
            assert samples["root_value"][row] == search.value(params)
            assert record["best"][ply] == search.best_child(params).action
            search.play(action, params)
