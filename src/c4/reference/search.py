"""The search itself, as its specification: descends to leaves, waits for their evaluations, backs them up.

It knows the games' rules only by the methods of reference.games.State, and takes the network as a function of a state.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from c4.params.search import RootSelection, SearchParams
from c4.reference import gumbel, mcts
from c4.reference.games import State
from c4.reference.mcts import F, Node, backup, expand, policy_temperature_of, select_child, temper_root
from c4.reference.proof import prove

Evaluation = tuple[NDArray[np.float32], float, float]  # policy logits by action, value, plies left
Evaluate = Callable[[State], Evaluation]


@dataclasses.dataclass(eq=False)
class Leaf:
    state: State
    path: list[Node]


class Search:
    """One tree. A search is: think(simulations), then gather and apply until nothing is left to do."""

    def __init__(self, state: State) -> None:
        self.reset(state)

    def reset(self, state: State) -> None:
        self.state = state
        self.root = Node()
        self.noise: Sequence[F] = ()
        self.gumbel: Sequence[F] = ()
        self.halving = gumbel.Halving()
        self.budget = 0
        self.leaves: list[Leaf] = []
        self._mark_if_over(self.root, state)

    def play(self, action: int, params: SearchParams) -> None:
        kept = [child for child in self.root.children if child.action == action and not child.by_proof]
        state = self.state.play(action)
        self.reset(state)
        if params.reuse_tree and kept:
            self.root = kept[0]
            temper_root(self.root, params)
            self._mark_if_over(self.root, state)

    def run(self, params: SearchParams, simulations: int, evaluate: Evaluate) -> None:
        self.budget += simulations
        self.halving = gumbel.Halving()
        while self.gather(params):
            self.apply(params, evaluate)

    def done(self, params: SearchParams) -> bool:
        if self.budget <= 0 or self.root.terminal or (params.proven_results and self.root.settled):
            return True
        return params.early_stop and not by_gumbel(params) and self._cannot_be_overtaken()

    def gather(self, params: SearchParams) -> bool:
        """Descends until leaves_per_batch leaves wait for the network. False: there is nothing left to do."""
        while not self.done(params) and not self.leaves:
            while len(self.leaves) < params.leaves_per_batch and not self.done(params) and not self._must_wait(params):
                if not self._descend(params):
                    break
        return bool(self.leaves)

    def apply(self, params: SearchParams, evaluate: Evaluate) -> None:
        for leaf in self.leaves:
            for node in leaf.path:
                node.in_flight -= 1
            leaf.path[-1].awaiting = False
            logits, value, plies_left = evaluate(leaf.state)
            expand(leaf.path[-1], leaf.state, logits, policy_temperature_of(params, is_root=len(leaf.path) == 1))
            backup(leaf.path, F(value), F(plies_left), params)
        self.leaves = []

    # What it concludes. Precondition: the root is expanded.

    def policy(self, params: SearchParams, temperature: float) -> list[F]:
        if by_gumbel(params):
            return gumbel.policy(self.root, params, temperature)
        return mcts.policy(self.root, params, temperature, mcts.target_visits(self.root, params, self.noise))

    def best_child(self, params: SearchParams) -> Node:
        if by_gumbel(params):
            return gumbel.choose(self.root, params, self.halving, self.gumbel, 0.0)
        return mcts.best_child(self.root, params)

    def value(self, params: SearchParams) -> F:
        if (
            params.proven_results and self.root.settled
        ):  # its mean may be older, where proven_results was off in between
            return F(self.root.lower)
        return gumbel.value(self.root, params) if by_gumbel(params) else self.root.q

    def _descend(self, params: SearchParams) -> bool:
        """One simulation; False when it met a leaf that is in flight already, which counts for nothing."""
        node, state, path = self.root, self.state, [self.root]
        while node.children and not (params.proven_results and node.settled):
            if node is self.root and by_gumbel(params):
                node = gumbel.select_root_child(node, params, self.halving, self.gumbel, self.budget)
            else:
                node = select_child(node, params, self.noise if node is self.root else ())
            state = state.play(node.action)
            path.append(node)
        if node.awaiting:
            return False
        self.budget -= 1
        self._mark_if_over(node, state)
        if node.terminal or (params.proven_results and node.settled):
            backup(path, F(node.lower), F(node.proven_plies), params)
            return True
        if params.proven_results and node is not self.root and settle_by_proof(node, state, params):
            backup(path, F(node.lower), F(node.proven_plies), params)
            return True
        node.awaiting = True
        for on_path in path:
            on_path.in_flight += 1
        self.leaves.append(Leaf(state, path))
        return True

    def _must_wait(self, params: SearchParams) -> bool:
        """A phase is judged when all its leaves are backed up."""
        return by_gumbel(params) and bool(self.leaves) and self.halving.is_over(self.budget)

    @staticmethod
    def _mark_if_over(node: Node, state: State) -> None:
        if state.is_terminal():
            node.terminal = True
            node.lower = node.upper = state.result()
            node.proven_plies = 0

    def _cannot_be_overtaken(self) -> bool:
        visits = sorted((child.visits for child in self.root.children), reverse=True)
        if len(visits) == 1:
            return True
        return len(visits) > 1 and visits[0] - visits[1] > self.budget + len(self.leaves)


def settle_by_proof(node: Node, state: State, params: SearchParams) -> bool:
    """What the rules alone can prove in a few steps is known from then on, as the result of a finished game is."""
    found = prove(state, params.proof_nodes) if params.proof_nodes > 0 else None
    if found is not None:
        node.by_proof = True
        node.lower = node.upper = found.result
        node.proven_plies = found.plies
    return found is not None


def by_gumbel(params: SearchParams) -> bool:
    return params.root_selection is RootSelection.GUMBEL
