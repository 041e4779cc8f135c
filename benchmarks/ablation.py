"""What is a recipe worth when one thing in it is another? Trained with and without it, at the same wall clock.

python benchmarks/ablation.py                            gomoku8, eleven recipes, two seeds each, 15 minutes of one core
python benchmarks/ablation.py game=gomoku6 steps=recipe,puct seeds=3 minutes=10 folder=runs/ablation results=docs
python benchmarks/ablation.py game=connect4 seeds=3 minutes=10 steps=recipe,softer_priors
python benchmarks/compare.py runs/ablation/connect4/recipe runs/ablation/connect4/softer_priors

The first recipe is `experiment=GAME` as it ships; each other one differs from that one in what its name says. Errors
are counted on the sets that the game carries, and where the recipe plays against pure Monte Carlo a column tells how
strong it was. All else is as in ladder.py: runs side by side, each on a core of its own, and a killed one goes on. On
Connect Four the last line decides, on many more positions.
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

OF_GOMOKU = (
    Step(name="recipe", about="`experiment=GAME` as it ships", words=()),
    Step(
        name="no_openings",
        about="no game begins with random moves",
        words=("selfplay.random_opening_probability=0",),
    ),
    Step(
        name="short_openings",
        about="up to 6 random moves at the beginning of a game",
        words=("selfplay.random_opening_plies=6",),
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
    Step(name="fewest_simulations", about="16 simulations a move", words=("search.num_simulations=16",)),
    Step(name="no_mlh", about="no moves-left utility in self-play", words=("search.mlh_slope=0",)),
    Step(name="no_proofs", about="no wins by fours at the leaves", words=("search.proof_nodes=0",)),
)

OF_CONNECT4 = (
    Step(name="recipe", about="`experiment=connect4` as it ships", words=()),
    Step(name="softer_priors", about="policy logits divided by 1.4", words=("search.policy_temperature=1.4",)),
    Step(
        name="soft_root",
        about="policy logits divided by 1.15 at the root alone, and so in targets",
        words=("search.root_policy_temperature=1.15",),
    ),
    Step(
        name="softer_root",
        about="policy logits divided by 1.4 at the root alone",
        words=("search.root_policy_temperature=1.4",),
    ),
    Step(
        name="soft_and_sharp",
        about="divided by 1.25, and values count twice as much",
        words=("search.root_policy_temperature=1.25", "search.gumbel_cscale=0.2"),
    ),
    Step(name="scale_03", about="values count three times as much in targets", words=("search.gumbel_cscale=0.3",)),
    Step(name="scale_1", about="values count ten times as much in targets", words=("search.gumbel_cscale=1",)),
    Step(
        name="curious",
        about="half of the samples are drawn by how much they surprised",
        words=("data.surprise_share=0.5",),
    ),
    Step(name="averaged", about="repeated positions are one sample", words=("data.repeats=averaged",)),
    Step(name="smoothed", about="averaged weights play", words=("model.ema_decay=0.99",)),
    Step(
        name="as_graded",
        about="`cpuct` and `fpu_reduction` of grading in self-play",
        words=("search.cpuct=1.4", "search.fpu_reduction=0.04"),
    ),
    Step(
        name="no_traces",
        about="the plain result as the value's target",
        words=("selfplay.value_trace=null", "model.value_root_share=0"),
    ),
    Step(
        name="half_root",
        about="half of the value's target is the search's root value",
        words=("model.value_root_share=0.5",),
    ),
    Step(name="no_mlh", about="no moves-left utility in self-play", words=("search.mlh_slope=0",)),
    Step(
        name="fpu_zero",
        about="an unvisited move is thought as good as its parent, in self-play",
        words=("search.fpu_reduction=0",),
    ),
    Step(
        name="proofs",
        about="a leaf whose result so few nodes of exact search prove needs no network",
        words=("search.proof_nodes=100",),
    ),
    Step(name="sampling_4", about="four looks at a sample in place of 1.5", words=("data.sampling_ratio=4",)),
    Step(name="few_simulations", about="32 simulations a move", words=("search.num_simulations=32",)),
    Step(name="fewest_simulations", about="16 simulations a move", words=("search.num_simulations=16",)),
    Step(name="many_simulations", about="96 simulations a move", words=("search.num_simulations=96",)),
    Step(name="small", about="a network of a third of the work", words=("network=small",)),
    Step(
        name="together",
        about="small proofs, three looks at a sample, 32 simulations a move",
        words=("search.proof_nodes=100", "data.sampling_ratio=3", "search.num_simulations=32"),
    ),
)


def steps_for(game: str) -> tuple[Step, ...]:
    return OF_CONNECT4 if game == "connect4" else OF_GOMOKU


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
    known = sorted(one for one in CARRIED if one == "connect4" or one.startswith("gomoku"))
    if game not in known:
        raise UsageError(f"game={game}: there are labelled positions of {', '.join(known)}")
    return Ablation(plan=plan_of(rest), steps=steps_of(steps_for(game), asked), game=game)


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
