"""What the value head is to learn, against the truth: how often each target has the wrong sign, and how far it is off.

value: native/value.h. Knows samples and true results, not how games were thrown.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from c4.replay.samples import Samples

Counts = dict[str, float]
"""samples; settled: those won or lost, as the files of runs call them; wrong_sign: of these, where a draw is wrong too;
squared_error: summed."""


def value_targets(samples: Samples) -> dict[str, NDArray[np.float64]]:
    """By name: the game's result, the value of the search's root, and the value trace (without traces the result)."""
    return {
        "result": samples["result"].astype(np.float64),
        "root_value": samples["root_value"].astype(np.float64),
        "trace": samples["outcome_share"].astype(np.float64) * samples["outcome"] + samples["bootstrap"],
    }


def targets_by_ply(samples: Samples, *, truth: Mapping[tuple[int, int], int]) -> dict[int, dict[str, Counts]]:
    """Ply -> target -> counts, over the samples whose (game_id, ply) has a truth."""
    keys = zip(samples["game_id"].tolist(), samples["ply"].tolist(), strict=True)
    rows = np.array([row for row, key in enumerate(keys) if key in truth], dtype=np.intp)
    known = samples[rows]
    worth = np.array(
        [truth[key] for key in zip(known["game_id"].tolist(), known["ply"].tolist(), strict=True)], dtype=np.float64
    )
    targets, plies = value_targets(known), known["ply"]
    return {
        int(ply): {name: _counts(target[plies == ply], worth[plies == ply]) for name, target in targets.items()}
        for ply in np.unique(plies)
    }


def _counts(target: NDArray[np.float64], worth: NDArray[np.float64]) -> Counts:
    not_drawn = worth != 0
    return {
        "samples": len(target),
        "settled": int(not_drawn.sum()),
        "wrong_sign": int((np.sign(target) != worth)[not_drawn].sum()),
        "squared_error": float(((target - worth) ** 2).sum()),
    }
