"""Games, analyses and nodes as plain values for a page."""

from __future__ import annotations

import dataclasses
from typing import Any

from c4.games import game_spec
from c4.native._core import NodeInfo, Position
from c4.players.moves import moves_of, proof_of
from c4.ui.analysis import Analysis, for_first
from c4.ui.session import NAMES, Session

MOST_MOVES = 30  # of a position with more of them, the most visited

Plain = dict[str, Any]


def board_rows(position: Position) -> list[str]:
    """Top row first: . empty, 1 the first player's stone, 2 the second's."""
    return ["".join(".12"[cell] for cell in row) for row in position.board().tolist()]


def game_shown(name: str) -> Plain:
    """What a page must know of a game."""
    spec = game_spec(name)
    gravity = spec.actions == spec.width
    shape = {"name": name, "title": spec.title, "height": spec.height, "width": spec.width}
    empty = Position(name)
    return shape | {
        "in_a_row": spec.in_a_row,
        "gravity": gravity,
        "names": [empty.action_name(action) for action in range(spec.actions)],
    }


def session_shown(session: Session) -> Plain:
    position, outcome = session.position, session.outcome
    ended = None
    if outcome is not None:
        ended = {"winner": outcome.winner, "how": outcome.ending.value}
    return {
        "game": session.game,
        "text": position.text,
        "ply": position.ply,
        "rows": board_rows(position),
        "legal": [] if session.over else position.legal,
        "to_move": session.to_move,
        "mover": NAMES[session.to_move],
        "line": session.line[-1].actions,
        "line_text": session.line[-1].text,
        "last_cell": session.last_cell,
        "winning": position.winning_cells,
        "resigned": session.resigned,
        "over": session.over,
        "outcome": ended,
    }


def analysis_shown(analysis: Analysis) -> Plain:
    moves = analysis.moves
    if len(moves) > MOST_MOVES:
        moves = tuple(sorted(moves, key=lambda move: (-move.visits, -move.prior))[:MOST_MOVES])
    return dataclasses.asdict(dataclasses.replace(analysis, moves=moves))


def node_shown(node: NodeInfo, *, position: Position) -> Plain:
    """`position` is the node's."""
    proof = proof_of(node, position=position)
    value = float(node.q) if proof is None else float(proof.result)
    children = [dataclasses.asdict(move) for move in moves_of(node, position=position)]
    children.sort(key=lambda child: (-child["visits"], -child["prior"]))
    return {
        "rows": board_rows(position),
        "text": position.text,
        "to_move": position.ply % 2,
        "visits": node.visits,
        "value": value,
        "value_of_first": for_first(value, position=position),
        "plies_left": float(node.m) if proof is None else float(proof.plies),
        "proof": None if proof is None else dataclasses.asdict(proof),
        "terminal": position.is_terminal,
        "winning": position.winning_cells,
        "children": children,
    }
