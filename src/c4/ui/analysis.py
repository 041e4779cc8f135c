"""What a search says of a position, as a person reads it. value: native/value.h; moves are seen by who plays them."""

from __future__ import annotations

import dataclasses

from c4.native._core import Position
from c4.players.moves import MoveNumbers, Proof, Tree, flip, moves_of, principal_variation, proof_of


@dataclasses.dataclass(frozen=True, kw_only=True)
class Analysis:
    position: str  # its text
    visits: int
    value: float  # for the side to move
    value_of_first: float  # for the first player
    plies_left: float
    proof: Proof | None  # for the side to move
    moves: tuple[MoveNumbers, ...]  # lowest action first
    line: tuple[str, ...]  # principal variation
    best: int | None  # the first action of it

    def move(self, action: int) -> MoveNumbers | None:
        return next((move for move in self.moves if move.action == action), None)


def analysis_of(tree: Tree) -> Analysis:
    """The tree as it stands now."""
    root, position = tree.root(), tree.position()
    proof = proof_of(root, position=position)
    value = float(root.q) if proof is None else float(proof.result)
    line = principal_variation(tree)
    names, at = [], position
    for action in line:
        names.append(at.action_name(action))
        at = at.play(action)
    return Analysis(
        position=position.text,
        visits=root.visits,
        value=value,
        value_of_first=for_first(value, position=position),
        plies_left=float(root.m) if proof is None else float(proof.plies),
        proof=proof,
        moves=moves_of(root, position=position),
        line=tuple(names),
        best=line[0] if line else None,
    )


def for_first(value: float, *, position: Position) -> float:
    """The value for the first player, given that for the side to move."""
    return value if position.ply % 2 == 0 else flip(value)
