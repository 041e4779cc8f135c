"""Where right and wrong come from: what search adds to the network, and what the moves-left utility changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from c4.evaluation.labels import LabelledSet
from c4.evaluation.metrics import Judgement, keeps_distance, keeps_value, plies_lost
from c4.evaluation.statistics import mean, paired_difference, rate


def search_audit(labels: LabelledSet, judgements: Mapping[int, Judgement]) -> dict[str, Any]:
    """From the bare network (budget 0) to the largest budget: saved, led astray, and how long until right for good."""
    budgets = sorted(judgements)
    right = np.stack([keeps_value(labels, judgements[budget].action) for budget in budgets])
    first, last = right[0], right[-1]
    needed = simulations_until_right(right, budgets)
    found = needed[(needed >= 0) & labels.decisive]
    return {
        "from": budgets[0],
        "to": budgets[-1],
        "saved": int((~first & last).sum()),
        "misled": int((first & ~last).sum()),
        "right_throughout": int(right.all(axis=0).sum()),
        "wrong_at_both": int((~first & ~last).sum()),
        "saved_share_of_wrong": rate(last[~first]).as_dict(),
        "misled_share_of_right": rate(~last[first]).as_dict(),
        "until_right": [
            {"simulations": budget, "share": float((needed[labels.decisive] == budget).mean())} for budget in budgets
        ]
        if labels.decisive.any()
        else [],
        "until_right_median": float(np.median(found)) if len(found) else None,
        "never_right": int((needed < 0).sum()),
    }


def simulations_until_right(right: NDArray[np.bool_], budgets: Sequence[int]) -> NDArray[np.int64]:
    """The smallest budget from which on the move is right at every larger one too; -1 where the last is wrong."""
    stays = np.flip(np.logical_and.accumulate(np.flip(right, axis=0), axis=0), axis=0)
    return np.where(stays.any(axis=0), np.asarray(budgets, dtype=np.int64)[stays.argmax(axis=0)], -1)


def moves_left_ablation(labels: LabelledSet, off: Judgement, on: Judgement) -> dict[str, Any]:
    """The same network without and with the moves-left utility: lengths compared where both keep the value."""
    kept = keeps_value(labels, off.action) & keeps_value(labels, on.action)
    lost_off, lost_on = plies_lost(labels, off.action), plies_lost(labels, on.action)
    won, losing = kept & (labels.value > 0), kept & (labels.value < 0)
    return {
        "wins_sooner_by": mean((lost_off - lost_on)[won]).as_dict(),
        "loses_later_by": mean((lost_off - lost_on)[losing]).as_dict(),
        "value_preserving_off": rate(keeps_value(labels, off.action)).as_dict(),
        "value_preserving_on": rate(keeps_value(labels, on.action)).as_dict(),
        "value_preserving_change": paired_difference(
            keeps_value(labels, off.action), keeps_value(labels, on.action)
        ).as_dict(),
        "distance_optimal_off": rate(keeps_distance(labels, off.action)).as_dict(),
        "distance_optimal_on": rate(keeps_distance(labels, on.action)).as_dict(),
        "distance_optimal_change": paired_difference(
            keeps_distance(labels, off.action), keeps_distance(labels, on.action)
        ).as_dict(),
        "other_move": rate(off.action != on.action).as_dict(),
    }
