"""What of a search tree is shown: the principal variation, what was visited most, and how much is left out."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.evaluation.makers import SEARCH

from c4.evaluation.branches import DEEPEST, MOST, WIDEST, Branch, branches
from c4.native._core import Position
from c4.params.play import LevelParams
from c4.players.moves import principal_variation
from c4.players.thinker import Thinker


def thought(game: str, text: str, *, simulations: int) -> Thinker:
    """By rollouts."""
    position = Position(game, text)
    thinker = Thinker(position=position, params=SEARCH, judge=None, cache_megabytes=0.0, seed=1)
    thinker.think(position, level=LevelParams(simulations=simulations, seconds=None))
    return thinker


def every(branch: Branch, depth: int = 0) -> Iterator[tuple[int, Branch]]:
    yield depth, branch
    for child in branch.children:
        yield from every(child, depth + 1)


@pytest.mark.parametrize(("game", "text"), [("connect4", "4453"), ("gomoku6", "c3 d4"), ("tictactoe", "")])
def test_what_matters_is_shown_and_the_rest_is_counted(game: str, text: str) -> None:
    thinker = thought(game, text, simulations=300)
    root = branches(thinker)
    found = list(every(root))
    line = principal_variation(thinker)
    assert len(found) <= MOST + DEEPEST
    assert max(depth for depth, _ in found) <= DEEPEST
    shown = [branch for _, branch in found if branch.in_line]
    assert [branch.move.action for branch in shown if branch.move] == line[: len(shown) - 1]
    assert len(shown) + len(shown[-1].then) >= min(len(line), DEEPEST)
    for depth, branch in found:
        assert len(branch.children) <= WIDEST
        visits = [child.visits for child in branch.children]
        assert visits[1:] == sorted(visits[1:], reverse=True)
        if depth < DEEPEST:
            assert sum(visits) + branch.others_visits in (branch.visits, branch.visits - 1)
        assert branch.visits == (branch.move.visits if branch.move else thinker.root().visits)
    assert json.loads(json.dumps(root.as_dict()))["children"][0]["visits"] == root.children[0].visits


def test_what_is_proven_is_told_for_who_plays_the_move() -> None:
    root = branches(thought("connect4", "112233", simulations=50))
    (best, *_) = root.children
    assert best.move is not None
    assert (best.move.name, best.move.proof and best.move.proof.result) == ("4", 1)
    assert root.proof is not None
    assert (root.proof.result, root.proof.plies) == (1, 1)
    assert (best.children, best.others) == ((), 0)


def test_of_a_move_that_is_proven_to_lose_the_answer_is_shown() -> None:
    root = branches(thought("gomoku6", "c3 a1 d3 a2", simulations=1500))
    lost = [branch for _, branch in every(root) if branch.move and branch.move.proof and branch.move.proof.result < 0]
    assert lost
    for branch in lost:
        if branch.children:
            (answer,) = branch.children
            assert answer.move is not None
            assert answer.move.proof is not None
            assert answer.move.proof.result == 1
    assert any(branch.children for branch in lost)


def test_a_tree_of_a_single_visit_is_one() -> None:
    root = branches(thought("connect4", "", simulations=1))
    assert (root.visits, root.children, root.others_visits) == (1, (), 0)
