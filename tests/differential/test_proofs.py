"""Proofs at a leaf: native/search/proof.h against perfect play, and against reference/proof.py at every budget."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.test_search import random_line
from tests.differential.trees import PLAIN

from c4.evaluation.sets import labelled_set, set_names
from c4.native import _core
from c4.params.evaluation import CELLS
from c4.reference.games import START, State
from c4.reference.gomoku_solver import Square, sides
from c4.reference.proof import Proof, prove

GAMES = _core.game_names()
PROVING = dataclasses.replace(PLAIN, proven_results=True, noise_epsilon=1.0)


def proofs(game: str, lines: Sequence[Sequence[int]], *, nodes: int) -> list[Proof | None]:
    """What the search proves of the position after each line, as the leaf that its last move leads to."""
    searches = _core.Searches(game, len(lines), dataclasses.replace(PROVING, proof_nodes=nodes))
    for tree, line in enumerate(lines):
        before = _core.Position.from_actions(game, list(line[:-1]))
        searches.set_position(tree, before)
        searches.set_noise(tree, [1.0 if action == line[-1] else 0.0 for action in before.legal])
        searches.think(tree, 2)
    evaluator = HashEvaluator(game=game, sharpness=0.0)
    planes = np.zeros((searches.rows, 3, evaluator.start.height, evaluator.start.width), np.uint8)
    while searches.busy:
        searches.apply(*evaluator.batch(planes[: searches.gather(planes)]))
    found = list[Proof | None]()
    for tree, line in enumerate(lines):
        leaf = searches.node(tree, [line[-1]])
        assert leaf.visits == 1
        settled = leaf.lower == leaf.upper
        assert leaf.expanded != settled
        if settled:
            assert (leaf.q, leaf.m) == (leaf.lower, leaf.proven_plies)
        found.append(Proof(result=leaf.lower, plies=leaf.proven_plies) if settled else None)
    assert searches.stats()["proofs"] == sum(one is not None for one in found)
    return found


@pytest.mark.parametrize(("nodes", "least"), [(1, 0.05), (100, 0.3), (2000, 0.45)])
def test_is_what_perfect_play_says(nodes: int, least: float) -> None:
    """For the side to move (value: native/value.h), and as long as the fastest win and the slowest loss."""
    known, proven = 0, 0
    for name in ("dev", *CELLS):
        labelled = labelled_set(name, game="connect4")
        rows = np.flatnonzero(labelled.ply > 0)
        found = proofs("connect4", [labelled.moves[row] for row in rows], nodes=nodes)
        for row, proof in zip(rows, found, strict=True):
            assert proof in {None, Proof(result=int(labelled.value[row]), plies=int(labelled.moves_left[row]))}
        known, proven = known + len(found), proven + sum(proof is not None for proof in found)
    assert proven > least * known


def test_is_what_perfect_play_says_where_fours_tell() -> None:
    """The result always; how long it takes up to four plies, from where on perfect play may be quicker."""
    proven = 0
    for name in set_names("gomoku6"):
        labelled = labelled_set(name, game="gomoku6")
        labelled = labelled.take(np.flatnonzero(labelled.ply > 0))
        found = proofs("gomoku6", labelled.moves, nodes=100)
        for row, proof in enumerate(found):
            plies = int(labelled.moves_left[row])
            assert proof is not None or plies > 4 or labelled.value[row] == 0
            if proof is not None:
                assert proof.result == labelled.value[row]
                assert proof.plies == plies if proof.plies < 5 else proof.plies >= plies
        proven += sum(proof is not None for proof in found)
    assert proven > 1850


@pytest.mark.parametrize("game", ["gomoku8", "gomoku9"])
def test_finds_wins_by_force(game: str) -> None:
    labelled = labelled_set("forced", game=game)
    found = proofs(game, labelled.moves, nodes=100)
    proven = {3: 0, 5: 0, 7: 0}
    for row, proof in enumerate(found):
        plies = int(labelled.moves_left[row])
        if proof is not None:
            assert proof.result == 1
            assert proof.plies == 3 if plies == 3 else proof.plies >= plies
            proven[plies] += 1
    shares = {plies: count / int((labelled.moves_left == plies).sum()) for plies, count in proven.items()}
    assert shares[3] == 1
    assert shares[5] > 0.7
    assert shares[7] > 0.35


# Drawn with all that matters; x moves first, and whoever has fewer stones is to move.
DRAWN = {
    "two fours of one stone": (
        """
        . . . o . . . .
        . . . x . . . .
        . . . x . . . .
        . . . x . . . o
        o x x . x . . .
        . . . . . . . .
        . o . . . . o .
        o . . . . . . .""",
        Proof(result=1, plies=3),
    ),
    "an open three": (
        """
        . . . . . . . o
        . . . . . . . .
        . . x . . . . .
        . . . x . . . .
        . . . . x . . .
        . . . . . . . .
        . . . . . . . .
        . . o . . . . o""",
        Proof(result=1, plies=3),
    ),
    "a three on a diagonal of five cells": (
        """
        . . . . . . . o
        . . . x . . . .
        . . x . . . . .
        . x . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . o . . . . o""",
        None,
    ),
    "two lines with one cell to win in": (
        """
        . . . . . . . o
        . . . . . . . .
        . . . . . . . .
        o x x . . x x o
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . o . . . .""",
        None,
    ),
    "more than five": (
        """
        . . . . . . . o
        . . . . . . . .
        . . . . . . . .
        o x x x . x x o
        . . . . . . . .
        . o . . . . . .
        . . . . . . . .
        . . . o . . . .""",
        Proof(result=1, plies=1),
    ),
    "around the edge": (
        """
        . . . . . . . o
        . . . . . . . .
        . . . . . x x x
        x . . . . . . .
        . . . . . . . .
        . o . . . . . .
        . . . . . . . .
        . . . o . . . o""",
        None,
    ),
    "in the corner": (
        """
        x x x . . . . o
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . o . . . . . .
        . . . . . . . .
        . . . o . . . .""",
        None,
    ),
    "two cells to stop": (
        """
        x . . . . . . x
        . . . . . . . .
        . . . . . . . .
        . . o o o o . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        x . . . . . . x""",
        Proof(result=-1, plies=2),
    ),
    "a four, then two": (
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        o x x x . . . .
        . . . . x . . .
        . . . . x . . .
        . . . . . . . o
        o . o . . . . o""",
        Proof(result=1, plies=5),
    ),
    "a reply that is a four": (
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        o x x x . . . .
        . . . . x o . .
        . . . . x o . .
        . . . . . o . .
        o . o . . x . .""",
        None,
    ),
    "a reply that leaves two cells to win in": (
        """
        . . . . . . . x
        . . . . . . . .
        . . . . . . . .
        o x x x . . . .
        . . . x . o . .
        . . x . . o . .
        . . . . . o . .
        o . o . . . . .""",
        None,
    ),
    "a defence that makes a reply a four": (
        """
        x . . . . o . .
        . x . . . . . .
        . . . . . . . .
        o . x . o . . .
        . . x . x . x o
        . . . . . . . .
        . o . o . . . o
        x x . o . . x .""",
        None,
    ),
    "a reply that is a four, stopped by two": (
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        o x x x . . . .
        . . . x . o . .
        . . x . . o . .
        . . . . . o . .
        o . o . . x . .""",
        Proof(result=1, plies=5),
    ),
    "a stone that has to be laid, and an open three": (
        """
        . . . . . . . x
        x o o o o . . .
        . . . . . . . .
        x . . . . . . x
        . . . . . . . .
        . . o o o . . .
        . . . . . . . .
        x . x . . x . .""",
        Proof(result=-1, plies=4),
    ),
    "two open threes": (
        """
        . . . . . . . .
        . . . . . . . .
        . . o o o . . .
        . . . . . . . .
        . . . . . . . .
        . . . o o o . .
        x . . . . . x .
        x . x . . . x x""",
        Proof(result=-1, plies=4),
    ),
    "one open three": (
        """
        . . . . . . . .
        . . . . . . . .
        . . o o o . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        x . . . . . x x""",
        None,
    ),
    "a stone that has to be laid, and makes two fours": (
        """
        . . . . . . . .
        x o o o o . . .
        . . . . x . . .
        . . . x . . . .
        . . x . . . . .
        . . o o o . . .
        . . . . . . . .
        x . x . . . . x""",
        Proof(result=1, plies=3),
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_of_drawn_boards(name: str) -> None:
    drawing, expected = DRAWN[name]
    cells = drawing.split()
    stones = [[cell for cell, stone in enumerate(cells) if stone == side] for side in "xo"]
    line = [cell for pair in zip_longest(*stones) for cell in pair if cell is not None]
    assert len(stones[0]) - len(stones[1]) in {0, 1}
    assert proofs("gomoku8", [line], nodes=1000) == [expected]
    assert prove(state_after("gomoku8", line), 1000) == expected


def state_after(game: str, line: Sequence[int]) -> State:
    state = START[game]
    for action in line:
        state = state.play(action)
    return state


def crowded_line(game: str, *, seed: int, plies: int) -> list[int]:
    """Like random_line, each stone next to another, so that there is much to threaten with."""
    rng, spec = np.random.default_rng(seed), _core.game_spec(game)
    position = _core.Position(game).play(int(rng.integers(spec.actions)))
    while position.ply < plies:
        taken = [divmod(action, spec.width) for action in position.actions]
        near = [
            action
            for action in position.legal
            if any(
                abs(action // spec.width - row) < 2 and abs(action % spec.width - column) < 2 for row, column in taken
            )
        ]
        following = position.play(int(rng.choice(near)))
        if following.is_terminal:
            break
        position = following
    return position.actions


@pytest.mark.parametrize("game", [game for game in GAMES if game.startswith("gomoku")])
def test_is_what_the_solver_says_of_fours(game: str) -> None:
    """Which has a board of its own. Each win by fours is found, and no other."""
    spec, nodes = _core.game_spec(game), 10**9
    board = Square(size=spec.height, in_a_row=spec.in_a_row)
    solver = _core.GomokuSolver(size=board.size, in_a_row=board.in_a_row, entries=1 << 12)
    lines = [crowded_line(game, seed=seed, plies=8 + seed % 24) for seed in range(200)]
    kinds = set[tuple[int, int]]()
    for line, proof in zip(lines, proofs(game, lines, nodes=10_000), strict=True):
        plies = solver.forced(line, threes=False, plies=spec.max_plies, nodes=nodes)
        assert (proof is not None and proof.result == 1) == (plies != 0)
        if proof is None:
            continue
        kinds.add((proof.result, proof.plies))
        if proof.result == 1:
            assert proof.plies == plies
            continue
        own, other = sides(line)
        for move in board.empty(own, other):
            makes_four = any(board.wins(own | {move}, cell) for cell in board.empty(own | {move}, other))
            if not makes_four:  # which would put the loss off
                left = solver.forced([*line, move], threes=False, plies=spec.max_plies, nodes=nodes)
                assert left is not None
                assert 0 < left < proof.plies
        if spec.max_plies == 36:
            exact = solver.solve(line, nodes=nodes)
            assert exact is not None
            assert -proof.plies <= exact < 0
    assert kinds >= {(1, 1), (1, 3), (1, 5), (-1, 2), (-1, 4)}


@settings(max_examples=300)
@given(data=st.data())
def test_needs_as_many_nodes_as_the_specification(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(GAMES), label="game")
    spec = _core.game_spec(game)
    fours = game.startswith("gomoku")
    plies = data.draw(st.integers(1, min(spec.max_plies, 40)), label="plies")
    line = (crowded_line if fours else random_line)(game, seed=data.draw(st.integers(0, 999)), plies=plies)
    if not line:
        return
    nodes = data.draw(st.integers(1, 60 if spec.actions < 10 or fours else 4), label="nodes")
    assert proofs(game, [line], nodes=nodes) == [prove(state_after(game, line), nodes)]
