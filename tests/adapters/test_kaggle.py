"""The file for Kaggle's ConnectX: says what the network says, finds what can be found, and plays in Kaggle's own."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.adapters.kit import CONNECT_X, executed, export_config, player_of
from tests.network.shapes import CONNECT4, GOMOKU, SHAPES, SMALL, random_planes

from c4.adapters.kaggle import submission
from c4.games import game_spec
from c4.native._core import Position
from c4.network.output import evaluation
from c4.network.weights import PlayerFileError
from c4.reference.solver import Board, Solver

TINY = game_spec("connect4_4x4")
SOLVER = Solver(Board(height=4, width=4, in_a_row=4, gravity=True))


@cache
def text(shape: str = "plain", *, game: str = "connect4", simulations: int = 300) -> str:
    """No move ends by the clock: tests must not depend on how busy the machine is."""
    player = player_of(game_spec(game), SHAPES[shape])
    return submission(player, search=export_config().search, seconds=1e6, simulations=simulations)


def observed(position: Position) -> dict[str, Any]:
    return {"board": position.board().ravel().tolist(), "mark": 1 + position.ply % 2}


def answer(moves: str) -> int:
    act, _ = executed(text())
    return act(observed(Position("connect4", moves)), CONNECT_X | {"actTimeout": 1e6})


@pytest.mark.parametrize("shape", SHAPES)
def test_its_network_says_what_torch_says(shape: str) -> None:
    _, names = executed(text(shape))
    planes = random_planes(CONNECT4, 64, seed=3).float()
    with torch.no_grad():
        expected = evaluation(player_of(CONNECT4, SHAPES[shape]).network(planes))
    for said, right in zip(names["AGENT"].network.forward(planes.numpy()), expected, strict=True):
        np.testing.assert_allclose(said, right.numpy(), rtol=0, atol=1e-3)


def test_it_sees_the_planes_that_the_network_was_trained_on() -> None:
    _, names = executed(text())
    search = names["AGENT"].search
    for moves in ("", "4", "44536", "4453621"):
        position = Position("connect4", moves)
        bits = [search.rules.bits[cell] for cell in np.flatnonzero(position.board().ravel() == 1 + position.ply % 2)]
        mask = sum(1 << search.rules.bits[cell] for cell in np.flatnonzero(position.board().ravel()))
        search.set_position(own=sum(1 << bit for bit in bits), mask=mask)
        np.testing.assert_array_equal(search._planes(search.root), position.planes())


@pytest.mark.parametrize(
    ("moves", "column"),
    [
        ("121212", 0),  # wins upwards
        ("14151", 0),  # blocks upwards
        ("1122", 2),  # makes three of four with both ends open: wins in two
        ("44556", 2),  # the same for the other player: 3 or 7 both are forced, 3 is the lowest
        ("121314", 0),  # wins rather than blocks
    ],
)
def test_it_sees_what_must_be_seen(moves: str, column: int) -> None:
    position = Position("connect4", moves)
    scores = {action: -solve_for(position.play(action)) for action in position.legal}
    assert scores[answer(moves)] == max(scores.values())
    assert scores[column] == max(scores.values())


def solve_for(position: Position) -> int:
    """The result within three plies for the side to move; 0 beyond."""

    def within(position: Position, plies: int) -> int:
        if position.is_terminal:
            return position.value
        if plies == 0:
            return 0
        return max(-within(position.play(action), plies - 1) for action in position.legal)

    return within(position, 3)


def test_what_it_proves_is_true() -> None:
    """On a board small enough to be searched to the end: every result, by the solver that was written for slowness."""
    rng, proven = random.Random(5), []
    _, names = executed(text(game=TINY.name, simulations=3000))
    agent = names["AGENT"]
    for _ in range(60):
        position = Position(TINY.name)
        for _ in range(rng.randrange(4, 14)):
            if not position.is_terminal:
                position = position.play(rng.choice(position.legal))
        if position.is_terminal:
            continue
        column = agent.act(observed(position), {"rows": 4, "columns": 4, "inarow": 4})
        root, results = agent.search.root, results_of(position)
        if root.proven is not None:
            proven.append(root.proven)
            assert root.proven == max(results.values())
        if root.proven == 1:
            assert results[column] == 1
    assert {-1, 0, 1} <= set(proven)


def results_of(position: Position) -> dict[int, int]:
    """1, 0 or -1 for each legal action, for the side to move."""
    scores = SOLVER.scores(position.actions)
    return {action: int(np.sign(score)) for action, score in enumerate(scores) if score is not None}


@pytest.mark.parametrize(
    ("q", "m", "preferred"),
    [
        ((-0.2, 0.2), (10.0, 10.0), 0),  # a child's value is the opponent's
        ((-0.5, -0.5), (12.0, 8.0), 1),  # winning: the faster one
        ((0.5, 0.5), (12.0, 8.0), 0),  # losing: the slower one
    ],
)
def test_the_sign_of_values_and_of_plies_left(q: tuple[float, float], m: tuple[float, float], preferred: int) -> None:
    _, names = executed(text())
    search = names["AGENT"].search
    node = search.root
    search._simulate()
    node.actions, node.prior, node.visits, node.m = node.actions[:2], [0.5, 0.5], 21, 11.0
    node.children = [names["Node"](own=0, mask=1 << 7 * column, rules=search.rules) for column in range(2)]
    for child, value, plies in zip(node.children, q, m, strict=True):
        child.visits, child.q, child.m = 10, value, plies
    assert search._select(node) == preferred


def test_a_threat_leaves_one_answer_and_a_win_none_other() -> None:
    _, names = executed(text())
    search = names["AGENT"].search
    for moves, columns in (("14151", [0]), ("121314", [0]), ("4", [0, 1, 2, 3, 4, 5, 6])):
        names["AGENT"].act(observed(Position("connect4", moves)), CONNECT_X)
        assert [column for column, _ in search.root.actions] == columns


def test_a_tree_lasts_from_move_to_move_and_not_into_another_game() -> None:
    act, names = executed(text())
    search, position = names["AGENT"].search, Position("connect4")
    position = position.play(act(observed(position), CONNECT_X))
    kept = {(node.own, node.mask): node for child in search.root.children if child for node in child.children if node}
    position = position.play(3)
    act(observed(position), CONNECT_X)
    assert search.root in kept.values()
    act(observed(Position("connect4")), CONNECT_X)
    assert search.root.mask == 0


def test_it_stops_before_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    player = player_of(CONNECT4, SMALL)
    source = submission(player, search=export_config().search, seconds=1.0, simulations=10**9)
    _, names = executed(source)
    now = [0.0]

    def clock() -> float:
        now[0] += 0.01  # twice a batch: each seems to take as long
        return now[0]

    monkeypatch.setattr(names["time"], "perf_counter", clock)
    for configuration, limit in ((CONNECT_X, 1.0), (CONNECT_X | {"actTimeout": 0.5}, 0.4)):
        began = now[0]
        names["AGENT"].act(observed(Position("connect4", "4")), configuration)
        assert limit / 2 < now[0] - began <= limit + 0.02


def test_it_needs_numpy_alone(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_text(text())
    look = "print(sorted({'c4', 'torch', 'hydra', 'omegaconf'} & {name.split('.')[0] for name in sys.modules}))"
    code = f"import sys; exec(compile(open({str(path)!r}).read(), 'x', 'exec'), {{}}); {look}"
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_another_board_or_another_game_gets_a_sentence() -> None:
    act, _ = executed(text())
    with pytest.raises(ValueError, match="6 rows, 7 columns, 4 in a row"):
        act({"board": [0] * 42, "mark": 1}, CONNECT_X | {"inarow": 5})
    with pytest.raises(PlayerFileError, match="this player plays Gomoku"):
        submission(player_of(GOMOKU, SMALL), search=export_config().search, seconds=1.0, simulations=1)


def test_it_beats_chance_in_kaggle_itself(tmp_path: Path) -> None:
    kaggle = pytest.importorskip("kaggle_environments", reason="kaggle-environments is not installed")
    path = tmp_path / "submission.py"
    path.write_text(text(simulations=50))
    environment = kaggle.make("connectx", configuration={"actTimeout": 60})
    for players, mine in (([str(path), "random"], 0), (["random", str(path)], 1)):
        for _ in range(3):
            environment.reset()
            environment.run(players)
            assert [state.status for state in environment.state] == ["DONE", "DONE"]
            assert environment.state[mine].reward == 1
