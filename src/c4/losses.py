"""Losses and measures of learning: tensors in, tensors out. value: native/value.h.

Means over samples are weighted: sum(weight * x) / sum(weight). Knows no network and no knobs.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def weighted_mean(x: Tensor, weight: Tensor | None = None) -> Tensor:  # [B], [B] -> []
    return x.mean() if weight is None else (x * weight).sum() / weight.sum()


def policy_loss(logits: Tensor, target: Tensor, *, weight: Tensor | None = None) -> Tensor:
    """Cross-entropy with soft targets [B, A]. Illegal actions have target 0, so they are learned to be never played."""
    return weighted_mean(-_dot(target, F.log_softmax(logits, dim=1)), weight)


def value_target(result: Tensor, root_value: Tensor, *, root_share: float) -> Tensor:
    """Mixes the game's result with what the search thought at the time, both [B] for the side to move."""
    return torch.lerp(result, root_value, root_share)


def wdl_target(
    result: Tensor, drawn: Tensor, root_value: Tensor, *, root_share: float, believed_draw: Tensor
) -> Tensor:
    """The same as probabilities [B, 3] of win, draw, loss, `drawn` [B] being how much of the result is a draw.

    P(win) - P(loss) is value_target. A root value says nothing of draws: its share keeps what the network itself
    believes of them, as far as the value leaves room.
    """
    room = 1.0 - root_value.abs()
    root = _wdl(root_value, draw=torch.minimum(believed_draw.detach(), room))
    return torch.lerp(_wdl(result, draw=drawn), root, root_share)


def _wdl(value: Tensor, *, draw: Tensor) -> Tensor:
    return torch.stack(((1.0 - draw + value) / 2, draw, (1.0 - draw - value) / 2), dim=1)


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
