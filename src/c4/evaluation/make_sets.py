"""Makes the labelled sets of Connect Four that the package carries: `python -m c4.evaluation.make_sets --help`.

Six cells by the definition of Pascal Pons' benchmark: stage by the plies played, difficulty by the plies left under
perfect play, from random play, none that is won at once or lost to the very next move. None occurs twice or in
`dev`, not even mirrored.
"""

from __future__ import annotations

import argparse
import dataclasses
import logging
import random
from collections.abc import Iterator
from pathlib import Path

from c4.evaluation.labels import LabelledSet, from_scores, read_labelled
from c4.evaluation.openings import TRIES, ends_at_once, random_position
from c4.evaluation.sets import DATA, write_set
from c4.native._core import Position
from c4.players.oracle import oracle

log = logging.getLogger(__name__)
GAME = "connect4"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cell:
    name: str
    played: range  # plies
    left: range  # plies to the end under perfect play; a draw fills the board


_OPENING, _MIDDLE, _ENDING = range(15), range(15, 29), range(29, 42)
_EASY, _MEDIUM, _HARD = range(15), range(15, 29), range(29, 43)
CELLS = (
    Cell(name="begin-easy", played=_OPENING, left=_EASY),
    Cell(name="begin-medium", played=_OPENING, left=_MEDIUM),
    Cell(name="begin-hard", played=_OPENING, left=_HARD),
    Cell(name="middle-easy", played=_MIDDLE, left=_EASY),
    Cell(name="middle-medium", played=_MIDDLE, left=_MEDIUM),
    Cell(name="end-easy", played=_ENDING, left=_EASY),
)


def candidates(*, played: range, rng: random.Random, known: set[int]) -> Iterator[Position]:
    """New positions that do not end at once, the ply drawn evenly; `known` holds canonical keys and grows."""
    while True:
        ply = rng.choice(played)
        for _ in range(TRIES):
            position = random_position(game=GAME, ply=ply, rng=rng)
            if position is not None and position.canonical_key not in known and not ends_at_once(position):
                known.add(position.canonical_key)
                yield position
                break


def make_cells(*, count: int, seed: int, known: set[int]) -> Iterator[tuple[Cell, LabelledSet]]:
    truth = oracle(GAME)
    for played in (_OPENING, _MIDDLE, _ENDING):
        rng = random.Random(f"{seed} {played.start}")
        found: dict[Cell, list[tuple[list[int], list[int | None]]]] = {c: [] for c in CELLS if c.played == played}
        source = candidates(played=played, rng=rng, known=known)
        while min(len(rows) for rows in found.values()) < count:
            actions = next(source).actions
            scores = truth.scores(actions)
            left = from_scores(name="one", game=GAME, moves=[actions], scores=[scores]).moves_left[0]
            rows = next((rows for cell, rows in found.items() if left in cell.left), None)
            if rows is not None and len(rows) < count:
                rows.append((actions, scores))
        for cell, rows in found.items():
            rows.sort(key=lambda row: (len(row[0]), row[0]))
            moves, scores_of = zip(*rows, strict=True)
            yield cell, from_scores(name=cell.name, game=GAME, moves=moves, scores=scores_of)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the labelled sets of Connect Four (needs the extra [solver]).")
    parser.add_argument("--out", type=Path, default=DATA, help="folder of the sets")
    parser.add_argument("--count", type=int, default=1000, help="positions in each of the six cells")
    parser.add_argument("--seed", type=int, default=4, help="decides every position")
    parser.add_argument("--dev", type=Path, required=True, help="labelled positions (.jsonl) that become the set dev")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dev = read_labelled(arguments.dev, game=GAME, name="dev")
    write_set(dev, folder=arguments.out, origin="half random, half near-perfect play; plies 0 to 35")
    known = {position.canonical_key for position in dev.positions()}
    for cell, labelled in make_cells(count=arguments.count, seed=arguments.seed, known=known):
        stage = f"{cell.played.start} to {cell.played.stop - 1} plies played"
        difficulty = f"{cell.left.start} to {cell.left.stop - 1} plies left"
        origin = f"random play, not settled at once, {stage}, {difficulty}; make_sets --seed {arguments.seed}"
        write_set(labelled, folder=arguments.out, origin=origin)
        log.info("%s: %d positions", cell.name, len(labelled))


if __name__ == "__main__":
    main()
