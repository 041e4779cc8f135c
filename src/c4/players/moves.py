"""What a search tree says of moves: visits, values, what is proven, the line that both sides would play.

value: native/value.h; moves are seen by who plays them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Protocol

from c4.native._core import NodeInfo, Position

LONGEST_LINE = 12  # plies of the principal variation


class Tree(Protocol):
    """What is read of a search."""

    def root(self) -> NodeInfo: ...

    def node(self, path: Sequence[int]) -> NodeInfo: ...

    def best_action(self) -> int:
        """What is played at temperature 0; asked only of a root that was searched and is no end of the game."""

    def position(self) -> Position: ...


@dataclasses.dataclass(frozen=True, kw_only=True)
class Proof:
    result: int  # 1 won, 0 drawn, -1 lost
    plies: int  # to the end, under best play of both


@dataclasses.dataclass(frozen=True, kw_only=True)
class MoveNumbers:
    """One move, for the side that plays it."""

    action: int
    name: str
    visits: int
    prior: float
    q: float | None  # None while it was not visited
    plies_left: float | None  # after the move and with it
    proof: Proof | None


def proof_of(node: NodeInfo, *, position: Position) -> Proof | None:
    """For the side to move; None while the result is open. At the end of a game nothing is searched: the rules say."""
    if position.is_terminal:
        return Proof(result=position.value, plies=0)
    return Proof(result=node.lower, plies=node.proven_plies) if node.visits and node.lower == node.upper else None


def moves_of(node: NodeInfo, *, position: Position) -> tuple[MoveNumbers, ...]:
    """Lowest action first."""
    return tuple(_move(node, index, position=position) for index in range(len(node.actions)))


def _move(root: NodeInfo, index: int, *, position: Position) -> MoveNumbers:
    visits, action = int(root.child_visits[index]), int(root.actions[index])
    lower, upper = int(root.child_lower[index]), int(root.child_upper[index])
    proof = None
    if lower == upper:
        proof = Proof(result=int(flip(lower)), plies=int(root.child_proven_plies[index]) + 1)
    return MoveNumbers(
        action=action,
        name=position.action_name(action),
        visits=visits,
        prior=float(root.prior[index]),
        q=flip(float(root.child_q[index])) if visits else None,
        plies_left=float(root.child_m[index]) + 1 if visits else None,
        proof=proof,
    )


def principal_variation(tree: Tree) -> list[int]:
    """What both sides would play, as far as the tree knows."""
    root = tree.root()
    if not root.expanded or root.visits == 0:
        return []
    path = [tree.best_action()]
    while len(path) < LONGEST_LINE:
        try:
            node = tree.node(path)
        except KeyError:
            break
        best = best_child(node)
        if best is None:
            break
        path.append(int(node.actions[best]))
    return path


def best_child(node: NodeInfo) -> int | None:
    """The move that a settled node is settled by; else the most visited that is not proven to be worse."""
    children = range(len(node.actions))
    visited = [index for index in children if node.child_visits[index] > 0]
    if node.lower == node.upper:
        keeps = [
            index
            for index in children
            if node.child_lower[index] == node.child_upper[index] == flip(node.lower)
            and (node.lower == 0 or node.child_proven_plies[index] + 1 == node.proven_plies)
        ]
    else:
        keeps = [index for index in visited if flip(int(node.child_lower[index])) > node.lower]
    candidates = keeps or visited
    return max(candidates, key=lambda index: int(node.child_visits[index]), default=None)


def flip(value: float) -> float:
    """The same for the other player. value: native/value.h."""
    return 0.0 - value
