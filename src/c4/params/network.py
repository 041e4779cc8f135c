"""The knobs of the network's shape. What each part computes stands in network/tower.py and network/heads.py."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob
from c4.params.target import Target


class Context(Enum):
    """What a block may know of the whole board beyond the reach of its two convolutions."""

    NONE = "none"
    SQUEEZE_EXCITATION = "squeeze_excitation"
    GLOBAL_POOLING = "global_pooling"


class PolicyHead(Enum):
    """dense: every action looks at the whole board. spatial: every action looks at its own cell or column."""

    DENSE = "dense"
    SPATIAL = "spatial"


class ValueHead(Enum):
    """scalar: one number through tanh. wdl: probabilities of win, draw and loss; the value is P(win) - P(loss)."""

    SCALAR = "scalar"
    WDL = "wdl"


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkParams(Params):
    group: ClassVar[str] = "network"

    width: int = knob(
        "Channels of the tower. Higher: learns more from each sample, costs its square in time.",
        low=1, high=1024, unit="channels",
    )  # fmt: skip
    depth: int = knob(
        "Residual blocks of two convolutions each. Higher: sees further across the board and learns more, costs time.",
        low=0, high=64, unit="blocks",
    )  # fmt: skip
    context: Context = knob(
        "How a block sees the whole board at once: none; squeeze_excitation (scales and shifts channels by their "
        "means); global_pooling (extra channels are pooled over the board and added as biases)."
    )
    context_every: int = knob(
        "Every how many blocks one has such a context. 1: all have.",
        low=1,
        high=64,
        needs={"context": "not none"},
    )
    context_channels: int = knob(
        "Channels that the context is squeezed into.",
        low=1, high=1024, unit="channels",
        needs={"context": "not none"},
    )  # fmt: skip
    policy_head: PolicyHead = knob(
        "dense: any cell can speak for any action, best on small boards. spatial: each action is judged from its own "
        "cell (or column) in the same way, far fewer weights on large boards."
    )
    policy_channels: int = knob("Channels that the policy head reads.", low=1, high=256, unit="channels")
    value_head: ValueHead = knob(
        "scalar: one number through tanh. wdl: win, draw and loss apart, which tells a sure draw from an open fight."
    )
    value_channels: int = knob("Channels that the value head reads.", low=1, high=256, unit="channels")
    moves_left_channels: int = knob("Channels that the moves-left head reads.", low=1, high=256, unit="channels")
    head_hidden: int = knob(
        "Hidden units of the value head, and of the moves-left head. Higher: judges finer, costs little.",
        low=1, high=4096, unit="units",
    )  # fmt: skip


NetworkDesign = NetworkParams | Target
"""The tower with these knobs, or a class of a person's own: network/network.py."""
