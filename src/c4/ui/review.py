"""What a move gave away, by the search and by the truth, and which one was better. value: native/value.h."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from c4.ui.analysis import Analysis

# Of the value scale from a lost to a won game, for the one who moves.
INACCURACY, MISTAKE, BLUNDER = 0.2, 0.5, 1.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class MoveVerdict:
    """Of one move."""

    mark: str  # "", "?!", "?", "??"
    by: str  # search or solver
    lost: float  # of the value, for the one who moved
    better: int | None  # an action, where something was given away
    sentence: str


def by_search(before: Analysis, *, played: int, after: Analysis) -> MoveVerdict:
    """By searches of the position before the move and of the one after it."""
    kept = 0.0 - after.value
    best = before.value if before.best is None or before.best != played else min(before.value, kept)
    lost = max(0.0, best - kept)
    mark = "??" if lost >= BLUNDER else "?" if lost >= MISTAKE else "?!" if lost >= INACCURACY else ""
    better = before.best if mark and before.best != played else None
    name = next((move.name for move in before.moves if move.action == better), "")
    if better is None:
        return MoveVerdict(mark="", by="search", lost=lost, better=None, sentence="")
    sentence = f"gives away {lost:.2f} of the value: {name} was better"
    return MoveVerdict(mark=mark, by="search", lost=lost, better=better, sentence=sentence)


def by_solver(scores: Sequence[int | None], *, played: int, names: Sequence[str]) -> MoveVerdict:
    """By the exact score of each action; `names` of all actions."""
    known = {action: score for action, score in enumerate(scores) if score is not None}
    top = max(known.values())
    best, kept = _sign(top), _sign(known[played])
    lost = float(best - kept)
    if lost <= 0:
        return MoveVerdict(mark="", by="solver", lost=0.0, better=None, sentence="")
    better = next(action for action, score in known.items() if score == top)
    had, has = ({1: "a win", 0: "a draw", -1: "a loss"}[result] for result in (best, kept))
    sentence = f"turns {had} into {has}: {names[better]} was better"
    return MoveVerdict(mark="??", by="solver", lost=lost, better=better, sentence=sentence)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
