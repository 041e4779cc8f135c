"""What a person is told at the end of a run: its result, its player, how to go on."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from c4.invocation import as_typed_here, sources
from c4.run.folder import RunFolder, generation_of

TRUTH = "truth/value_preserving"


def result_lines(
    rows: Sequence[Mapping[str, float]], *, title: str, folder: RunFolder, best_generation: int, needs: str = ""
) -> list[str]:
    """The result in three lines, where the player is, and how to play against it: by a command that `needs` a word."""
    if not rows:
        return [f"{title}: the budget ran out before the first generation was finished: there is no player"]
    last = rows[-1]
    took = clock(round(60 * last.get("budget/minutes", 0.0)))
    player = folder.player("best")
    made = f"{len(rows)} generation{'s' if len(rows) != 1 else ''}"
    counted = f"{last.get('total/games', 0):,.0f} games, {last.get('total/samples', 0):,.0f} samples"
    return [
        f"{title}: {made}, {counted} in {took}",
        agreement_line(rows),
        f"best player: generation {best_generation}, {player}",
        f"play against it: {as_typed_here('python play.py')} checkpoint={_words(str(player), needs)}",
    ]


def agreement_line(rows: Sequence[Mapping[str, float]]) -> str:
    """How often the newest graded network errs against perfect play, as far as it was graded."""
    graded: dict[int, float] = {}
    for row in rows:
        for name, value in row.items():
            budget = name.removeprefix(TRUTH).removeprefix("_")
            if name == TRUTH or (name.startswith(f"{TRUTH}_") and budget.isdigit()):
                graded[int(budget or 0)] = value
    if graded:
        figures = [f"{100 * (1 - graded[budget]):.1f} % with {_thinking(budget)}" for budget in sorted(graded)]
        return f"errors against perfect play: {', '.join(figures)}"
    last = rows[-1] if rows else {}
    if "baseline/strength" in last:
        score, rollouts = 100 * last["baseline/score"], last["baseline/rollouts"]
        against = f"{score:.0f} % of the points against {rollouts:,.0f} rollouts per move"
        return f"strength against random rollouts: level {last['baseline/strength']:.1f}, {against}"
    return f"not graded; loss {last['loss/total']:.3f}" if "loss/total" in last else "not graded"


def how_to_go_on(folder: RunFolder, *, change: str = "", needs: str = "") -> str:
    """What is saved of a run that has not reached its end, and the command that takes it up with a `change`."""
    states = folder.states()
    program = f"{as_typed_here('python train.py')} {sources()}".rstrip()
    command = f"{program} resume={_words(str(folder.path), change, needs)}"
    if not states:
        return f"nothing was saved yet; to start again: {command}"
    return f"saved up to generation {generation_of(states[0])}; to continue: {command}"


def clock(seconds: float) -> str:
    """12:05 or 1:12:05."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _words(value: str, *more: str) -> str:
    return " ".join([shlex.quote(value), *(word for word in more if word)])


def _thinking(budget: int) -> str:
    return f"{budget} simulations" if budget else "the bare network"
