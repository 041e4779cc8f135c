"""Who wins four in a row on 6 x 6 cells, from the empty board and after each first stone, and what the proof costs; and
that nobody wins on other small boards.

`python benchmarks/gomoku_proof.py [MILLIONS_OF_NODES]`: what takes more is said to be open.
"""

from __future__ import annotations

import sys
import time

from c4.native._core import GomokuSolver, Position, symmetry_actions

GAME = "gomoku6"
ENTRIES = 1 << 22
DRAWS = ((3, 3), (4, 4), (5, 4), (6, 5), (7, 5), (8, 5))  # cells a side, and how many in a row win
MOST_ANSWERS = 9


def main() -> None:
    budget = 1_000_000 * int(sys.argv[1] if len(sys.argv) > 1 else 100)
    images = symmetry_actions(GAME).min(axis=0)
    firsts = [action for action, image in enumerate(images) if action == image]
    for actions in ([], *([first] for first in firsts)):
        solver = GomokuSolver(size=6, in_a_row=4, entries=ENTRIES)
        start = time.perf_counter()
        plies = solver.solve(actions, nodes=budget)
        seconds = time.perf_counter() - start
        position = Position.from_actions(GAME, actions)
        print(
            f"{position.text or 'empty board'}: {_said(position, plies)}; {solver.nodes} nodes, {seconds:.3f} s, ",
            end="",
        )
        print(f"{solver.bytes / 1e6:.0f} MB", flush=True)
    for size, in_a_row in DRAWS:
        drawn(size, in_a_row, budget=budget)


def drawn(size: int, in_a_row: int, *, budget: int) -> None:
    """Proofs of one answer, of two, and so on, until there is one."""
    solver = GomokuSolver(size=size, in_a_row=in_a_row, entries=ENTRIES)
    start, held = time.perf_counter(), False
    for answers in range(1, MOST_ANSWERS + 1):
        left = budget - solver.nodes
        held = left > 0 and bool(solver.holds([], answers=answers, nodes=left))
        if held or left <= 0:
            break
    said, seconds = "a draw" if held else "open", time.perf_counter() - start
    print(f"{in_a_row} in a row on {size} x {size}: {said}; {solver.nodes} nodes, {seconds:.3f} s", flush=True)


def _said(position: Position, plies: int | None) -> str:
    if plies is None:
        return "open"
    if plies == 0:
        return "a draw"
    winner = "first" if (position.ply % 2 == 0) == (plies > 0) else "second"
    return f"the {winner} player wins with ply {position.ply + abs(plies)}"


if __name__ == "__main__":
    main()
