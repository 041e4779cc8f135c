"""Sequential halving of the root's moves with Gumbel noise (root_selection=gumbel), as its specification.

Danihelka, Guez, Schrittwieser, Silver: Policy improvement by planning with Gumbel, ICLR 2022. native/search/gumbel.h
must agree bit for bit. All arithmetic is in float32 and in the order written here. Ties go to the lowest action.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from c4.params.search import SearchParams
from c4.reference import mcts
from c4.reference.mcts import SMALLEST, F, Node


@dataclasses.dataclass(eq=False)
class Halving:
    """Which of the root's moves are in the running, and until when. A move is its place among the children."""

    considered: list[int] = dataclasses.field(default_factory=list)  # best first; empty: not begun
    simulations: int = 0  # of all phases
    phases: int = 0
    begin: int = 0  # of the phase, as the budget that was left then
    end: int = 0
    survivors: int = 0  # of the phase, at most

    def is_over(self, budget: int) -> bool:
        """Whether the next simulation belongs to another phase."""
        return not self.considered or budget <= self.end

    def begin_phase(self, budget: int) -> None:
        count = len(self.considered)
        each = max(1, self.simulations // (self.phases * count))
        self.begin, self.end = budget, max(0, budget - each * count)
        self.survivors = max(2, count // 2)


def completed_q(root: Node, params: SearchParams) -> list[F]:
    """What each move is worth. Of one without a visit: what the visited ones are on average, weighted by their priors.

    The paper mixes the network's own value of the root into that average, as one visit; here the root's mean takes its
    place, which is the same as long as nothing was visited.
    """
    q = [-child.q * F(params.discount) for child in root.children]
    visits, prior, weighted = 0, F(0), F(0)
    for index, child in enumerate(root.children):
        if child.visits > 0:
            visits += child.visits
            prior += child.prior
            weighted += child.prior * q[index]
    mixed = root.q
    if prior > 0:
        mixed = (root.q + F(visits) * (weighted / prior)) / (F(1) + F(visits))
    return [q[index] if child.visits > 0 else F(mixed) for index, child in enumerate(root.children)]


def improved_logits(root: Node, params: SearchParams) -> list[F]:
    """logit + sigma(q), sigma(q) = (gumbel_cvisit + most visits of a move) * gumbel_cscale * q; the utility of length
    is part of q.

    A logit is the logarithm of a prior, at the temperature that the prior has: the moves that are considered, the one
    that is played and the improved policy all see the priors that the rest of the search sees.
    """
    most = max(child.visits for child in root.children)
    scale = (F(params.gumbel_cvisit) + F(most)) * F(params.gumbel_cscale)
    logits = []
    for child, q in zip(root.children, completed_q(root, params), strict=True):
        if params.mlh_slope != 0 and child.visits > 0:
            q = q + mcts.moves_left_utility(root, child, params)
        logits.append(F(F(math.log(max(child.prior, SMALLEST))) + scale * q))
    return logits


def ranked(
    places: Sequence[int], logits: Sequence[F], gumbel: Sequence[F], params: SearchParams, temperature: float
) -> list[int]:
    """Best first by T * gumbel + logit. Without a draw of Gumbel noise there is none."""
    weight = F(temperature) * F(params.gumbel_scale)
    scores = [logits[place] + weight * F(gumbel[place]) if len(gumbel) > 0 else logits[place] for place in places]
    order = sorted(range(len(places)), key=lambda i: (-scores[i], places[i]))
    return [places[i] for i in order]


def select_root_child(root: Node, params: SearchParams, halving: Halving, gumbel: Sequence[F], budget: int) -> Node:
    """Turns among the moves in the running. After each phase the better half stays in it, at least two.

    With proven_results a move that is ruled out leaves, and when none is left, those that are open begin anew.
    """

    def is_open(place: int) -> bool:
        return not (params.proven_results and mcts.is_ruled_out(root, root.children[place]))

    halving.considered = [place for place in halving.considered if is_open(place)]
    if halving.is_over(budget):
        begins = not halving.considered
        if begins:
            halving.considered = [place for place in range(len(root.children)) if is_open(place)]
            halving.survivors = min(params.gumbel_considered, budget)
        halving.considered = ranked(halving.considered, improved_logits(root, params), gumbel, params, 1.0)
        halving.considered = halving.considered[: halving.survivors]
        if begins:
            halving.simulations = budget
            halving.phases = max(1, (len(halving.considered) - 1).bit_length())  # log2, rounded up
        halving.begin_phase(budget)
    turn = (halving.begin - budget) % len(halving.considered)
    return root.children[halving.considered[turn]]


# What a search concludes


def allowed_logits(root: Node, params: SearchParams) -> list[F]:
    """The improved logits of the moves that may be played, all alike when the root is won or lost; -inf of others."""
    decided = params.proven_results and root.settled and root.lower != 0
    return [
        F(-math.inf) if not is_allowed else F(0) if decided else logit
        for logit, is_allowed in zip(improved_logits(root, params), mcts.candidates(root, params), strict=True)
    ]


def policy(root: Node, params: SearchParams, temperature: float) -> list[F]:
    """The improved policy: softmax((logit + sigma(q)) / T) over all moves that may be played, visited or not."""
    return mcts.softmax([float(logit) for logit in allowed_logits(root, params)], temperature)


def choose(root: Node, params: SearchParams, halving: Halving, gumbel: Sequence[F], temperature: float) -> Node:
    """The move to play: the best of those in the running by T * gumbel + logit + sigma(q).

    At T = 1 that is the paper's choice; at any T, a sample of the improved policy at that temperature.
    """
    logits = allowed_logits(root, params)
    allowed = [place for place, logit in enumerate(logits) if logit > -math.inf]
    running = [place for place in halving.considered if place in allowed]
    return root.children[ranked(running or allowed, logits, gumbel, params, temperature)[0]]


def value(root: Node, params: SearchParams) -> F:
    """What the root is worth under the improved policy: its mean also counts moves that were tried and dropped."""
    total = F(0)
    for share, q in zip(policy(root, params, 1.0), completed_q(root, params), strict=True):
        total += share * q
    return min(max(total, F(root.lower)), F(root.upper)) if params.proven_results else total
