"""Losses and measures of learning: tensors in, tensors out. value: native/value.h.

Means over samples are weighted: sum(weight * x) / sum(weight). Knows no network and no knobs.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor


def weighted_mean(x: Tensor, weight: Tensor | None = None, *, over: Tensor | None = None) -> Tensor:
    """[B], [B] -> []. `over` are weights whose sum is the divisor, where that is not the sum of `weight`."""
    return x.mean() if weight is None else (x * weight).sum() / (weight if over is None else over).sum()


def policy_loss(logits: Tensor, target: Tensor, *, weight: Tensor | None = None, over: Tensor | None = None) -> Tensor:
    """Cross-entropy with soft targets [B, A]. Illegal actions have target 0, so they are learned to be never played."""
    return weighted_mean(-_dot(target, F.log_softmax(logits, dim=1)), weight, over=over)


class Traced(NamedTuple):
    """What a game says of the value of its positions, each [B] for the side to move (selfplay/trace.h)."""

    result: Tensor  # what results give, and below how much of it are draws
    drawn: Tensor
    result_share: Tensor  # 1: the result alone
    bootstrap: Tensor  # what root values of later plies give; 1 - result_share is their share


def value_target(traced: Traced, root_value: Tensor, *, root_share: float) -> Tensor:
    """Mixes what the game says with what the search thought at the time [B]."""
    return torch.lerp(traced.result + traced.bootstrap, root_value, root_share)


def wdl_target(traced: Traced, root_value: Tensor, *, root_share: float, believed_draw: Tensor) -> Tensor:
    """The same as probabilities [B, 3] of win, draw, loss: P(win) - P(loss) is value_target.

    A root value says nothing of draws: its share, of this ply or of later ones, keeps what the network itself believes
    of them, as far as the value leaves room.
    """
    believed = believed_draw.detach()
    one = torch.ones_like(root_value)
    known = _wdl(traced.result, draw=traced.drawn, share=traced.result_share)
    later = _believed(traced.bootstrap, believed, share=one - traced.result_share)
    return torch.lerp(known + later, _believed(root_value, believed, share=one), root_share)


def _believed(value: Tensor, believed_draw: Tensor, *, share: Tensor) -> Tensor:
    room = share - value.abs()
    return _wdl(value, draw=torch.minimum(share * believed_draw, room), share=share)


def _wdl(value: Tensor, *, draw: Tensor, share: Tensor) -> Tensor:
    return torch.stack(((share - draw + value) / 2, draw, (share - draw - value) / 2), dim=1)


def scalar_value_loss(value: Tensor, target: Tensor, *, weight: Tensor | None = None) -> Tensor:
    """Squared error of values [B] in [-1, 1]."""
    return weighted_mean((value - target).square(), weight)


def wdl_value_loss(logits: Tensor, target: Tensor, *, weight: Tensor | None = None) -> Tensor:
    """Cross-entropy with soft targets [B, 3]."""
    return weighted_mean(-_dot(target, F.log_softmax(logits, dim=1)), weight)


def moves_left_loss(logits: Tensor, plies_left: Tensor, *, weight: Tensor | None = None) -> Tensor:
    """Cross-entropy with the class of the plies that were left [B]."""
    return weighted_mean(F.cross_entropy(logits, plies_left.long(), reduction="none"), weight)


def entropy(policy: Tensor) -> Tensor:
    """Of each distribution [B, A], in nats: [B]."""
    each: Tensor = torch.special.entr(policy)
    return each.sum(dim=1)


def kl_divergence(old_logits: Tensor, new_logits: Tensor) -> Tensor:
    """KL(old || new) of each policy, in nats: [B]. How far the new one has moved, where the old one looked."""
    old, new = F.log_softmax(old_logits, dim=1), F.log_softmax(new_logits, dim=1)
    return _dot(old.exp(), old - new)


def explained_variance(value: Tensor, target: Tensor) -> Tensor:
    """1: the value knows the target; 0: no better than its mean; below: worse. 0 where all targets are alike."""
    spread = target.var(correction=0)
    unexplained = (target - value).var(correction=0)
    return torch.where(spread > 0, 1.0 - unexplained / spread.clamp_min(1e-12), torch.zeros_like(spread))


def moves_left_error(expected: Tensor, plies_left: Tensor, *, weight: Tensor | None = None) -> Tensor:
    """Mean distance in plies between the expected count and what it was."""
    return weighted_mean((expected - plies_left).abs(), weight)


def _dot(a: Tensor, b: Tensor) -> Tensor:
    return (a * b).sum(dim=1)
