"""What makes samples, as those see it who use them. Knows nothing of how games are played or by which network."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from c4.replay.samples import Samples


@dataclasses.dataclass(frozen=True, kw_only=True)
class Glance:
    """How far the playing of a generation is."""

    samples: int  # ready so far
    wanted: int
    counters: Mapping[str, int]  # since the generation began: games, simulations, evaluations, cache_hits ...
    seconds: float

    def times(self, players: int) -> Glance:
        """What so many see that are as far as this one."""
        if players == 1:
            return self
        counters = {name: count * players for name, count in self.counters.items()}
        return dataclasses.replace(
            self, samples=self.samples * players, wanted=self.wanted * players, counters=counters
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Harvest:
    """What playing has brought: samples, the games that ended, and what it took."""

    samples: Samples
    games: Sequence[Mapping[str, Any]]  # as Generator.take_games gives them
    counters: Mapping[str, int]
    seconds: float
    figures: Mapping[str, float] = dataclasses.field(default_factory=dict)  # of who played, by the names of metrics


def merged(harvests: Sequence[Harvest]) -> Harvest:
    """Of several that played at the same time."""
    if len(harvests) == 1:
        return harvests[0]
    counters = [harvest.counters for harvest in harvests]
    return Harvest(
        samples=np.concatenate([harvest.samples for harvest in harvests]),
        games=[game for harvest in harvests for game in harvest.games],
        counters={name: sum(one[name] for one in counters) for name in counters[0]},
        seconds=max(harvest.seconds for harvest in harvests),
        figures=harvests[0].figures,
    )


Watch = Callable[[Glance], bool]
"""Called again and again while playing. Whether to stop with what is there; it may raise to stop without."""


class SampleSource(Protocol):
    """Plays with the newest weights it was given."""

    def play_as(self, rank: int) -> bool:
        """As this one of several ranks that share a run, before it plays: each plays other games, the first those that
        it would alone. False: the first plays for all of them.
        """

    def publish(self, weights: Mapping[str, Any]) -> None:
        """Plays with these weights from now on."""

    def collect(self, *, wanted: int, version: int, watch: Watch) -> Harvest:
        """Plays until at least `wanted` samples are ready. Games that have not ended go on at the next call."""

    def set_openings(self, openings: Sequence[Sequence[int]]) -> None:
        """The book that some games begin from, as lists of actions."""

    def state(self) -> dict[str, Any]:
        """Everything but the weights, between two calls of collect; tensors and plain types."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues as the source that gave this state would have."""

    def close(self) -> None:
        """Gives back what it holds elsewhere. To play on takes it anew."""
