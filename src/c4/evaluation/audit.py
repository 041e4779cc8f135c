"""Where right and wrong come from: what search adds to the network, what the moves-left utility changes, and who
threw a game of self-play. Arrays and game records in, plain data out.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from c4.evaluation.labels import LabelledSet
from c4.evaluation.metrics import Judgement, keeps_distance, keeps_value, plies_lost
from c4.evaluation.statistics import mean, paired_difference, rate
from c4.native._core import FULL_SEARCH, OPENING_PLY, SAMPLED_MOVE, Position


def search_audit(labels: LabelledSet, judgements: Mapping[int, Judgement]) -> dict[str, Any]:
    """From the bare network (budget 0) to the largest budget: saved, led astray, and how long until right for good."""
    budgets = sorted(judgements)
    right = np.stack([keeps_value(labels, judgements[budget].action) for budget in budgets])
    first, last = right[0], right[-1]
    settled = simulations_until_right(right, budgets)
    found = settled[(settled >= 0) & labels.decisive]
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
            {"simulations": budget, "share": float((settled[labels.decisive] == budget).mean())} for budget in budgets
        ]
        if labels.decisive.any()
        else [],
        "until_right_median": float(np.median(found)) if len(found) else None,
        "never_right": int((settled < 0).sum()),
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


class Blame(Enum):
    """Why a move that gave the value away was played."""

    OPENING = "opening"  # a random ply at the start
    TEMPERATURE = "temperature"  # the search's own choice was right, another move was drawn
    NOISE = "noise"  # the search chose wrongly, but not when it searches again without noise
    SEARCH = "search"


@dataclasses.dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One finished game of self-play, as the generator tells of it."""

    actions: Sequence[int]
    best: Sequence[int]  # greedy choice of the search at each ply, -1 where nothing was searched
    flags: Sequence[int]
    result: int  # for the first player


def game_records(games: Iterable[Mapping[str, Any]]) -> list[GameRecord]:
    return [
        GameRecord(actions=game["actions"], best=game["best"], flags=game["flags"], result=game["result"])
        for game in games
    ]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Throw:
    """A ply at which the value was given away."""

    ply: int  # 0-based: position after `ply` actions
    blame: Blame


Truth = Callable[[Sequence[int]], Sequence[int | None]]
"""Exact scores of each action after these actions."""


def throws(game: GameRecord, scores: Sequence[Sequence[int | None]], *, calm: Mapping[int, int]) -> list[Throw]:
    """Every move of the game that gave the value away. `calm` has the choice of a search without noise, by ply."""
    found = []
    for ply, (action, row) in enumerate(zip(game.actions, scores, strict=True)):
        if _keeps(row, action):
            continue
        flags, best = game.flags[ply], game.best[ply]
        if flags & OPENING_PLY or best < 0:
            blame = Blame.OPENING
        elif flags & SAMPLED_MOVE and _keeps(row, best):
            blame = Blame.TEMPERATURE
        elif ply in calm and _keeps(row, calm[ply]):
            blame = Blame.NOISE
        else:
            blame = Blame.SEARCH
        found.append(Throw(ply=ply, blame=blame))
    return found


def selfplay_audit(
    *,
    game: str,
    records: Sequence[GameRecord],
    truth: Truth,
    calm_search: Callable[[Sequence[Sequence[int]]], Sequence[int]] | None,
    opening_plies: int,
) -> dict[str, Any]:
    """Results against the truth, and who threw games.

    `calm_search` searches positions again without noise: only full searches have it, so only they are asked about.
    """
    if not records:
        return {"games": 0}
    scores = [[truth(record.actions[:ply]) for ply in range(len(record.actions))] for record in records]
    doubted = [
        (index, ply)
        for index, (record, rows) in enumerate(zip(records, scores, strict=True))
        for ply, row in enumerate(rows)
        if record.flags[ply] & FULL_SEARCH and not (_keeps(row, record.actions[ply]) or _keeps(row, record.best[ply]))
    ]
    calm: dict[int, dict[int, int]] = {}
    if calm_search is not None and doubted:
        choices = calm_search([records[index].actions[:ply] for index, ply in doubted])
        for (index, ply), choice in zip(doubted, choices, strict=True):
            calm.setdefault(index, {})[ply] = choice
    thrown = [throws(record, scores[index], calm=calm.get(index, {})) for index, record in enumerate(records)]
    blamed = Counter(throw.blame for each in thrown for throw in each)
    first = Counter(each[0].ply for each in thrown if each)
    keys = [
        Position.from_actions(game, record.actions[:ply]).canonical_key
        for record in records
        for ply in range(len(record.actions))
    ]
    openings = {tuple(record.actions[:opening_plies]) for record in records}
    return {
        "games": len(records),
        "contradictions": _contradictions(records, scores),
        "first_throw": [{"ply": ply, "games": count} for ply, count in sorted(first.items())],
        "flawless": rate(np.array([not each for each in thrown])).as_dict(),
        "throws_per_game": sum(blamed.values()) / len(records),
        "blame": {blame.value: blamed[blame] for blame in Blame},
        "distinct_openings": len(openings) / len(records),
        "repeated_positions": 1 - len(set(keys)) / len(keys),
    }


def _contradictions(
    records: Sequence[GameRecord], scores: Sequence[Sequence[Sequence[int | None]]]
) -> list[dict[str, Any]]:
    """For each ply: how often the game's result differs from what the position after that many plies was worth."""
    wrong: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for record, rows in zip(records, scores, strict=True):
        for ply, row in enumerate(rows):
            result = record.result if ply % 2 == 0 else -record.result  # for the side to move there
            seen[ply] += 1
            wrong[ply] += result != _value(row)
    return [{"ply": ply, "share": wrong[ply] / seen[ply], "games": seen[ply]} for ply in sorted(seen)]


def _value(row: Sequence[int | None]) -> int:
    return int(np.sign(max(score for score in row if score is not None)))


def _keeps(row: Sequence[int | None], action: int) -> bool:
    score = row[action]
    return score is not None and int(np.sign(score)) == _value(row)
