"""The part of a search tree that matters, as plain data: for a picture, or for a program. Draws nothing."""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Mapping
from typing import Any

from c4.native._core import Position
from c4.players.moves import MoveNumbers, Proof, Tree, best_child, moves_of, principal_variation, proof_of

DEEPEST = 5  # plies below the root
MOST = 22  # nodes
WIDEST, WIDEST_BELOW = 5, 3  # moves of the root, and of any other node
LEAST = 0.01  # share of the root's visits

Path = tuple[int, ...]
"""The actions from the root to a node."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Branch:
    """A position that the search has reached, and the move that led there."""

    position: Position
    move: MoveNumbers | None  # for who played it; None at the root
    visits: int
    value: float  # for the side to move
    plies_left: float
    proof: Proof | None  # for the side to move
    in_line: bool  # of the principal variation
    children: tuple[Branch, ...]  # the next of the principal variation first, then by visits
    others: int  # legal moves that are left out
    others_visits: int
    then: tuple[str, ...]  # how the principal variation goes on behind the last that is shown

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        move = None if self.move is None else dataclasses.asdict(self.move)
        proof = None if self.proof is None else dataclasses.asdict(self.proof)
        return {
            "position": self.position.text,
            "move": move,
            "visits": self.visits,
            "value": self.value,
            "plies_left": self.plies_left,
            "proof": proof,
            "in_line": self.in_line,
            "others": {"moves": self.others, "visits": self.others_visits},
            "then": list(self.then),
            "children": [child.as_dict() for child in self.children],
        }


def branches(tree: Tree) -> Branch:
    """The principal variation, and beside it what was visited most."""
    line = _visited(tree, tuple(principal_variation(tree)))
    chosen = _chosen(tree, line=line)
    return _branch(tree, path=(), move=None, position=tree.position(), chosen=chosen, line=line)


def _visited(tree: Tree, line: Path) -> Path:
    """As far as the search has gone: what it ends with may be the prior's word alone."""
    for length, action in enumerate(line):
        if not _visits(tree, line[:length]).get(action):
            return line[:length]
    return line


def _chosen(tree: Tree, *, line: Path) -> set[Path]:
    """From the root downwards, the most visited first."""
    chosen = {line[:length] for length in range(min(len(line), DEEPEST) + 1)}
    width = dict.fromkeys(chosen, 1)
    waiting: list[tuple[int, Path]] = []
    for path in sorted(chosen):
        _add_children(tree, path, waiting=waiting)
    least = max(1, round(LEAST * tree.root().visits))
    while waiting and len(chosen) <= MOST:
        visits, path = heapq.heappop(waiting)
        parent = path[:-1]
        if path in chosen or -visits < least or width.get(parent, 0) >= (WIDEST_BELOW if parent else WIDEST):
            continue
        chosen.add(path)
        width[parent] = width.get(parent, 0) + 1
        _add_children(tree, path, waiting=waiting)
    return chosen


def _add_children(tree: Tree, path: Path, *, waiting: list[tuple[int, Path]]) -> None:
    if len(path) >= DEEPEST:
        return
    visits = _visits(tree, path)
    if path and (proof := _proves(tree, path)) in visits:  # that is all there is to show of it, however few its visits
        heapq.heappush(waiting, (-tree.root().visits, (*path, proof)))
        return
    for action, count in visits.items():
        heapq.heappush(waiting, (-count, (*path, action)))


def _proves(tree: Tree, path: Path) -> int:
    """The move that settles a node; -1 where it is open."""
    try:
        node = tree.node(path)
    except KeyError:
        return -1
    best = best_child(node) if node.visits and node.lower == node.upper else None
    return -1 if best is None else int(node.actions[best])


def _visits(tree: Tree, path: Path) -> Mapping[int, int]:
    """Of the moves there; nothing where the tree ends."""
    try:
        node = tree.node(path)
    except KeyError:
        return {}
    return {int(action): int(visits) for action, visits in zip(node.actions, node.child_visits, strict=True) if visits}


def _branch(
    tree: Tree, *, path: Path, move: MoveNumbers | None, position: Position, chosen: set[Path], line: Path
) -> Branch:
    node = tree.node(path)
    moves = () if position.is_terminal else moves_of(node, position=position)
    shown = [one for one in moves if (*path, one.action) in chosen]
    shown.sort(key=lambda one: ((*path, one.action) != line[: len(path) + 1], -one.visits))
    hidden = [one for one in moves if one not in shown]
    in_line = path == line[: len(path)]
    return Branch(
        position=position,
        move=move,
        visits=node.visits,
        value=float(node.q),
        plies_left=float(node.m),
        proof=proof_of(node, position=position),
        in_line=in_line,
        children=tuple(
            _branch(
                tree,
                path=(*path, one.action),
                move=one,
                position=position.play(one.action),
                chosen=chosen,
                line=line,
            )
            for one in shown
        ),
        others=len(hidden),
        others_visits=sum(one.visits for one in hidden),
        then=_names(position, line[len(path) :]) if in_line and not shown else (),
    )


def _names(position: Position, actions: Path) -> tuple[str, ...]:
    names = []
    for action in actions:
        names.append(position.action_name(action))
        position = position.play(action)
    return tuple(names)
