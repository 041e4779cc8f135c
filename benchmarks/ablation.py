"""What is each part of Gomoku's recipe worth? Trained without it, at the same wall clock.

python benchmarks/ablation.py                            gomoku8, eight recipes, two seeds each, 15 minutes of one core
python benchmarks/ablation.py game=gomoku6 steps=recipe,puct seeds=3 minutes=10 folder=runs/ablation results=docs

The first recipe is `experiment=GAME` as it ships; each other one differs from that one in what its name says. Errors
are counted on the sets that the game carries, and a column tells how strong the run's own matches against pure Monte
Carlo found it. All else is as in ladder.py: runs side by side, each on a core of its own, and a killed one goes on.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence

from ladder import HIDDEN, Ladder, Step, climb, steps_of
from ladder_report import Sheet, publish
from zero_to_strong import Plan, UsageError, ended, plan_of, told

from c4.evaluation.sets import CARRIED
from c4.run.origin import machine

NAME, GAME = "ablation", "gomoku8"
MINUTES, SEEDS = 15, 2
SIMULATIONS = "0,32,400"
OWN = ("seeds", "minutes", "simulations", "folder", "results")

STEPS = (
    Step(name="recipe", about="`experiment=GAME` as it ships", words=()),
    Step(
        name="no_openings",
        about="no game begins with random moves",
        words=("selfplay.random_opening_probability=0",),
    ),
    Step(
        name="long_openings",
        about="up to 20 random moves at the beginning of a game",
        words=("selfplay.random_opening_plies=20",),
    ),
    Step(
        name="no_traces",
        about="the plain result as the value's target",
        words=("selfplay.value_trace=null", "model.value_root_share=0"),
    ),
    Step(
        name="puct",
        about="PUCT with noise, one search in four of 160 and recorded, the others of 32, in place of Gumbel",
        words=("search=default", "search.num_simulations=160", "selfplay.full_search_probability=0.25"),
    ),
    Step(
        name="forced_visits",
        about="the same with forced playouts, taken out of the targets again",
        words=(
            "search=default",
            "search.num_simulations=160",
            "selfplay.full_search_probability=0.25",
            "search.forced_visits=2",
        ),
    ),
    Step(name="few_simulations", about="32 simulations a move", words=("search.num_simulations=32",)),
    Step(name="no_mlh", about="no moves-left utility in self-play", words=("search.mlh_slope=0",)),
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ablation(Ladder):
    game: str

    def of(self, step: Step) -> Plan:
        words = (f"experiment={self.game}", f"name={NAME}", *step.words)
        graded = (f"evaluation.sets=[{','.join(CARRIED[self.game])}]", "evaluation.duel_simulations=0")
        return dataclasses.replace(
            self.plan, overrides=words, folder=self.plan.folder / self.game / step.name, graded=graded
        )


def ablation_of(words: Sequence[str]) -> Ablation:
    game, asked = GAME, None
    rest = [f"seeds={SEEDS}", f"minutes={MINUTES}", f"simulations={SIMULATIONS}", f"folder=runs/{NAME}"]
    for word in words:
        name, _, value = word.partition("=")
        if name == "game":
            game = value
        elif name == "steps":
            asked = value
        elif name in OWN:
            rest.append(word)
        else:
            raise UsageError(f"{word}: the steps decide the rest; say game=, steps=, {'=, '.join(OWN)}=")
    known = sorted(one for one in CARRIED if one.startswith("gomoku"))
    if game not in known:
        raise UsageError(f"game={game}: there are labelled positions of {', '.join(known)}")
    return Ablation(plan=plan_of(rest), steps=steps_of(STEPS, asked), game=game)


def main(words: Sequence[str]) -> int:
    def work() -> str:
        ablation, rows, text = ablation_of(words), [], ""
        kept = (told(word) for word in words if not word.startswith(HIDDEN))
        about = {
            "command": " ".join([f"python benchmarks/{NAME}.py", *kept]),
            "machine": machine(),
            "minutes": ablation.plan.minutes,
        }
        sheet = Sheet(name=f"{NAME}_{ablation.game}", cells=CARRIED[ablation.game], chained=False)
        for row in climb(ablation):
            rows.append(row)
            text = publish(rows, folder=ablation.plan.results, about=about, sheet=sheet)
        return text

    return ended(work)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main(sys.argv[1:]))
