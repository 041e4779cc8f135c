"""Who wins four in a row on 6 x 6 cells, from the empty board and after each first stone, and what the proof costs; and
that nobody wins it on 5 x 5.

`python benchmarks/gomoku_proof.py [MILLIONS_OF_NODES]`: what takes more is said to be open; the draw takes about 500.
"""

from __future__ import annotations

import sys
import time

from c4.native._core import GomokuSolver, Position, symmetry_actions

GAME = "gomoku6"
ENTRIES = 1 << 22


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
    small = GomokuSolver(size=5, in_a_row=4, entries=ENTRIES)
    said = {None: "open", 0: "a draw"}.get(small.solve([], nodes=budget), "won")
    print(f"5 x 5: {said}; {small.nodes} nodes")


def _said(position: Position, plies: int | None) -> str:
    if plies is None:
        return "open"
    if plies == 0:
        return "a draw"
    winner = "first" if (position.ply % 2 == 0) == (plies > 0) else "second"
    return f"the {winner} player wins with ply {position.ply + abs(plies)}"


if __name__ == "__main__":
    main()
