"""The samples that training draws from: a window that grows, then slides. Deterministic given the random stream.

Knows nothing of generations' lengths, batches' number or files.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from c4.games import game_spec
from c4.native import _core
from c4.params.data import DataParams, Repeats
from c4.replay.census import Census
from c4.replay.samples import Samples, empty

Rows = dict[str, NDArray[Any]]
"""What a batch is made of, one row a draw, by name: planes u8 [n, C, H, W], policy f32 [n, A] and, each [n], what
TARGETS lists, weight f32 (1 on average) and policy_weight f32 (the same for the policy alone: 0 without a target)."""

WHOLE = slice(None)

# What a draw is to learn of its position, besides the policy; value: native/value.h. Where positions are averaged it is
# the mean over their samples, of whole numbers the nearest. A column that is to be learned from is added here.
TARGETS: dict[str, Callable[[Samples], NDArray[Any]]] = {
    "result": lambda samples: samples["outcome"] * samples["outcome_share"],  # what results say of the value
    "drawn": lambda samples: (samples["outcome"] == 0) * samples["outcome_share"],  # how much of that are draws
    "result_share": lambda samples: samples["outcome_share"],  # how much of the value trace are results
    "bootstrap": lambda samples: samples["bootstrap"],  # what root values add to it
    "root_value": lambda samples: samples["root_value"],
    "plies_left": lambda samples: samples["plies_left"].astype(np.int64),
}


class Window:
    """The newest samples of a game."""

    def __init__(self, *, game: str, params: DataParams) -> None:
        info = game_spec(game)
        self.game, self._params = game, params
        self._shape = (info.planes, info.height, info.width)
        self._table = _core.symmetry_actions(game).astype(np.int64)  # [symmetries, actions]
        self._samples = empty(game=game)
        self._keys = np.zeros(0, np.uint64)
        self._symmetry = np.zeros(0, np.uint8)
        self._census = Census()
        self._pool: _Pool | None = None
        self.made = 0

    def __len__(self) -> int:
        return len(self._samples)

    @property
    def samples(self) -> Samples:
        """What is in the window, oldest first."""
        return self._samples

    def add(self, samples: Samples) -> None:
        """Takes new samples in and lets the oldest fall out."""
        keys, symmetry = self._canonical(samples["packed"])
        self.made += len(samples)
        fallen = max(0, len(self) + len(samples) - window_size(made=self.made, params=self._params))
        self._samples = np.concatenate([self._samples, samples])[fallen:]
        self._symmetry = np.concatenate([self._symmetry, symmetry])[fallen:]
        self._keys = np.concatenate([self._keys, keys])
        self._census.add(keys)
        self._census.remove(self._keys[:fallen])
        self._keys = self._keys[fallen:]
        self._pool = None

    def repeated_share(self) -> float:
        """Share of the window's samples whose position, up to symmetry, is there already."""
        return 1.0 - self._census.distinct / len(self) if len(self) else 0.0

    def choose(self, count: int, *, stream: np.random.Generator) -> NDArray[np.int64]:
        """Rows to draw: every row once before any is drawn again, or by surprise as the knob says."""
        pool, share = self._filled_pool(), self._params.surprise_share
        if share > 0.0 and pool.surprise.any():
            return by_weight((1.0 - share) + share * pool.surprise / pool.surprise.mean(), count, stream=stream)
        size = len(pool.policy)
        rounds = [stream.permutation(size) for _ in range(-(-count // size))]
        return np.concatenate(rounds)[:count].astype(np.int64)

    def rows(self, chosen: NDArray[np.int64], *, stream: np.random.Generator, part: slice = WHOLE) -> Rows:
        """The rows `choose` named, each under a random symmetry when the knob says so; or a part of them, the same."""
        symmetry = np.zeros(len(chosen), np.uint8)
        if self._params.symmetries:
            symmetry = stream.integers(len(self._table), size=len(chosen), dtype=np.uint8)
        return self._shown(self._filled_pool(), chosen, symmetry=symmetry, part=part)

    def newest(self, count: int) -> Rows:
        """The newest samples as they were made, one row each, with the results of their games and no traces."""
        samples = self._samples[len(self) - count :].copy()
        samples["outcome"], samples["outcome_share"], samples["bootstrap"] = samples["result"], 1.0, 0.0
        return self._shown(_each(samples), np.arange(count), symmetry=np.zeros(count, np.uint8))

    def _shown(
        self, pool: _Pool, chosen: NDArray[np.int64], *, symmetry: NDArray[np.uint8], part: slice = WHOLE
    ) -> Rows:
        weight = pool.weight[chosen]
        policy_weight = _alike(pool.policy_weight[chosen], weight)  # of all of them, whatever part is shown
        chosen, symmetry = chosen[part], symmetry[part]
        return {
            "planes": self.planes(pool.packed[chosen], symmetry=symmetry),
            "policy": transformed(pool.policy[chosen], table=self._table[symmetry]),
            **{name: column[chosen] for name, column in pool.targets.items()},
            "weight": weight[part],
            "policy_weight": policy_weight[part],
        }

    def planes(self, packed: NDArray[np.uint8], *, symmetry: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The network's input for packed positions, [n, planes, height, width]."""
        planes = np.empty((len(packed), *self._shape), np.uint8)
        _core.unpack_planes(self.game, np.ascontiguousarray(packed), symmetry, planes)
        return planes

    def _filled_pool(self) -> _Pool:
        if not len(self._samples):
            raise ValueError("the window is empty: nothing can be drawn before something is played")
        if self._pool is None:
            averaged = self._params.repeats is Repeats.AVERAGED
            self._pool = self._averaged() if averaged else _each(self._samples)
        return self._pool

    def _averaged(self) -> _Pool:
        """One row a position, shown as its newest sample was; targets are means over its samples."""
        samples = self._samples
        _, member, counts = np.unique(self._keys, return_inverse=True, return_counts=True)
        member = member.reshape(-1)
        newest = np.zeros(len(counts), np.int64)
        newest[member] = np.arange(len(samples))  # the last assignment stays
        total = np.zeros((len(counts), samples["policy"].shape[1]), np.float64)
        np.add.at(total, member, transformed(samples["policy"], table=self._table[self._symmetry]))
        with_target = np.bincount(member, weights=_has_target(samples), minlength=len(counts))
        canonical = (total / np.maximum(with_target, 1.0)[:, None]).astype(np.float32)
        power = self._params.repeat_weight
        weight = counts.astype(np.float64) ** power
        policy_weight = np.where(with_target > 0, with_target**power, 0.0)

        def mean(column: NDArray[Any]) -> NDArray[Any]:
            found = np.bincount(member, weights=column.astype(np.float64), minlength=len(counts)) / counts
            return (np.rint(found) if np.issubdtype(column.dtype, np.integer) else found).astype(column.dtype)

        return _Pool(
            packed=samples["packed"][newest],
            policy=np.take_along_axis(canonical, self._table[self._symmetry[newest]], axis=1),
            targets={name: mean(of(samples)) for name, of in TARGETS.items()},
            weight=(weight / weight.mean()).astype(np.float32),
            policy_weight=(policy_weight / weight.mean()).astype(np.float32),
            surprise=mean(_surprise(samples)),
        )

    def _canonical(self, packed: NDArray[np.uint8]) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
        """A key that symmetric positions share, and the symmetry that leads to the image it was computed of."""
        cells = int(np.prod(self._shape))
        words = np.random.default_rng(0).integers(1 << 64, size=cells, dtype=np.uint64)
        hashes = np.empty((len(self._table), len(packed)), np.uint64)
        for symmetry in range(len(self._table)):
            seen = self.planes(packed, symmetry=np.full(len(packed), symmetry, np.uint8))
            hashes[symmetry] = seen.reshape(len(packed), cells).astype(np.uint64) @ words
        return hashes.min(axis=0), hashes.argmin(axis=0).astype(np.uint8)


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Pool:
    """What rows are drawn from: samples, or positions averaged from them."""

    packed: NDArray[np.uint8]
    policy: NDArray[np.float32]
    targets: dict[str, NDArray[Any]]
    weight: NDArray[np.float32]
    policy_weight: NDArray[np.float32]
    surprise: NDArray[np.float64]


def _each(samples: Samples) -> _Pool:
    return _Pool(
        packed=samples["packed"],
        policy=samples["policy"],
        targets={name: of(samples) for name, of in TARGETS.items()},
        weight=np.ones(len(samples), np.float32),
        policy_weight=_has_target(samples),
        surprise=_surprise(samples),
    )


def window_size(*, made: int, params: DataParams) -> int:
    """Most samples in the window once `made` have been made; never less than for fewer of them."""
    if made <= params.window_first:
        return params.window_first
    growth = params.window_growth  # as its knob says, and exact where nothing is forgotten
    grown = params.window_first ** (1.0 - growth) * made**growth
    return min(int(grown), params.window_max)


def by_weight(weight: NDArray[np.float64], count: int, *, stream: np.random.Generator) -> NDArray[np.int64]:
    """`count` rows in random order, each as often as its share of the weight asks, rounded up or down."""
    until = np.cumsum(weight)
    marks = np.floor(until * (count / until[-1]) + stream.random()).astype(np.int64)
    marks[-1] = count
    return stream.permutation(np.repeat(np.arange(len(weight)), np.diff(marks, prepend=0)))


def _has_target(samples: Samples) -> NDArray[np.float32]:
    return np.asarray(samples["policy"].any(axis=1), np.float32)


def _surprise(samples: Samples) -> NDArray[np.float64]:
    """Not below 0, as rounding may have left it."""
    return np.asarray(np.maximum(samples["surprise"], 0.0), np.float64)


def _alike(policy_weight: NDArray[np.float32], weight: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scaled to the sum of the weights, so that the policy's mean is over the rows that have a target."""
    total = float(policy_weight.sum())
    return policy_weight * np.float32(weight.sum() / total) if total > 0 else policy_weight


def transformed(policy: NDArray[np.float32], *, table: NDArray[np.int64]) -> NDArray[np.float32]:
    """Each row's policy as seen under its symmetry: what stood at action a stands at table[row, a]."""
    seen = np.empty_like(policy)
    np.put_along_axis(seen, table, policy, axis=1)
    return seen
