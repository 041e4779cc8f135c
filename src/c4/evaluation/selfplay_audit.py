"""Games of self-play against the truth: whose results are wrong, and who threw them. Knows games by their records."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np

from c4.evaluation.statistics import rate
from c4.native._core import FULL_SEARCH, OPENING_PLY, SAMPLED_MOVE, Position

Value = Callable[[Sequence[int]], int]
"""value: native/value.h. The true result for the side to move after these actions: -1, 0, 1."""

CalmSearch = Callable[[Sequence[Sequence[int]]], Sequence[int]]
"""What self-play's search chooses without noise, after each of these lists of actions."""


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


@dataclasses.dataclass(frozen=True, kw_only=True)
class Throw:
    """A move that gave the value away: the one after `ply` actions."""

    ply: int
    blame: Blame


def game_records(games: Iterable[Mapping[str, Any]]) -> list[GameRecord]:
    return [
        GameRecord(actions=game["actions"], best=game["best"], flags=game["flags"], result=game["result"])
        for game in games
    ]


def selfplay_audit(
    *, game: str, records: Sequence[GameRecord], value: Value, calm_search: CalmSearch | None, opening_plies: int
) -> dict[str, Any]:
    """Plain data. Without `calm_search`, what noise is to blame for counts as the search's own."""
    if not records:
        return {"games": 0}
    values = [[value(record.actions[:ply]) for ply in range(len(record.actions) + 1)] for record in records]
    thrown = _blamed(records, values, value=value, calm_search=calm_search)
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
        "contradictions": _contradictions(records, values),
        "first_throw": [{"ply": ply, "games": count} for ply, count in sorted(first.items())],
        "flawless": rate(np.array([not each for each in thrown])).as_dict(),
        "throws_per_game": sum(blamed.values()) / len(records),
        "blame": {blame.value: blamed[blame] for blame in Blame},
        "distinct_openings": len(openings) / len(records),
        "repeated_positions": 1 - len(set(keys)) / len(keys),
    }


def _blamed(
    records: Sequence[GameRecord], values: Sequence[Sequence[int]], *, value: Value, calm_search: CalmSearch | None
) -> list[list[Throw]]:
    """The throws of each game. Only full searches have noise, so only they are searched again."""
    thrown: list[list[Throw]] = [[] for _ in records]
    doubted: list[tuple[int, int]] = []
    for index, record in enumerate(records):
        for ply, (before, after) in enumerate(zip(values[index], values[index][1:], strict=False)):
            if after == -before:
                continue
            blame = _blame_at(record, ply, value=value)
            thrown[index].append(Throw(ply=ply, blame=blame))
            if blame is Blame.SEARCH and record.flags[ply] & FULL_SEARCH:
                doubted.append((index, ply))
    if calm_search is not None and doubted:
        choices = calm_search([records[index].actions[:ply] for index, ply in doubted])
        for (index, ply), choice in zip(doubted, choices, strict=True):
            if _keeps(value, records[index], ply, choice):
                at = next(number for number, throw in enumerate(thrown[index]) if throw.ply == ply)
                thrown[index][at] = Throw(ply=ply, blame=Blame.NOISE)
    return thrown


def _blame_at(record: GameRecord, ply: int, *, value: Value) -> Blame:
    """As far as it can be told without searching again."""
    flags, best = record.flags[ply], record.best[ply]
    if flags & OPENING_PLY or best < 0:
        return Blame.OPENING
    return Blame.TEMPERATURE if flags & SAMPLED_MOVE and _keeps(value, record, ply, best) else Blame.SEARCH


def _keeps(value: Value, record: GameRecord, ply: int, action: int) -> bool:
    """Whether another action would have kept the value of the position after `ply` actions."""
    before = list(record.actions[:ply])
    return value([*before, action]) == -value(before)


def _contradictions(records: Sequence[GameRecord], values: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """For each ply: how often the game's result differs from what the position after that many plies was worth."""
    wrong: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for record, row in zip(records, values, strict=True):
        for ply, worth in enumerate(row[:-1]):
            result = record.result if ply % 2 == 0 else -record.result  # for the side to move there
            seen[ply] += 1
            wrong[ply] += result != worth
    return [{"ply": ply, "share": wrong[ply] / seen[ply], "games": seen[ply]} for ply in sorted(seen)]
