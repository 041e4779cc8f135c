"""Makes the large labelled set of Connect Four by which players are compared (--help says how).

Opening and early middle game, with a long way to the end under perfect play: where strong players still err. Half
of the positions come from random play, half from games of two players who err now and then. None occurs twice or in
another set, not even mirrored.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from c4.evaluation.labels import LabelledSet, from_scores, read_labelled
from c4.evaluation.openings import ends_at_once, random_position
from c4.evaluation.sets import labelled_set, set_names, write_set
from c4.native._core import Position
from c4.players.oracle import Oracle, oracle

GAME, NAME = "connect4", "large"
FOLDER = Path(__file__).parent / "data"
PLIES = range(17)  # played
LEAST_LEFT = 20  # plies to the end under perfect play
ERRS = 0.15  # how often a near-perfect player moves at random

Row = tuple[list[int], list[int | None]]


def is_long(row: Row) -> bool:
    labels = from_scores(name="one", game=GAME, moves=[row[0]], scores=[row[1]])
    return bool(labels.moves_left[0] >= LEAST_LEFT)


def random_rows(truth: Oracle, *, rng: random.Random) -> Iterator[Row]:
    """The ply is drawn evenly, the game is random."""
    while True:
        position = random_position(game=GAME, ply=rng.choice(PLIES), rng=rng)
        if position is not None and not ends_at_once(position):
            yield position.actions, truth.scores(position.actions)


def played_rows(truth: Oracle, *, rng: random.Random) -> Iterator[Row]:
    """One position a game, its ply drawn evenly."""
    while True:
        position, last = Position(GAME), rng.choice(PLIES)
        while not position.is_terminal:
            scores = truth.scores(position.actions)
            if position.ply == last:
                yield position.actions, scores
                break
            best = max(score for score in scores if score is not None)
            good = [action for action, score in enumerate(scores) if score == best]
            position = position.play(rng.choice(position.legal if rng.random() < ERRS else good))


def collect(source: Iterator[Row], *, count: int, known: set[int], tries: int) -> list[Row]:
    """New rows with a long way to the end; fewer than `count` where `tries` find no more. `known` grows."""
    rows: list[Row] = []
    for _ in range(tries):
        if len(rows) == count:
            break
        row = next(source)
        key = Position.from_actions(GAME, row[0]).canonical_key
        if key not in known and is_long(row):
            known.add(key)
            rows.append(row)
            if len(rows) % 1000 == 0:
                print(f"{len(rows)} of {count}", file=sys.stderr)
    return rows


def make(*, count: int, seed: int, others: Sequence[LabelledSet]) -> LabelledSet:
    truth = oracle(GAME)
    known = {position.canonical_key for labels in others for position in labels.positions()}
    rows = collect(
        random_rows(truth, rng=random.Random(f"{seed} random")), count=count // 2, known=known, tries=100 * count
    )
    rows += collect(
        played_rows(truth, rng=random.Random(f"{seed} played")), count=count - len(rows), known=known, tries=100 * count
    )
    random.Random(f"{seed} order").shuffle(rows)  # a comparison may stop anywhere
    moves, scores = zip(*rows, strict=True)
    return from_scores(name=NAME, game=GAME, moves=moves, scores=scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the set")
    parser.add_argument("--count", type=int, default=20_000, help="positions")
    parser.add_argument("--seed", type=int, default=19, help="decides every position")
    parser.add_argument("--apart-from", type=Path, default=None, help="folder of other labelled positions (.jsonl)")
    arguments = parser.parse_args()
    others = [labelled_set(name, game=GAME) for name in set_names(GAME)]
    if arguments.apart_from is not None:
        others += [read_labelled(path, game=GAME) for path in sorted(arguments.apart_from.glob("*.jsonl"))]
    made = make(count=arguments.count, seed=arguments.seed, others=others)
    plies = f"plies {PLIES.start} to {PLIES.stop - 1}, at least {LEAST_LEFT} plies left"
    origin = f"half random play, half near-perfect play; {plies}; make_large_set --seed {arguments.seed}"
    write_set(made, folder=arguments.out, origin=origin)
    print(f"{len(made)} positions in {arguments.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
