"""What a network, a search, perfect play and chance think of labelled positions: all end as a Judgement."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from c4.evaluation.labels import LabelledSet
from c4.evaluation.metrics import Judgement
from c4.evaluation.selfplay_audit import CalmSearch
from c4.native._core import Position
from c4.network.inference.engine import Judge
from c4.params.search import RootSelection, SearchParams
from c4.players.forest import Forest, as_played

BATCH = 512  # rows of one call of the bare network


@dataclasses.dataclass(frozen=True, kw_only=True)
class Budgets:
    """How positions are searched: the mechanics that change no result."""

    trees: int
    threads: int
    cache_megabytes: float


def bare_network(labels: LabelledSet, judge: Judge) -> Judgement:
    """The network alone: its policy over the legal moves, the likeliest is played."""
    planes = np.stack([position.planes() for position in labels.positions()])
    parts = [judge.evaluate(planes[start : start + BATCH]) for start in range(0, len(planes), BATCH)]
    logits, value, plies_left = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    policy = softmax(np.where(labels.legal, logits.astype(np.float64), -np.inf))
    return Judgement(
        action=policy.argmax(axis=1).astype(np.int64),
        policy=policy,
        value=value.astype(np.float64),
        plies_left=plies_left.astype(np.float64),
    )


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    weight = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def searched(
    positions: Sequence[Position],
    judge: Judge,
    *,
    params: SearchParams,
    simulations: Sequence[int],
    budgets: Budgets,
    on_step: Callable[[], None] = lambda: None,
) -> dict[int, Judgement]:
    """One judgement a budget, all from one growing search of each position: the largest costs no more than alone.

    Sequential halving plans its whole budget at the start, so there each budget is a search of its own.
    """
    steps = sorted(set(simulations))
    if params.root_selection is RootSelection.GUMBEL and len(steps) > 1:
        alone = [
            searched(positions, judge, params=params, simulations=[step], budgets=budgets, on_step=on_step)
            for step in steps
        ]
        return {step: found[step] for step, found in zip(steps, alone, strict=True)}
    parts: dict[int, list[Judgement]] = {step: [] for step in steps}
    for start in range(0, len(positions), budgets.trees):
        chunk = positions[start : start + budgets.trees]
        forest = Forest(
            game=chunk[0].game,
            size=len(chunk),
            params=as_played(params),
            judge=judge,
            threads=budgets.threads,
            cache_megabytes=budgets.cache_megabytes,
        )
        for tree, position in enumerate(chunk):
            forest.set_position(tree, position)
        spent = 0
        for step in steps:
            for tree in range(len(chunk)):
                forest.think(tree, step - spent)
            forest.run(on_step=on_step)
            spent = step
            parts[step].append(_conclusions(forest))
    return {step: _joined(part) for step, part in parts.items()}


def calm_search(*, game: str, judge: Judge, search: SearchParams, budgets: Budgets) -> CalmSearch:
    """What self-play's search would have chosen without noise."""

    def choose(histories: Sequence[Sequence[int]]) -> Sequence[int]:
        positions = [Position.from_actions(game, history) for history in histories]
        budget = search.num_simulations
        found = searched(positions, judge, params=search, simulations=[budget], budgets=budgets)
        return [int(action) for action in found[budget].action]

    return choose


def _conclusions(forest: Forest) -> Judgement:
    trees = range(forest.size)
    roots = [forest.root(tree) for tree in trees]
    return Judgement(
        action=np.array([forest.best_action(tree) for tree in trees], dtype=np.int64),
        policy=np.stack([forest.policy(tree) for tree in trees]).astype(np.float64),
        value=np.array([root.q for root in roots], dtype=np.float64),
        plies_left=np.array([root.m for root in roots], dtype=np.float64),
    )


def _joined(parts: Sequence[Judgement]) -> Judgement:
    def column(name: str) -> NDArray[np.float64]:
        return np.concatenate([getattr(part, name) for part in parts])

    action = np.concatenate([part.action for part in parts])
    return Judgement(action=action, policy=column("policy"), value=column("value"), plies_left=column("plies_left"))


def perfect_play(labels: LabelledSet) -> Judgement:
    """What there is to reach: a fastest move, every right move as likely, the true value and distance."""
    right = labels.preserving
    return Judgement(
        action=labels.fastest.argmax(axis=1).astype(np.int64),
        policy=right / right.sum(axis=1, keepdims=True),
        value=labels.value.astype(np.float64),
        plies_left=labels.moves_left.astype(np.float64),
    )


def random_play(labels: LabelledSet, *, seed: int) -> Judgement:
    """Chance: every legal move as likely, and one of them."""
    policy = labels.legal / labels.legal.sum(axis=1, keepdims=True)
    draw = np.random.default_rng(seed).random((len(labels), 1))
    action = np.minimum((policy.cumsum(axis=1) <= draw).sum(axis=1), policy.shape[1] - 1)
    return Judgement(action=action.astype(np.int64), policy=policy)
