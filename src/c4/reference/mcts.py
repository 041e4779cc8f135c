"""The rules of the tree search, as their specification: plain, slow, obvious. native/search must agree bit for bit.

All arithmetic on statistics is in float32 and in the order written here. Ties go to the lowest action. The loop over
simulations is in reference/search.py, the other way to choose among the root's moves in reference/gumbel.py.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from c4.params.search import SearchParams
from c4.reference.games import State

F = np.float32
ZERO = F(0)
SMALLEST = np.finfo(np.float32).tiny


@dataclasses.dataclass(eq=False)
class Node:
    """As native/search/node.h. Values are for the side to move here (value: native/value.h)."""

    action: int = 0
    prior: F = ZERO
    q: F = ZERO
    m: F = ZERO
    visits: int = 0
    in_flight: int = 0
    children: list[Node] = dataclasses.field(default_factory=list)
    lower: int = -1
    upper: int = 1
    proven_plies: int = 0
    terminal: bool = False
    awaiting: bool = False
    by_proof: bool = False

    @property
    def settled(self) -> bool:
        return self.lower == self.upper


def exp(x: F) -> F:
    """e^x for x <= 0 from additions and multiplications alone (Cephes' polynomial): the same bits everywhere."""
    x = max(x, F(-87))
    n = (x * F(1.44269504088896341) + F(12582912)) - F(12582912)
    r = (x - n * F(0.693359375)) - n * F(-2.12194440e-4)
    p = F(1.9875691500e-4)
    for coefficient in (1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1):
        p = p * r + F(coefficient)
    p = (p * (r * r) + r) + F(1)
    return F(p * np.ldexp(F(1), int(n)))


# Selection


def effective_prior(child: Node, index: int, params: SearchParams, noise: Sequence[F]) -> F:
    if len(noise) == 0:
        return child.prior
    epsilon = F(params.noise_epsilon)
    return F((F(1) - epsilon) * child.prior + epsilon * F(noise[index]))


def forced_visits(prior: F, parent_visits: F, params: SearchParams) -> F:
    return F(np.sqrt(F(params.forced_visits) * prior * parent_visits))


def is_ruled_out(node: Node, child: Node) -> bool:
    """A move that cannot be better than what the side to move is sure of: it is settled, or proven to be no better."""
    return -child.lower <= node.lower


def moves_left_utility(node: Node, child: Node, params: SearchParams) -> F:
    """Positive for a faster win and a slower loss of the side to move in `node`."""
    longer = F(params.mlh_slope) * (child.m - node.m)
    cap = F(params.mlh_cap)
    return F(min(max(longer, -cap), cap) * child.q)


def select_child(node: Node, params: SearchParams, noise: Sequence[F]) -> Node:
    """argmax of q + u + m. `noise` is the root's, and empty below it."""
    virtual_loss = F(params.virtual_loss)
    visited_prior = F(0)
    for child in node.children:
        if child.visits + child.in_flight > 0:
            visited_prior += child.prior
    fpu = node.q - F(params.fpu_reduction) * np.sqrt(visited_prior)
    parent_visits = F(node.visits) + virtual_loss * F(node.in_flight)
    scale = F(params.cpuct) * np.sqrt(parent_visits)

    best, best_score = node.children[0], F(-np.inf)
    for index, child in enumerate(node.children):
        if params.proven_results and is_ruled_out(node, child):
            continue
        prior = effective_prior(child, index, params, noise)
        visits = F(child.visits)
        q = -child.q if child.visits > 0 else fpu
        if child.in_flight > 0:  # as if the leaves in flight had been lost for us
            lost = virtual_loss * F(child.in_flight)
            visits += lost
            if visits > 0:
                q = (q * F(child.visits) - lost) / visits
        forcing = params.forced_visits > 0 and len(noise) > 0 and child.visits > 0
        if forcing and visits < forced_visits(prior, parent_visits, params):
            return child
        score = q + scale * prior / (F(1) + visits)
        if params.mlh_slope != 0 and child.visits > 0:
            score += moves_left_utility(node, child, params)
        if score > best_score:
            best, best_score = child, score
    return best


# Expansion and backup


def policy_temperature_of(params: SearchParams, *, is_root: bool) -> F:
    """What a node's policy logits are divided by. At 1 nothing is, so that not a bit changes."""
    at_root = params.root_policy_temperature
    return F(params.policy_temperature if at_root is None or not is_root else at_root)


def normalised(logits: Sequence[F], temperature: F) -> list[F]:
    """softmax(logits / T): the largest is taken off first, so that no temperature makes infinities of them."""
    below = [logit - max(logits) for logit in logits]
    weights = [exp(x if temperature == 1 else x / temperature) for x in below]
    total = F(0)
    for weight in weights:
        total += weight
    return [F(weight / total) for weight in weights]


def expand(node: Node, state: State, policy_logits: NDArray[np.float32], temperature: F) -> None:
    """Children for the legal actions, their priors the softmax of the logits over these only."""
    actions = state.legal_actions()
    priors = normalised([F(policy_logits[action]) for action in actions], temperature)
    node.children = [Node(action=action, prior=prior) for action, prior in zip(actions, priors, strict=True)]


def temper_root(root: Node, params: SearchParams) -> None:
    """A node that has become the root gets priors at the root's temperature: a logit is the logarithm of a prior times
    the temperature that made it, but for a constant."""
    before, now = (policy_temperature_of(params, is_root=is_root) for is_root in (False, True))
    if before == now or not root.children:
        return
    logits = [F(F(math.log(max(child.prior, SMALLEST))) * before) for child in root.children]
    for child, prior in zip(root.children, normalised(logits, now), strict=True):
        child.prior = prior


def update_bounds(node: Node) -> bool:
    """What is proven of a node, from its children; whether that changed."""
    lower = max(-child.upper for child in node.children)
    upper = max(-child.lower for child in node.children)
    if (lower, upper) == (node.lower, node.upper):
        return False
    node.lower, node.upper = lower, upper
    if node.settled:
        reaching = [child.proven_plies for child in node.children if child.settled and -child.lower == lower]
        node.proven_plies = 1 + (min(reaching) if lower > 0 else max(reaching))
    return True


def backup(path: Sequence[Node], value: F, plies_left: F, params: SearchParams) -> None:
    """Tells a leaf's evaluation to every node from the leaf up to the root."""
    below_changed = params.proven_results and path[-1].settled
    for node in reversed(path):
        node.visits += 1
        if below_changed and node is not path[-1]:
            below_changed = update_bounds(node)
        if params.proven_results and node.settled:
            value, plies_left = F(node.lower), F(node.proven_plies)
            node.q, node.m = value, plies_left
        else:
            if params.proven_results:
                value = min(max(value, F(node.lower)), F(node.upper))
            node.q += (value - node.q) / F(node.visits)
            node.m += (plies_left - node.m) / F(node.visits)
            if params.proven_results:
                node.q = min(max(node.q, F(node.lower)), F(node.upper))
        value = -value * F(params.discount)
        plies_left = plies_left + F(1)


# What a search concludes


def target_visits(root: Node, params: SearchParams, noise: Sequence[F]) -> list[int]:
    """The visits of the root's children, without those that only forced_visits explain."""
    visits = [child.visits for child in root.children]
    if params.forced_visits <= 0 or len(noise) == 0:
        return visits
    parent_visits = F(root.visits)
    scale = F(params.cpuct) * np.sqrt(parent_visits)

    def score(index: int, count: int) -> F:
        child = root.children[index]
        total = -child.q + scale * effective_prior(child, index, params, noise) / (F(1) + F(count))
        if params.mlh_slope != 0:
            total += moves_left_utility(root, child, params)
        return F(total)

    best = visits.index(max(visits))
    best_score = score(best, visits[best])
    for index, child in enumerate(root.children):
        if index == best or visits[index] == 0:
            continue
        forced = int(forced_visits(effective_prior(child, index, params, noise), parent_visits, params))
        least = max(0, visits[index] - forced)
        while visits[index] > least and score(index, visits[index] - 1) < best_score:
            visits[index] -= 1
        if visits[index] <= 1:
            visits[index] = 0
    return visits


def candidates(root: Node, params: SearchParams) -> list[bool]:
    """Which moves may be played: all, unless proven results say better."""
    if not params.proven_results:
        return [True] * len(root.children)
    if not root.settled:
        open_moves = [child for child in root.children if not is_ruled_out(root, child)]
        best_open = max(open_moves, key=lambda child: child.visits)
        if root.lower == 0 and (best_open.visits == 0 or -best_open.q <= 0):
            return [-child.upper == 0 for child in root.children]  # the draw in hand
        return [not is_ruled_out(root, child) for child in root.children]
    best = [child for child in root.children if child.settled and -child.lower == root.lower]
    return [
        child in best and (root.lower == 0 or child.proven_plies + 1 == root.proven_plies) for child in root.children
    ]


def policy(root: Node, params: SearchParams, temperature: float, visits: Sequence[int]) -> list[F]:
    """softmax(log N / T) over the candidates; by priors when none was visited; evenly when the root is won or lost."""
    allowed = candidates(root, params)
    decided = params.proven_results and root.settled and root.lower != 0
    visited = any(count > 0 for count, is_allowed in zip(visits, allowed, strict=True) if is_allowed)
    weights = [
        0.0 if not is_allowed else 1.0 if decided else float(count) if visited else float(child.prior)
        for child, count, is_allowed in zip(root.children, visits, allowed, strict=True)
    ]
    return softmax([math.log(weight) if weight > 0 else -math.inf for weight in weights], temperature)


def softmax(logits: Sequence[float], temperature: float) -> list[F]:
    """softmax(x / T), in double precision; -inf: an entry that may not be played; T = 0: shared among the largest."""
    largest = max(logits)
    if temperature == 0:
        weights = [1.0 if logit == largest else 0.0 for logit in logits]
    else:
        weights = [math.exp((logit - largest) / temperature) if logit > -math.inf else 0.0 for logit in logits]
    total = 0.0
    for weight in weights:
        total += weight
    return [F(weight / total) for weight in weights]


def best_child(root: Node, params: SearchParams) -> Node:
    """The candidate with the most visits (or the largest prior), the lowest action of equals."""
    by_visits = policy(root, params, 0.0, [child.visits for child in root.children])
    return root.children[by_visits.index(max(by_visits))]
