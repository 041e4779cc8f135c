"""Which of two recipes makes the better player: two folders of runs, position by position on the large set.

python benchmarks/compare.py A B                     A and B: folders of runs (a seed each), one run, or a player's file
python benchmarks/compare.py A B simulations=0,600 positions=20000 search.cpuct=2

Players meet in pairs, seed by seed. With b positions that only A's player gets right and c that only B's does, a
sequential test says how sure it is that A is better: LLR = b ln(0.6 / 0.5) + c ln(0.4 / 0.5), and for B the other way
round; it ends at 2.94 either way (one wrong answer in 20). That holds for these players. Whether it holds for their
recipes is told by the spread over seeds, of which each side needs three. All other words are overrides of
evaluate.py.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import sys
from collections.abc import Sequence
from contextlib import closing
from enum import Enum
from pathlib import Path

import numpy as np
from make_large_set import FOLDER, GAME, NAME
from numpy.typing import NDArray
from results import FOLDER as RESULTS
from results import publish
from seeds import over_seeds
from words import parted

from c4.command_line import REFUSED, check
from c4.evaluation.judges import Budgets, bare_network, searched
from c4.evaluation.labels import LabelledSet
from c4.evaluation.metrics import keeps_value
from c4.evaluation.sets import read_manifest, read_set
from c4.files import write_beside
from c4.network.weights import PlayerFileError, load_player
from c4.params.evaluate import EvaluateConfig
from c4.params.plain import as_plain
from c4.params.walk import build
from c4.players.checkpoints import player_file
from c4.players.engines import open_engine
from c4.sources import opened

CONF = Path(__file__).parents[1] / "conf"
KEPT = RESULTS / "right"  # what each player got right, so that it is graded once however often it is compared
BOUND = math.log(0.95 / 0.05)  # 2.94
BETTER, EVEN = 0.6, 0.5  # share of the positions on which two players differ
LEAST_SEEDS = 3  # a side, before anything is said of recipes

Right = NDArray[np.bool_]
"""[n] whether a player keeps the value of each position."""


class Verdict(Enum):
    A = "A is better"
    B = "B is better"
    EVEN = "neither is better by as much as 60 to 40"
    OPEN = "not known yet"


def log_ratio(*, won: int, lost: int) -> float:
    """Of "better" against "even", for the side that alone was right `won` times and alone was wrong `lost` times."""
    return won * math.log(BETTER / EVEN) + lost * math.log((1 - BETTER) / (1 - EVEN))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Met:
    """Two players on the same positions."""

    count: int  # positions looked at: all of them, or those up to where the test ended
    only_a: int
    only_b: int
    verdict: Verdict

    @property
    def ratio_a(self) -> float:
        return log_ratio(won=self.only_a, lost=self.only_b)

    @property
    def ratio_b(self) -> float:
        return log_ratio(won=self.only_b, lost=self.only_a)


def meet(a: Right, b: Right) -> Met:
    """Walks through the positions in their order until the test knows; all of them count for the figures beside it."""
    won, lost = np.cumsum(a & ~b), np.cumsum(b & ~a)
    for_a = won * math.log(BETTER / EVEN) + lost * math.log((1 - BETTER) / (1 - EVEN))
    for_b = lost * math.log(BETTER / EVEN) + won * math.log((1 - BETTER) / (1 - EVEN))
    ends = {
        Verdict.A: for_a >= BOUND,
        Verdict.B: for_b >= BOUND,
        Verdict.EVEN: (for_a <= -BOUND) & (for_b <= -BOUND),
    }
    first = {verdict: int(hit.argmax()) for verdict, hit in ends.items() if hit.any()}
    verdict = min(first, key=lambda one: first[one], default=Verdict.OPEN)
    at = first.get(verdict, len(a) - 1)
    return Met(count=at + 1, only_a=int(won[at]), only_b=int(lost[at]), verdict=verdict)


def players_of(path: Path) -> list[Path]:
    """The players of a folder of runs in the order of their names, or the one of a run, or the file itself."""
    try:
        return [player_file(str(path), game=GAME)]
    except PlayerFileError:
        found = []
        for run in sorted(one for one in path.iterdir() if one.is_dir()) if path.is_dir() else []:
            try:
                found.append(player_file(str(run), game=GAME))
            except PlayerFileError:
                continue
        if not found:
            raise
        return found


def right_of(file: Path, labels: LabelledSet, *, simulations: int, config: EvaluateConfig) -> Right:
    knobs = json.dumps([simulations, as_plain(config.search), as_plain(config.inference), labels.moves], sort_keys=True)
    key = hashlib.sha256(file.read_bytes() + knobs.encode()).hexdigest()[:24]
    kept = KEPT / f"{key}.json"
    if kept.exists():
        return np.array(json.loads(kept.read_text()), dtype=bool)
    print(f"{file}: {len(labels)} positions at {simulations} simulations", file=sys.stderr)
    params = config.evaluation
    rows = max(1, params.trees // 2)
    with closing(
        open_engine(load_player(file, game=GAME), inference=config.inference, rows=rows, in_flight=2)
    ) as engine:
        if simulations:
            budgets = Budgets(trees=params.trees, threads=params.threads, cache_megabytes=params.cache_megabytes)
            judged = searched(
                labels.positions(), engine, params=config.search, simulations=[simulations], budgets=budgets
            )[simulations]
        else:
            judged = bare_network(labels, engine)
    right = keeps_value(labels, judged.action)
    KEPT.mkdir(parents=True, exist_ok=True)
    write_beside(kept, json.dumps(right.astype(int).tolist()).encode())
    return right


def compared(sides: Sequence[Sequence[Right]]) -> list[str]:
    """What is known, in sentences."""
    a, b = sides
    errors = [[100.0 * float(1.0 - right.mean()) for right in side] for side in sides]
    lines = []
    for number, (one, other) in enumerate(zip(a, b, strict=False), start=1):
        met = meet(one, other)
        only_a, only_b = int((one & ~other).sum()), int((other & ~one).sum())
        lines.append(
            f"pair {number}: errors {100 * (1 - one.mean()):.2f} % against {100 * (1 - other.mean()):.2f} %; only A is "
            f"right on {only_a}, only B on {only_b}; {met.verdict.value}, after {met.count} positions"
        )
    difference = over_seeds(*errors)
    enough = min(len(a), len(b)) >= LEAST_SEEDS
    said = f"B's errors less A's: {difference.value:+.2f} points"
    if math.isfinite(difference.low):
        said += f" (95 % over seeds: {difference.low:+.2f} to {difference.high:+.2f})"
    if not enough:
        lines.append(f"{said}; of recipes nothing is known: that takes {LEAST_SEEDS} seeds a side")
    elif difference.is_known:
        lines.append(f"{said}; known: {'A' if difference.value > 0 else 'B'} is the better recipe")
    else:
        lines.append(f"{said}; not known which recipe is better")
    return lines


def main(words: Sequence[str]) -> int:
    paths = [Path(word) for word in words if "=" not in word]
    own, overrides = parted([word for word in words if "=" in word], own={"simulations": "0,600", "positions": "20000"})
    try:
        if len(paths) != 2:
            raise ValueError("two folders of runs are compared: python benchmarks/compare.py A B")
        steps, most = [int(one) for one in own["simulations"].split(",")], int(own["positions"])
        if most < 1 or min(steps) < 0:
            raise ValueError("positions is at least 1, simulations are at least 0")
        with opened(conf=CONF, name="evaluate") as sources:
            line = check(overrides, sources=sources, schema=EvaluateConfig, multirun=False)
            config = build(EvaluateConfig, sources.compose(line.words))
        if NAME not in read_manifest(FOLDER):
            raise ValueError("the large set is not there: python benchmarks/make_large_set.py makes it in 20 minutes")
        labels = read_set(NAME, game=GAME, folder=FOLDER)
        labels = labels.take(range(min(most, len(labels))))
        sides = [players_of(path) for path in paths]
        for file in {file for side in sides for file in side}:
            load_player(file, game=GAME)  # before hours are spent on the others
    except (ValueError, *REFUSED) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    rows = []
    for simulations in steps:
        found = [[right_of(file, labels, simulations=simulations, config=config) for file in side] for side in sides]
        print(f"\n{simulations} simulations, {len(labels)} positions" if simulations else "\nthe bare network")
        print("\n".join(compared(found)))
        rows += [
            {
                "simulations": simulations,
                "side": name,
                "player": str(file),
                "errors in %": 100 * float(1 - right.mean()),
            }
            for name, files, rights in zip("AB", sides, found, strict=True)
            for file, right in zip(files, rights, strict=True)
        ]
    publish("compare", rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
