"""Trees grown once and kept: a bug that enters the specification and the native search alike is noticed here.

After a change of the search that is meant, `python -m tests.differential.test_golden` writes them anew; read the diff.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN, think

from c4.native._core import Position, Searches

FOLDER = Path(__file__).parent / "golden"

CASES: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "connect4_plain": ("connect4", "4453", 400, {}),
    "connect4_users_defaults": ("connect4", "", 400, {"cpuct": 4.0}),
    "connect4_moves_left": ("connect4", "44444", 400, {"mlh_slope": 0.03, "mlh_cap": 0.15}),
    "connect4_proven": ("connect4", "2252576253462244111563365343671", 400, {"proven_results": True}),
    "connect4_several_leaves": ("connect4", "3367", 400, {"leaves_per_batch": 8, "virtual_loss": 2.0}),
    "connect4_discount": ("connect4", "1", 200, {"discount": 0.95, "fpu_reduction": 1.0}),
    "connect4_4x4_proven": ("connect4_4x4", "12", 400, {"proven_results": True, "mlh_slope": 0.05}),
    "connect4_gumbel": ("connect4", "4453", 64, {"root_selection": "gumbel", "mlh_slope": 0.03, "mlh_cap": 0.15}),
    "connect4_gumbel_proven": (
        "connect4",
        "2252576253462244111563365343671",
        200,
        {"root_selection": "gumbel", "proven_results": True},
    ),
    "gomoku8_plain": ("gomoku8", "d4 d5 e4", 400, {}),
    "tictactoe_plain": ("tictactoe", "b2", 300, {}),
}


def grow(case: str) -> dict[str, Any]:
    """The root and the nodes below it that were visited most, numbers as they are in memory (hexadecimal)."""
    game, position, simulations, changes = CASES[case]
    searches = Searches(game, 1, dataclasses.replace(PLAIN, **changes))
    searches.set_position(0, Position(game, position))
    think(searches, 0, simulations, HashEvaluator(game=game))
    tree = {}
    path: list[int] = []
    while True:
        node = searches.node(0, path)
        if not node.expanded:
            return {"case": [game, position, simulations, changes], "best": searches.best_action(0), "line": tree}
        name = " ".join(str(action) for action in path) or "root"
        tree[name] = {
            "q": float(node.q).hex(),
            "m": float(node.m).hex(),
            "bounds": [node.lower, node.upper],
            "actions": node.actions.tolist(),
            "visits": node.child_visits.tolist(),
            "child_q": [float(q).hex() for q in node.child_q],
            "child_m": [float(m).hex() for m in node.child_m],
            "prior": [float(p).hex() for p in node.prior],
        }
        path.append(int(node.actions[node.child_visits.argmax()]))


@pytest.mark.parametrize("case", CASES)
def test_the_tree_is_the_one_that_was_kept(case: str) -> None:
    assert grow(case) == json.loads((FOLDER / f"{case}.json").read_text())


if __name__ == "__main__":
    for name in CASES:
        (FOLDER / f"{name}.json").write_text(json.dumps(grow(name), indent=1) + "\n")
