"""The same search grown twice, by the specification and by the native code, and the two trees compared bit for bit."""

from __future__ import annotations

import numpy as np
from tests.differential.hash_evaluator import HashEvaluator

from c4.native import _core
from c4.native.knobs import plain_search
from c4.params.search import SearchParams
from c4.reference import mcts
from c4.reference.games import START
from c4.reference.search import Search

# Frozen: tuning what conf/ ships must not change what a test checks.
PLAIN = plain_search(
    cpuct=2.0,
    fpu_reduction=0.4,
    mlh_cap=0.2,
    noise_epsilon=0.25,
    num_simulations=100,
    reuse_tree=True,
    gumbel_cscale=0.1,
    temperature_start=1.0,
    temperature_plies=10,
)


def think(searches: _core.Searches, tree: int, simulations: int, evaluator: HashEvaluator) -> None:
    """Runs a native search to its end, with the evaluator as its network."""
    searches.think(tree, simulations)
    start = evaluator.start
    planes = np.zeros((searches.rows, 3, start.height, start.width), np.uint8)
    while searches.busy:
        rows = searches.gather(planes)
        searches.apply(*evaluator.batch(planes[:rows]))


class Twins:
    """A reference search and a native one that are always told the same."""

    def __init__(
        self, *, game: str, actions: list[int], params: SearchParams, evaluator: HashEvaluator, cache: int = 0
    ):
        self.params, self.evaluator = params, evaluator
        state = START[game]
        for action in actions:
            state = state.play(action)
        self.reference = Search(state)
        self.native = _core.Searches(game, 1, params, cache_megabytes=cache)
        self.native.set_position(0, _core.Position.from_actions(game, actions))

    def set_params(self, params: SearchParams) -> None:
        self.params = params
        self.native.set_params(params)

    def set_noise(self, noise: list[float]) -> None:
        self.reference.noise = [np.float32(entry) for entry in noise]
        self.native.set_noise(0, noise)

    def set_gumbel(self, gumbel: list[float]) -> None:
        self.reference.gumbel = [np.float32(entry) for entry in gumbel]
        self.native.set_gumbel(0, gumbel)

    def think(self, simulations: int) -> None:
        self.reference.run(self.params, simulations, self.evaluator.state)
        think(self.native, 0, simulations, self.evaluator)

    def play(self, action: int) -> None:
        self.reference.play(action, self.params)
        self.native.play(0, action)

    def assert_equal(self) -> None:
        noise = self.reference.noise
        self._compare(self.reference.root, [], noise)
        root = self.reference.root
        if root.terminal or not root.children:
            return
        assert self.native.best_action(0) == self.reference.best_child(self.params).action
        assert bits(self.native.value(0)) == bits(self.reference.value(self.params))
        for temperature in (0.0, 0.7, 1.0):
            expected = np.zeros(self.evaluator.start.actions, np.float32)
            expected[[child.action for child in root.children]] = self.reference.policy(self.params, temperature)
            assert self.native.policy(0, temperature).tobytes() == expected.tobytes()

    def _compare(self, node: mcts.Node, path: list[int], noise: object) -> None:
        native = self.native.node(0, path)
        where = f"at {path}"
        assert native.visits == node.visits, where
        assert bits(native.q) == bits(node.q), where
        assert bits(native.m) == bits(node.m), where
        assert (native.lower, native.upper, native.is_terminal) == (node.lower, node.upper, node.terminal), where
        children = node.children
        assert native.actions.tolist() == [child.action for child in children], where
        assert native.child_visits.tolist() == [child.visits for child in children], where
        for column, attribute in (("child_q", "q"), ("child_m", "m"), ("prior", "prior")):
            expected = np.array([getattr(child, attribute) for child in children], np.float32)
            assert getattr(native, column).tobytes() == expected.tobytes(), f"{column} {where}"
        for column, attribute in (("child_lower", "lower"), ("child_upper", "upper")):
            assert getattr(native, column).tolist() == [getattr(child, attribute) for child in children], where
        proven = [child.proven_plies for child in children]
        assert native.child_proven_plies.tolist() == proven, where
        effective = [mcts.effective_prior(child, i, self.params, noise) for i, child in enumerate(children)]
        assert native.prior_effective.tobytes() == np.array(effective, np.float32).tobytes(), where
        assert all(child.in_flight == 0 and not child.awaiting for child in children), where
        for child in children:
            if child.visits > 0:
                self._compare(child, [*path, child.action], ())


def bits(number: float) -> bytes:
    return np.float32(number).tobytes()
