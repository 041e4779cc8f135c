"""The knobs of the replay window and of what is drawn from it."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob


class Repeats(Enum):
    """What happens to samples of one position, symmetric images included."""

    EACH = "each"
    AVERAGED = "averaged"


@dataclasses.dataclass(frozen=True, kw_only=True)
class DataParams(Params):
    group: ClassVar[str] = "data"

    batch_size: int = knob(
        "Samples in one step of the optimizer. Higher: steadier and fewer steps; lower: more steps, more noise.",
        low=1, high=1 << 20, unit="samples",
    )  # fmt: skip
    sampling_ratio: float = knob(
        "How often a sample is seen on average, over its whole life in the window. Higher: more is learned from each "
        "game, at the cost of time for training and of overfitting to what is in the window.",
        low=0.01, high=1000.0,
    )  # fmt: skip
    generation_samples_first: int = knob(
        "New samples of the first generation. Lower: learning starts sooner.", low=1, high=100_000_000, unit="samples"
    )
    generation_samples_growth: float = knob(
        "Factor on the new samples from one generation to the next. 1: all generations are alike.", low=1.0, high=100.0
    )
    generation_samples_max: int = knob(
        "Most new samples of a generation. Higher: weights change more rarely, games span fewer weights, less time "
        "is lost between playing and training.",
        low=1, high=100_000_000, unit="samples",
    )  # fmt: skip
    window_first: int = knob(
        "Samples in the window before it begins to slide.", low=1, high=100_000_000, unit="samples"
    )
    window_growth: float = knob(
        "Exponent of the window's growth with the samples ever made: window = window_first * (made / "
        "window_first) ** window_growth. 1: nothing is ever forgotten; 0: the window does not grow.",
        low=0.0, high=1.0,
    )  # fmt: skip
    window_max: int = knob("Most samples in the window, which bounds memory.", low=1, high=100_000_000, unit="samples")
    symmetries: bool = knob("Whether each draw shows its sample under a random symmetry of the board.")
    probe_samples: int = knob(
        "Most of a generation's newest samples that its training's effect is measured on: how far the policy moves, "
        "how well the value explains results before and after. Higher: steadier figures, some time.",
        low=1, high=1_000_000, unit="samples",
    )  # fmt: skip
    repeats: Repeats = knob(
        "each: every sample counts by itself. averaged: samples of one position (up to symmetry) become one with the "
        "mean of their targets, so that common openings are not drowned in contradictory results."
    )
    repeat_weight: float = knob(
        "Weight of a position averaged from n samples is n to this power. 1: as if each were drawn; 0: a position "
        "counts once however common.",
        low=0.0, high=1.0, needs={"repeats": "averaged"},
    )  # fmt: skip

    surprise_share: float = knob(
        "Share of the draws that goes by surprise, how far the search's policy was from the network's own, the rest "
        "being even. Higher: positions that the network misjudges are seen more often, others more rarely; 0: every "
        "sample as often as any other.",
        low=0.0, high=1.0,
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        for low, high in (("generation_samples_first", "generation_samples_max"), ("window_first", "window_max")):
            if getattr(self, low) > getattr(self, high):
                raise ValueError(
                    f"data.{low}={getattr(self, low)} is not allowed: at most data.{high}={getattr(self, high)}"
                )
