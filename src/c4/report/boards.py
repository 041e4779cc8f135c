"""Boards as SVG: stones, the exact score over each move, what was played. Colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from c4.native._core import Position
from c4.report.svg import circle, path, picture, rect, text

CELL = 34
STONE = 13.5


def board(mistake: dict[str, Any], *, in_a_row: int) -> str:
    """A mistake of a report. Games by column show scores over the columns, others in the cells."""
    rows: list[list[int]] = mistake["board"]
    by_column = len(mistake["scores"]) == len(rows[0])
    width, head = CELL * len(rows[0]), 50 if by_column else 8
    height = head + CELL * len(rows) + (34 if by_column else 8)
    parts = [rect(0, head, width, CELL * len(rows), class_="board", radius=8)]
    parts += [_cell(x, y, owner, head=head) for y, row in enumerate(rows) for x, owner in enumerate(row)]
    parts += _column_scores(mistake, rows, head=head) if by_column else _cell_scores(mistake, rows, head=head)
    about = f"{in_a_row} in a row, position {mistake['moves'] or 'empty'}"
    return picture("".join(parts), width=width, height=height, about=about, class_="position")


def game_board(game: str, actions: Sequence[int]) -> str:
    """The end of a game, each stone with its ply; the winning ones are outlined."""
    position, ply_of = Position(game), dict[tuple[int, int], int]()
    for action in actions:
        before, position = position.board(), position.play(action)
        ((y, x),) = np.argwhere(position.board() != before)
        ply_of[int(y), int(x)] = position.ply
    rows = position.board().tolist()
    width, height = CELL * len(rows[0]), CELL * len(rows)
    parts = [rect(0, 0, width, height, class_="board", radius=8)]
    parts += [
        circle(*_centre(x, y, head=0), STONE, class_=f"stone p{owner}" if owner else "hole")
        for y, row in enumerate(rows)
        for x, owner in enumerate(row)
    ]
    for (y, x), ply in ply_of.items():
        cx, cy = _centre(x, y, head=0)
        parts.append(text(str(ply), cx, cy + 4, class_=f"ply p{rows[y][x]}"))
    parts += [circle(*_centre(x, y, head=0), STONE + 1.5, class_="winning") for y, x in position.winning_cells]
    about = f"a game of {len(actions)} plies: {position.text}"
    return picture("".join(parts), width=width, height=height, about=about, class_="position")


def _centre(x: int, y: int, *, head: int) -> tuple[float, float]:
    return x * CELL + CELL / 2, head + y * CELL + CELL / 2


def _cell(x: int, y: int, owner: int, *, head: int) -> str:
    cx, cy = _centre(x, y, head=head)
    if owner == 0:
        return circle(cx, cy, STONE, class_="hole")
    # The second player's stones have a ring inside, so that the two differ without colour.
    ring = circle(cx, cy, STONE - 5, class_="ring") if owner == 2 else ""
    return circle(cx, cy, STONE, class_=f"stone p{owner}") + ring


def _kind(score: int) -> str:
    return {1: "won", 0: "drawn", -1: "lost"}[(score > 0) - (score < 0)]


def _column_scores(mistake: dict[str, Any], rows: Sequence[Sequence[int]], *, head: int) -> list[str]:
    parts = []
    bottom = head + CELL * len(rows) + 30
    most = max(mistake["policy"], default=0.0) or 1.0
    for column, score in enumerate(mistake["scores"]):
        if score is None:
            continue
        x, middle = column * CELL, column * CELL + CELL / 2
        parts.append(rect(x + 2, 20, CELL - 4, 22, class_=f"score {_kind(score)}", radius=6))
        parts.append(text(score_text(score), middle, 35.5, class_=f"score-text {_kind(score)}"))
        if mistake["policy"]:
            share = mistake["policy"][column]
            tall = max(22 * share / most, 0.5)
            note = f"{share:.1%} of the policy"
            parts.append(rect(x + 9, bottom - tall, CELL - 18, tall, class_="policy", radius=2, note=note))
    played = mistake["played"]
    landing = max((y for y, row in enumerate(rows) if row[played] == 0), default=0)
    cx, cy = _centre(played, landing, head=head)
    parts.append(path(f"M{cx - 6} 6h12l-6 9Z", class_="played", note="played"))
    parts.append(circle(cx, cy, STONE - 1, class_="target"))
    return parts


def _cell_scores(mistake: dict[str, Any], rows: Sequence[Sequence[int]], *, head: int) -> list[str]:
    parts = []
    for action, score in enumerate(mistake["scores"]):
        if score is not None:
            row, column = divmod(action, len(rows[0]))
            cx, cy = _centre(column, row, head=head)
            parts.append(text(score_text(score), cx, cy + 4, class_=f"score-text bare {_kind(score)}"))
    row, column = divmod(mistake["played"], len(rows[0]))
    cx, cy = _centre(column, row, head=head)
    return [*parts, circle(cx, cy, STONE - 1, class_="target")]


def score_text(score: int) -> str:
    return "=" if score == 0 else f"{score:+d}".replace("-", "−")
