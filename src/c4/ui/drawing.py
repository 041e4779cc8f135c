"""The picture of a search tree, for the page and the terminal. How it looks stands in report/search_tree.py."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from c4.files import write_beside
from c4.native._core import Position
from c4.players.thinker import Thinker

LONGEST = 60  # letters of a position that may stand in a file's name


def drawn(thinker: Thinker) -> tuple[str, Position]:
    """An SVG file, and the position that it is about. To be called while the tree stands still."""
    from c4.report.search_tree import tree_picture  # late: it takes a second, and most people draw nothing

    return tree_picture(thinker).file(), thinker.position()


def write_drawn(svg: str, *, position: Position, folder: Path) -> Path:
    """Under the position's name, and no picture over another. Raises OSError."""
    moves = position.text.replace(" ", "-")
    where = "start" if not position.ply else moves if len(moves) <= LONGEST else f"ply{position.ply}"
    names = (f"search_tree_{where}{'' if number == 1 else f'_{number}'}.svg" for number in count(1))
    path = next(path for name in names if not (path := folder / name).exists())
    write_beside(path, svg.encode())
    return path
