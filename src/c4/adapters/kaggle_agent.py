"""An agent for Kaggle's ConnectX in one file: a network in numpy, and a tree search that minds the clock.

`python -m c4.export kaggle` writes this source, then the weights, then one function, the file's last callable. It
needs numpy alone and knows nothing of c4. A value lies in [-1, 1] and belongs to the player to move.
"""

from __future__ import annotations

import base64
import json  # noqa: F401 - for the lines that are added
import time
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
STEPS = (1 << 23) - 1  # an entry is a whole number of steps of its row, at most so many, in three bytes


def unpack(shapes: Sequence[tuple[str, Sequence[int]]], text: str) -> dict[str, Array]:
    """Weights by name: of each, the step of each row as float32, then the low, middle and high bytes of all entries."""
    data, at, weights = zlib.decompress(base64.b64decode(text)), 0, {}
    for name, shape in shapes:
        rows, entries = shape[0], int(np.prod(shape))
        step = np.frombuffer(data, "<f4", rows, at)
        whole = np.zeros((entries, 4), np.uint8)
        whole[:, 1:] = np.frombuffer(data, np.uint8, 3 * entries, at + 4 * rows).reshape(3, entries).T
        steps = (whole.view("<i4") >> 8).astype(np.float32)
        weights[name] = (steps.reshape(rows, -1) * step[:, None]).reshape(shape)
        at += 4 * rows + 3 * entries
    return weights


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True), np.float32)


class Network:
    """A residual tower with three heads. Activations are [B, cells, channels]; norms are folded into the weights."""

    def __init__(self, shape: Mapping[str, Any], weights: Mapping[str, Array]) -> None:
        self.height, self.width = int(shape["height"]), int(shape["width"])
        self.depth, self.heads = int(shape["depth"]), np.cumsum(shape["head_channels"])[:-1]
        self.weights = {name: self._matrix(name, weight) for name, weight in weights.items()}
        cells = self.height * self.width
        inside = np.pad(np.arange(cells).reshape(self.height, self.width), 1, constant_values=cells)
        self.around = np.stack(  # [cells, 9]: each cell's neighbourhood; `cells` is a row of zeros, the outside
            [inside[y : y + self.height, x : x + self.width].ravel() for y in range(3) for x in range(3)], axis=1
        )

    def forward(self, planes: Array) -> tuple[Array, Array, Array]:
        """Policy logits [B, actions], values [B], plies left [B] of planes [B, C, H, W]."""
        x = np.maximum(self._linear("stem", self._spread(planes.reshape(*planes.shape[:2], -1).swapaxes(1, 2))), 0)
        for index in range(self.depth):
            x = self._block(f"blocks.{index}", x)
        policy, value, left = np.split(np.maximum(self._linear("heads.conv", x), 0), self.heads, axis=2)
        if "heads.policy.1.weight" in self.weights:
            logits = self._linear("heads.policy.1", self._flat(policy))
        else:  # a column is judged from its own cells
            board = policy.reshape(len(x), self.height, self.width, -1)
            spatial = self.weights["heads.policy.weight"]  # [1, channels, H, 1]
            logits = np.asarray(
                np.einsum("bhwc,ch->bw", board, spatial[0, :, :, 0]) + self.weights["heads.policy.bias"]
            )
        opinion = self._dense("heads.value", value)
        if opinion.shape[1] == 1:
            values = np.tanh(opinion[:, 0])
        else:
            odds = softmax(opinion)  # win, draw, loss
            values = odds[:, 0] - odds[:, 2]
        plies = softmax(self._dense("heads.moves_left", left))
        return logits, np.asarray(values), np.asarray(plies @ np.arange(plies.shape[1], dtype=np.float32))

    def _block(self, name: str, x: Array) -> Array:
        y = self._linear(f"{name}.first", self._spread(x))
        if f"{name}.bias.weight" in self.weights:  # global pooling
            wide = np.maximum(y[:, :, x.shape[2] :], 0)
            seen = np.concatenate((wide.mean(axis=1), wide.max(axis=1)), axis=1)
            y = y[:, :, : x.shape[2]] + self._linear(f"{name}.bias", seen)[:, None]
        y = self._linear(f"{name}.second", self._spread(np.maximum(y, 0)))
        if f"{name}.squeeze.weight" in self.weights:  # squeeze and excitation
            squeezed = np.maximum(self._linear(f"{name}.squeeze", y.mean(axis=1)), 0)
            scale, shift = np.split(self._linear(f"{name}.excite", squeezed)[:, None], 2, axis=2)
            y = y / (1 + np.exp(-scale)) + shift
        return np.asarray(np.maximum(x + y, 0))

    def _dense(self, name: str, x: Array) -> Array:
        return self._linear(f"{name}.2", np.maximum(self._linear(f"{name}.0", self._flat(x)), 0))

    def _linear(self, name: str, x: Array) -> Array:
        return np.asarray(x @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"])

    def _spread(self, x: Array) -> Array:
        """Each cell with its neighbours: [B, cells, 9 * channels]."""
        outside = np.zeros((len(x), 1, x.shape[2]), np.float32)
        return np.concatenate((x, outside), axis=1)[:, self.around].reshape(*x.shape[:2], -1)

    @staticmethod
    def _flat(x: Array) -> Array:
        return x.swapaxes(1, 2).reshape(len(x), -1)

    @staticmethod
    def _matrix(name: str, weight: Array) -> Array:
        """[inputs, outputs] of convolutions over 3x3 or 1x1 cells and of dense layers; others as they are."""
        if weight.ndim == 4 and name != "heads.policy.weight":
            return np.ascontiguousarray(weight.transpose(2, 3, 1, 0).reshape(-1, weight.shape[0]))
        return np.ascontiguousarray(weight.T) if weight.ndim == 2 else weight


class Rules:
    """Connect Four on bits: a column has `height` of them and an empty one on top, the lowest cell first."""

    def __init__(self, *, height: int, width: int, in_a_row: int) -> None:
        self.height, self.width, self.in_a_row = height, width, in_a_row
        self.columns = [((1 << height) - 1) << column * (height + 1) for column in range(width)]
        self.full = sum(self.columns)
        self.bits = [
            column * (height + 1) + row for row in reversed(range(height)) for column in range(width)
        ]  # row by row from the top, as ConnectX counts cells

    def moves(self, mask: int) -> list[tuple[int, int]]:
        """(column, the bit where a stone lands)."""
        bottoms = ((column, cells, cells & -cells) for column, cells in enumerate(self.columns))
        return [(column, (mask + low) & cells) for column, cells, low in bottoms if mask & cells != cells]

    def wins(self, stones: int) -> bool:
        for step in (1, self.height, self.height + 1, self.height + 2):
            run = stones
            for index in range(1, self.in_a_row):
                run &= stones >> index * step
            if run:
                return True
        return False


class Node:
    """A position: `own` are the stones of the player to move, `mask` all. `proven` is its result, once it is known."""

    __slots__ = ("actions", "children", "m", "mask", "own", "plies", "prior", "proven", "q", "virtual", "visits")

    def __init__(self, *, own: int, mask: int, rules: Rules) -> None:
        self.own, self.mask = own, mask
        self.visits, self.virtual, self.q, self.m = 0, 0, 0.0, 0.0
        self.proven: int | None = None
        self.plies = 0  # to the end, once it is proven
        self.prior: list[float] = []
        self.actions: list[tuple[int, int]] = []
        other = own ^ mask
        if rules.wins(other):
            self.proven = -1
        elif mask == rules.full:
            self.proven = 0
        else:
            self._look_ahead(rules, other)
        self.children: list[Node | None] = [None] * len(self.actions)

    def _look_ahead(self, rules: Rules, other: int) -> None:
        """A win at once is proven without a search; a threat leaves one answer."""
        self.actions = rules.moves(self.mask)
        for action in self.actions:
            if rules.wins(self.own | action[1]):
                self.actions, self.proven, self.plies = [action], 1, 1
                return
        self.actions = [action for action in self.actions if rules.wins(other | action[1])][:1] or self.actions


class Search:
    """PUCT with batches of leaves, moves-left utility and proven results. The knobs are those of c4.params.search."""

    def __init__(self, network: Network, rules: Rules, knobs: Mapping[str, Any]) -> None:
        self.network, self.rules, self.knobs = network, rules, knobs
        self.root = Node(own=0, mask=0, rules=rules)

    def set_position(self, *, own: int, mask: int) -> None:
        """Keeps what is known of the position where it is at most two plies ahead."""
        children = [child for child in self.root.children if child is not None]
        near = [self.root, *children, *(node for child in children for node in child.children if node is not None)]
        known = [node for node in near if node.own == own and node.mask == mask]
        self.root = known[0] if known else Node(own=own, mask=mask, rules=self.rules)

    def think(self, *, until: float, simulations: int) -> None:
        """Until a moment of time.perf_counter: the slowest batch so far must still fit before it."""
        slowest, enough = 0.0, self.root.visits + simulations
        while self.root.proven is None and self.root.visits < enough and len(self.root.actions) > 1:
            began = time.perf_counter()
            if began + 1.5 * slowest > until:
                return
            self._simulate()
            slowest = max(slowest, time.perf_counter() - began)

    def best(self) -> int:
        """A proven win first, the fastest; a proven loss last, the slowest; else the most visited column."""

        def worth(child: Node | None) -> tuple[int, int]:
            if child is None or not child.proven:
                return 0, 0 if child is None else child.visits
            return -child.proven, child.plies * child.proven

        ranks = [worth(child) for child in self.root.children]
        return self.root.actions[ranks.index(max(ranks))][0]

    def _simulate(self) -> None:
        """Several leaves, one call of the network."""
        waiting: list[list[Node]] = []
        for _ in range(self.knobs["leaves_per_batch"]):
            if self.root.proven is not None:
                break
            path = self._descend()
            leaf = path[-1]
            if leaf.proven is not None:
                self._back_up(path, value=leaf.proven, plies=leaf.plies)
                continue
            if leaf.virtual:  # it waits already
                break
            for node in path:
                node.virtual += 1
            waiting.append(path)
        if not waiting:
            return
        logits, values, plies = self.network.forward(np.stack([self._planes(path[-1]) for path in waiting]))
        for path, row, value, left in zip(waiting, logits, values, plies, strict=True):
            leaf = path[-1]
            legal = row[[column for column, _ in leaf.actions]]
            leaf.prior = softmax(legal / self.knobs["policy_temperature"]).tolist()
            for node in path:
                node.virtual -= 1
            self._back_up(path, value=float(value), plies=float(left))

    def _descend(self) -> list[Node]:
        path = [self.root]
        while path[-1].prior and path[-1].proven is None:
            node = path[-1]
            index = self._select(node)
            child = node.children[index]
            if child is None:
                mask = node.mask | node.actions[index][1]
                child = Node(own=node.own ^ node.mask, mask=mask, rules=self.rules)
                node.children[index] = child
            path.append(child)
        return path

    def _select(self, node: Node) -> int:
        knobs, best, chosen = self.knobs, -np.inf, 0
        seen = sum(p for p, child in zip(node.prior, node.children, strict=True) if child is not None)
        fpu = node.q - knobs["fpu_reduction"] * seen**0.5
        explore = knobs["cpuct"] * (node.visits + node.virtual) ** 0.5
        for index, (prior, child) in enumerate(zip(node.prior, node.children, strict=True)):
            if child is None:
                score = fpu + explore * prior
            elif child.proven == 1:  # lost; were all lost, this node would be proven
                continue
            else:
                visits = child.visits + child.virtual
                loss = knobs["virtual_loss"] * child.virtual
                score = -(child.q * child.visits + loss) / visits if visits else fpu
                score += explore * prior / (1 + visits)
                if child.visits:
                    longer = knobs["mlh_slope"] * (child.m - node.m)
                    score += max(-knobs["mlh_cap"], min(knobs["mlh_cap"], longer)) * child.q
            if score > best:
                best, chosen = score, index
        return chosen

    def _back_up(self, path: Sequence[Node], *, value: float, plies: float) -> None:
        for node in reversed(path):
            node.visits += 1
            node.q += (value - node.q) / node.visits
            node.m += (plies - node.m) / node.visits
            value, plies = -value * self.knobs["discount"], plies + 1
        for node in reversed(path[:-1]):
            if not self._prove(node):
                return

    def _prove(self, node: Node) -> bool:
        """Whether the children's results prove the node's."""
        results = [(child.proven, child.plies) for child in node.children if child is not None]
        if lost := [plies for proven, plies in results if proven == -1]:
            node.proven, node.plies = 1, 1 + min(lost)
        elif len(results) == len(node.actions) and all(proven is not None for proven, _ in results):
            node.proven = 0 if any(proven == 0 for proven, _ in results) else -1
            node.plies = 1 + max(plies for proven, plies in results if proven == -node.proven)
        return node.proven is not None

    def _planes(self, node: Node) -> Array:
        own, other = node.own, node.own ^ node.mask
        first = float(node.mask.bit_count() % 2 == 0)
        cells = [[own >> bit & 1 for bit in self.rules.bits], [other >> bit & 1 for bit in self.rules.bits]]
        planes = np.array([*cells, [first] * len(self.rules.bits)], np.float32)
        return planes.reshape(3, self.rules.height, self.rules.width)


class Agent:
    """Answers within its time. It keeps its tree from move to move."""

    def __init__(self, header: Mapping[str, Any], weights: str) -> None:
        self.header = header
        shape = header["shape"]
        self.rules = Rules(height=shape["height"], width=shape["width"], in_a_row=shape["in_a_row"])
        self.network = Network(shape, unpack(header["weights"], weights))
        self.search = Search(self.network, self.rules, header["search"])

    def act(self, observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        """A column. The board comes row by row from the top; 1 is the first player's stone, 2 the second's."""
        began, rules = time.perf_counter(), self.rules
        asked = tuple(configuration.get(name) for name in ("rows", "columns", "inarow"))
        if asked != (rules.height, rules.width, rules.in_a_row):
            raise ValueError(f"this agent plays {rules.height} rows, {rules.width} columns, {rules.in_a_row} in a row")
        board, mark = observation["board"], observation["mark"]
        own = sum(1 << bit for bit, stone in zip(rules.bits, board, strict=True) if stone == mark)
        mask = sum(1 << bit for bit, stone in zip(rules.bits, board, strict=True) if stone)
        self.search.set_position(own=own, mask=mask)
        seconds = min(self.header["seconds"], 0.8 * configuration.get("actTimeout", self.header["seconds"]))
        self.search.think(until=began + seconds, simulations=self.header["simulations"])
        return self.search.best()
