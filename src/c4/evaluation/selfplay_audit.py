"""Games of self-play against the truth, ply by ply: whose results are wrong, who threw them, which targets mislead.

Audits are counts in plain data, so that those of several generations add up. Knows games by their records.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from c4.evaluation.targets import targets_by_ply
from c4.native._core import FULL_SEARCH, OPENING_PLY, SAMPLED_MOVE, Position
from c4.replay.samples import Samples

Value = Callable[[Sequence[int]], int]
"""value: native/value.h. The true result for the side to move after these actions: -1, 0, 1."""

CalmSearch = Callable[[Sequence[Sequence[int]]], Sequence[int]]
"""What self-play's search chooses without noise, after each of these lists of actions."""

Audit = dict[str, Any]
"""games, positions, repeated (positions), openings (distinct), flawless (games); plies: for each ply how many games
reached it, in how many of them the result contradicts the truth there, throws and first throws by blame, targets."""


class Blame(Enum):
    """Why a move that gave the value away was played."""

    OPENING = "opening"  # a random ply at the start
    TEMPERATURE = "temperature"  # the search's own choice was right, another move was drawn
    NOISE = "noise"  # the search chose wrongly, but not when it searches again without noise
    SEARCH = "search"


@dataclasses.dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One finished game of self-play, as the generator tells of it."""

    game_id: int
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
    fields = [field.name for field in dataclasses.fields(GameRecord)]
    return [GameRecord(**{name: game[name] for name in fields}) for game in games]


def spread(games: Sequence[Mapping[str, Any]], *, count: int) -> list[Mapping[str, Any]]:
    """A sample of the games that is even over the order in which they ended: early ones alone would be short ones."""
    return [games[index * len(games) // count] for index in range(count)] if len(games) > count else list(games)


def selfplay_audit(
    *,
    game: str,
    records: Sequence[GameRecord],
    value: Value,
    calm_search: CalmSearch | None,
    opening_plies: int,
    samples: Samples | None = None,
) -> Audit:
    """Without `calm_search`, what noise is to blame for counts as the search's own. `samples` may be of other games
    too; without them nothing is said of targets."""
    values = [[value(record.actions[:ply]) for ply in range(len(record.actions) + 1)] for record in records]
    thrown = _blamed(records, values, value=value, calm_search=calm_search)
    targets = {} if samples is None else targets_by_ply(samples, truth=_truth_of(records, values))
    keys = [
        Position.from_actions(game, record.actions[:ply]).canonical_key
        for record in records
        for ply in range(len(record.actions))
    ]
    return {
        "games": len(records),
        "positions": len(keys),
        "repeated": len(keys) - len(set(keys)),
        "openings": len({tuple(record.actions[:opening_plies]) for record in records}),
        "flawless": sum(not each for each in thrown),
        "plies": [
            _ply(ply, records, values, thrown) | {"targets": targets.get(ply, {})}
            for ply in range(max((len(record.actions) for record in records), default=0))
        ],
    }


def _truth_of(records: Sequence[GameRecord], values: Sequence[Sequence[int]]) -> dict[tuple[int, int], int]:
    """(game, ply) -> the true result for the side to move there."""
    return {
        (record.game_id, ply): worth
        for record, row in zip(records, values, strict=True)
        for ply, worth in enumerate(row)
    }


def _ply(
    ply: int, records: Sequence[GameRecord], values: Sequence[Sequence[int]], thrown: Sequence[Sequence[Throw]]
) -> dict[str, Any]:
    reached = [index for index, record in enumerate(records) if ply < len(record.actions)]
    seen_by_mover = 1 if ply % 2 == 0 else -1
    all_throws = Counter(throw.blame for each in thrown for throw in each if throw.ply == ply)
    first_throws = Counter(each[0].blame for each in thrown if each and each[0].ply == ply)
    return {
        "ply": ply,
        "games": len(reached),
        "contradicted": sum(seen_by_mover * records[index].result != values[index][ply] for index in reached),
        "throws": {blame.value: all_throws[blame] for blame in Blame},
        "first_throws": {blame.value: first_throws[blame] for blame in Blame},
    }


def together(audits: Iterable[Audit]) -> Audit:
    """One audit of all their games. Openings and positions count as repeated within a generation only."""
    whole: Audit = {"games": 0, "positions": 0, "repeated": 0, "openings": 0, "flawless": 0}
    plies: dict[int, dict[str, Any]] = {}
    for audit in audits:
        for name in whole:
            whole[name] += audit[name]
        for row in audit["plies"]:
            plies[row["ply"]] = _sum(plies.get(row["ply"], {}), row) | {"ply": row["ply"]}
    return whole | {"plies": [plies[ply] for ply in sorted(plies)]}


def _sum(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers added under the same names, however deep."""
    return {
        name: _sum(one.get(name, {}), other.get(name, {}))
        if isinstance(one.get(name, other.get(name)), Mapping)
        else one.get(name, 0) + other.get(name, 0)
        for name in {**one, **other}
    }


def audit_figures(audit: Audit) -> dict[str, float]:
    """The shares that are logged, by the last part of their names; nothing where no game was audited."""
    games, plies = audit["games"], audit["plies"]
    if not games:
        return {}
    total: dict[str, Any] = {}
    for row in plies:
        total = _sum(total, row)
    figures = {
        "contradictions": total["contradicted"] / audit["positions"],
        "flawless_games": audit["flawless"] / games,
        "throws_per_game": sum(total["throws"].values()) / games,
        "distinct_openings": audit["openings"] / games,
        "repeated_positions": audit["repeated"] / audit["positions"],
    }
    figures |= {f"blame_{blame}": count / games for blame, count in total["throws"].items()}
    figures |= {f"first_throw_{blame}": count / games for blame, count in total["first_throws"].items()}
    for name, counts in total["targets"].items():
        if counts["settled"]:
            figures[f"{name}_wrong_sign"] = counts["wrong_sign"] / counts["settled"]
        figures[f"{name}_error"] = counts["squared_error"] / counts["samples"]
    return figures


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
