"""Proofs at a leaf: native/search/proof.h against perfect play, and against reference/proof.py at every budget."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.test_search import random_line
from tests.differential.trees import PLAIN

from c4.evaluation.sets import labelled_set
from c4.native import _core
from c4.params.evaluation import CELLS
from c4.reference.games import START
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


def test_is_what_perfect_play_says_on_a_board_that_sees_no_threats() -> None:
    labelled = labelled_set("dev", game="gomoku6").take(range(400))
    labelled = labelled.take(np.flatnonzero(labelled.ply > 0))
    found = proofs("gomoku6", labelled.moves, nodes=40)
    for row, proof in enumerate(found):
        assert proof in {None, Proof(result=int(labelled.value[row]), plies=int(labelled.moves_left[row]))}
    assert sum(proof is not None for proof in found) > 20


@settings(max_examples=200)
@given(data=st.data())
def test_needs_as_many_nodes_as_the_specification(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(GAMES), label="game")
    spec = _core.game_spec(game)
    plies = data.draw(st.integers(1, spec.max_plies), label="plies")
    line = random_line(game, seed=data.draw(st.integers(0, 999)), plies=plies)
    if not line:
        return
    state = START[game]
    for action in line:
        state = state.play(action)
    nodes = data.draw(st.integers(1, 60 if spec.actions < 10 else 4), label="nodes")
    assert proofs(game, [line], nodes=nodes) == [prove(state, nodes)]
