"""Makes the labelled sets of Gomoku that the package carries: `python -m c4.evaluation.make_gomoku_sets --help`.

Of gomoku6 `dev` and the six cells, every move with its exact score. Of gomoku8 and larger boards `forced`: positions
that are won by fours and threes. The games are random, except that nobody overlooks a line: who can win does, who must
stop one does, and that large boards are played on in their middle. No position is won at once or lost to the very next
move, and none occurs twice, not even mirrored or turned.
"""

from __future__ import annotations

import argparse
import logging
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from c4.evaluation.labels import LabelledSet, from_scores
from c4.evaluation.make_sets import Cell
from c4.evaluation.openings import ends_at_once
from c4.evaluation.sets import CARRIED, DATA, write_set
from c4.games import game_spec
from c4.native._core import GomokuSolver, Position
from c4.players.oracle import GomokuOracle, NoOracleError
from c4.reference.gomoku_solver import Square, sides

log = logging.getLogger(__name__)
EXACT, FORCED = "gomoku6", ("gomoku8", "gomoku9", "gomoku15")
FIRST = 6  # stones; with fewer the truth takes too long
EXACT_NODES = 1_000_000  # what a move may take; positions that need more, nearly all of few stones, are left out

# Of `forced`: the most plies of a win; a move wins when fours and threes win in so many after any reply.
FORCED_PLIES, AFTER_PLIES, FORCED_STONES = 7, 13, range(10, 31)
NODES, ENTRIES = 200_000, 1 << 18
MIDDLE = 9  # rows and columns in which stones fall on a larger board: scattered over it all, they hardly threaten


_BEGIN, _MIDDLE, _END = range(8, 12), range(12, 20), range(20, 34)
CELLS = (
    Cell(name="begin-easy", played=_BEGIN, left=range(9)),
    Cell(name="begin-medium", played=_BEGIN, left=range(9, 15)),
    Cell(name="begin-hard", played=_BEGIN, left=range(15, 37)),
    Cell(name="middle-easy", played=_MIDDLE, left=range(9)),
    Cell(name="middle-medium", played=_MIDDLE, left=range(9, 37)),
    Cell(name="end-easy", played=_END, left=range(37)),
)


def candidates(*, game: str, played: range, rng: random.Random, known: set[int]) -> Iterator[Position]:
    """New positions that do not end at once, the ply drawn evenly; `known` holds canonical keys and grows."""
    info = game_spec(game)
    board = Square(size=info.height, in_a_row=info.in_a_row)
    while True:
        ply, position = rng.choice(played), None
        while position is None:
            position = _watchful_game(board, game=game, ply=ply, rng=rng)
        if position.canonical_key not in known and not ends_at_once(position):
            known.add(position.canonical_key)
            yield position


def _watchful_game(board: Square, *, game: str, ply: int, rng: random.Random) -> Position | None:
    """None if somebody could have won on the way."""
    actions, margin = list[int](), max(0, board.size - MIDDLE) // 2
    while len(actions) < ply:
        own, other = sides(actions)
        empty = board.empty(own, other)
        inside = [cell for cell in empty if all(margin <= at < board.size - margin for at in divmod(cell, board.size))]
        if any(board.wins(own, cell) for cell in empty):
            return None
        stops = [cell for cell in empty if board.wins(other, cell)]
        actions.append(rng.choice(stops or inside))
    return Position.from_actions(game, actions)


Row = tuple[list[int], list[int | None]]


def make_dev(*, count: int, seed: int, known: set[int]) -> LabelledSet:
    source = candidates(game=EXACT, played=range(FIRST, _END.stop), rng=random.Random(f"{seed} dev"), known=known)
    truth, rows = _truth(), list[Row]()
    while len(rows) < count:
        actions = next(source).actions
        with suppress(NoOracleError):
            rows.append((actions, truth.scores(actions)))
    return _set("dev", EXACT, rows)


def make_cells(*, count: int, begin: int, seed: int, known: set[int]) -> Iterator[tuple[Cell, LabelledSet]]:
    truth = _truth()
    for played in (_END, _MIDDLE, _BEGIN):
        rows: dict[Cell, list[Row]] = {cell: [] for cell in CELLS if cell.played == played}
        source = candidates(game=EXACT, played=played, rng=random.Random(f"{seed} {played.start}"), known=known)
        wanted = begin if played == _BEGIN else count
        while min(len(found) for found in rows.values()) < wanted:
            position = next(source)
            try:
                left = truth.plies_left(position)  # before all moves are judged, which costs more
                cell = next(cell for cell in rows if left in cell.left)
                if len(rows[cell]) < wanted:
                    rows[cell].append((position.actions, truth.scores(position.actions)))
            except NoOracleError:
                continue
        for cell, found in rows.items():
            yield cell, _set(cell.name, EXACT, found)


def _truth() -> GomokuOracle:
    return GomokuOracle(game_spec(EXACT), nodes=EXACT_NODES)


def make_forced(*, game: str, count: int, seed: int, known: set[int]) -> LabelledSet:
    """A score is positive where fours and threes win after every reply, as far as that is known; all others are 0."""
    info = game_spec(game)
    solver = GomokuSolver(size=info.height, in_a_row=info.in_a_row, entries=ENTRIES)
    rows = list[Row]()
    source = candidates(game=game, played=FORCED_STONES, rng=random.Random(f"{seed} forced"), known=known)
    while len(rows) < count:
        position = next(source)
        if not solver.forced(position.actions, threes=True, plies=FORCED_PLIES, nodes=NODES):
            continue
        likely = list[int]()
        lengths = {action: forced_after(solver, position.play(action), likely=likely) for action in position.legal}
        if all(lengths.values()):
            continue  # nothing to find
        scores = [
            None if action not in lengths else (info.max_plies + 2 - position.ply - length) // 2 if length else 0
            for action, length in ((action, lengths.get(action, 0)) for action in range(info.actions))
        ]
        rows.append((position.actions, scores))
    return _set("forced", game, rows)


def forced_after(solver: GomokuSolver, after: Position, *, likely: list[int]) -> int:
    """Plies of a win, the move that has led here included, if fours and threes win against every reply; else 0.

    `likely` is tried first and learns what refutes: mostly that is one of a few cells, whatever was played.
    """
    longest, legal = 0, after.legal
    for reply in (*(one for one in likely if one in legal), *(one for one in legal if one not in likely)):
        position = after.play(reply)
        over = position.is_terminal
        plies = 0 if over else solver.forced(position.actions, threes=True, plies=AFTER_PLIES, nodes=NODES)
        if not plies:
            likely[:] = [reply, *(one for one in likely if one != reply)]
            return 0
        longest = max(longest, plies)
    return longest + 2


def _set(name: str, game: str, rows: list[Row]) -> LabelledSet:
    rows = sorted(rows, key=lambda row: (len(row[0]), row[0]))
    return from_scores(name=name, game=game, moves=[moves for moves, _ in rows], scores=[scores for _, scores in rows])


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the labelled sets of Gomoku.")
    parser.add_argument("--out", type=Path, default=DATA, help="folder of the sets")
    parser.add_argument(
        "--count", type=int, default=500, help="positions in each other cell and in `forced`; twice as many in dev"
    )
    games = (EXACT, *FORCED)
    parser.add_argument(
        "--games", nargs="+", choices=games, default=[game for game in games if game in CARRIED],
        help="of which games; those of gomoku15 are not carried: a position takes six seconds",
    )  # fmt: skip
    parser.add_argument("--begin", type=int, default=150, help="positions in each of the cells begin-, which take long")
    parser.add_argument("--seed", type=int, default=6, help="decides every position")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    made = f"watchful random play, not settled at once; make_gomoku_sets --seed {arguments.seed}"

    decided = f"each move decided within {EXACT_NODES:,} nodes"

    def write(labelled: LabelledSet, about: str) -> None:
        write_set(labelled, folder=arguments.out, origin=f"{about}, {made}")
        log.info("%s %s: %d positions", labelled.game, labelled.name, len(labelled))

    for game in FORCED:
        if game in arguments.games:
            forced = make_forced(game=game, count=arguments.count, seed=arguments.seed, known=set())
            write(forced, f"won by fours and threes in at most {FORCED_PLIES} plies")
    if EXACT not in arguments.games:
        return
    known = set[int]()
    dev = make_dev(count=2 * arguments.count, seed=arguments.seed, known=known)
    write(dev, f"{FIRST} to {_END.stop - 1} plies played, {decided}")
    for cell, labelled in make_cells(count=arguments.count, begin=arguments.begin, seed=arguments.seed, known=known):
        left = f"{cell.left.start} to {cell.left.stop - 1} plies left"
        write(labelled, f"{cell.played.start} to {cell.played.stop - 1} plies played, {left}, {decided}")


if __name__ == "__main__":
    main()
