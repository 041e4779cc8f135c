"""What every drawing of a position must know of it; and the position in characters, for a pipe and for `mode=check`."""

from __future__ import annotations

from c4.native._core import Position

STONES = ".XO"


def has_columns(position: Position) -> bool:
    """Whether a move names a column: stones fall."""
    return bool(position.action_name(0).isdecimal())


def newest_cell(position: Position) -> tuple[int, int] | None:
    """(row from the top, column) of the last stone."""
    if not position.ply:
        return None
    changed = Position.from_actions(position.game, position.actions[:-1]).board() != position.board()
    row, column = divmod(int(changed.argmax()), changed.shape[1])
    return row, column


def board_lines(position: Position) -> list[str]:
    """X and O; the newest stone in [ ], winning ones in ( )."""
    board, newest, winning = position.board(), newest_cell(position), set(position.winning_cells)
    by_column = has_columns(position)
    height, width = board.shape
    names = [position.action_name(column) for column in range(width)]
    lines = [("" if by_column else "   ") + "".join(f" {name if by_column else name[0]} " for name in names)]
    for row in range(height):
        cells = []
        for column in range(width):
            left, right = "()" if (row, column) in winning else "[]" if (row, column) == newest else "  "
            cells.append(f"{left}{STONES[board[row, column]]}{right}")
        lines.append(("" if by_column else f"{position.action_name(row * width)[1:]:>2} ") + "".join(cells))
    return lines
