"""The knobs of learning: losses, optimizer, schedule, average of the weights. Formulas: losses.py, learning.py."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob
from c4.params.target import Target


class Optimizer(Enum):
    """adamw: adaptive steps. muon: steps of equal length in every direction. sgd: plain steps, Nesterov momentum."""

    ADAMW = "adamw"
    MUON = "muon"
    SGD = "sgd"


class Schedule(Enum):
    """How the learning rate falls with the progress of the run's budget."""

    CONSTANT = "constant"
    STAGED = "staged"
    COSINE = "cosine"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ModelParams(Params):
    group: ClassVar[str] = "model"

    policy_weight: float = knob(
        "Weight of the policy's loss in the whole. Only the ratios of the three matter.", low=0.0, high=1000.0
    )
    value_weight: float = knob(
        "Weight of the value's loss. Higher: the value is fitted closer, and overfitted sooner.", low=0.0, high=1000.0
    )
    moves_left_weight: float = knob(
        "Weight of the moves-left loss. Its entropy is larger than the others', so well below theirs.",
        low=0.0, high=1000.0,
    )  # fmt: skip
    losses: Mapping[str, Target | None] = knob(
        "Losses of your own that join the sum, by name: see Loss in objective.py. Each has a weight of its own. "
        "null: none."
    )
    value_root_share: float = knob(
        "Share of the search's root value in the value target, the rest is the game's result. Higher: less noise, more "
        "of the network's own errors learned again; 0: the result alone.",
        low=0.0, high=1.0,
    )  # fmt: skip
    value_root_share_end: float | None = knob(
        "The same at the end of the run's budget; in between it goes linearly. Results first teach what wins, root "
        "values later smooth what is noise. null: value_root_share throughout.",
        low=0.0, high=1.0,
    )  # fmt: skip
    optimizer: Optimizer = knob(
        "muon: learns most from a sample: orthogonalised momentum for convolutions (of a network of your own for "
        "linear layers too, unless it says otherwise), AdamW for the rest. adamw: works with little tuning. sgd: "
        "Nesterov momentum, wants a higher rate."
    )
    learning_rate: float = knob("Highest learning rate of the schedule.", low=1e-8, high=10.0)
    weight_decay: float = knob(
        "Decay of convolution and matrix weights, never of biases or norms. Higher: smaller weights, more plasticity.",
        low=0.0, high=10.0,
    )  # fmt: skip
    momentum: float = knob(
        "Decay of the mean gradient (AdamW's first beta; Muon's matrices have their own). Higher: smoother.",
        low=0.0,
        high=0.9999,
    )
    second_moment: float = knob(
        "Decay of the mean squared gradient (AdamW's second beta).",
        low=0.0,
        high=0.999999,
        needs={"optimizer": "not sgd"},
    )
    gradient_clip: float | None = knob(
        "Most that the norm of all gradients may be; longer ones are shortened. null: never.", low=1e-6, high=1e6
    )
    schedule: Schedule = knob("constant; staged (falls at each of `stages`); cosine (falls smoothly to final_share).")
    warmup_steps: int = knob(
        "Steps over which the rate first rises from near 0, while the optimizer's means fill.",
        low=0, high=1_000_000, unit="steps",
    )  # fmt: skip
    stages: tuple[float, ...] = knob(
        "Shares of the budget at which a staged rate falls.",
        low=0.0,
        high=1.0,
        needs={"schedule": "staged"},
    )
    stage_factor: float = knob(
        "Factor on the rate at each of `stages`.",
        low=1e-6,
        high=1.0,
        needs={"schedule": "staged", "stages": "not []"},
    )
    final_share: float = knob(
        "Share of the rate that is left at the end of a cosine.",
        low=0.0,
        high=1.0,
        needs={"schedule": "cosine"},
    )
    ema_decay: float | None = knob(
        "Decay per step of the averaged weights, which then play and are graded. Higher: a longer average, steadier "
        "and older; null: the newest weights play.",
        low=0.0, high=0.999999,
    )  # fmt: skip
    kl_target: float | None = knob(
        "How far the policy should move in a generation, KL(old || new). More than twice as far: the rate falls by "
        "kl_step; less than half: it rises. null: the schedule alone.",
        low=1e-6, high=10.0, unit="nats",
    )  # fmt: skip
    kl_step: float = knob(
        "Factor of one such change of the rate.",
        low=1.0,
        high=10.0,
        needs={"kl_target": "not null"},
    )
    kl_range: float = knob(
        "Most that these changes may multiply or divide the rate by in all.",
        low=1.0,
        high=1e4,
        needs={"kl_target": "not null"},
    )
