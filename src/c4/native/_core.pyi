"""
Games, search and self-play in C++: the compiled half of c4.
"""

from __future__ import annotations
import c4.params.search
import c4.params.selfplay
import collections.abc
import numpy
import numpy.typing
import typing

__all__: list[str] = [
    "FULL_SEARCH",
    "GameSpec",
    "Generator",
    "GomokuSolver",
    "NodeInfo",
    "OPENING_PLY",
    "PROVEN_ROOT",
    "Position",
    "SAMPLED_MOVE",
    "Searches",
    "WORSE_MOVE",
    "game_names",
    "game_spec",
    "plain_search",
    "plain_selfplay",
    "sample_dtype",
    "search_ranges",
    "selfplay_ranges",
    "symmetry_actions",
    "unpack_planes",
]

class GameSpec:
    """
    The shape of a game. Planes are [planes, height, width], policies [actions].
    """
    def __eq__(self, arg0: typing.Any) -> bool: ...
    def __getstate__(self) -> str: ...
    def __hash__(self) -> int: ...
    def __setstate__(self, arg0: str) -> None: ...
    @property
    def actions(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def in_a_row(self) -> int: ...
    @property
    def max_plies(self) -> int:
        """
        The longest game; plies left run from 0 to this.
        """
    @property
    def name(self) -> str: ...
    @property
    def packed_bytes(self) -> int: ...
    @property
    def planes(self) -> int:
        """
        Input planes of the network: own stones, the opponent's, ones if the first player is to move.
        """
    @property
    def symmetries(self) -> int:
        """
        Symmetry 0 is the identity.
        """
    @property
    def title(self) -> str:
        """
        For people.
        """
    @property
    def width(self) -> int: ...

class Position:
    """
    Immutable: the plies of a game so far and where they led.
    """
    @staticmethod
    def from_actions(
        game: str, actions: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]
    ) -> Position:
        """
        ValueError names the ply that cannot be played and the reason.
        """
    def __init__(self, game: str, text: str = "") -> None:
        """
        ValueError names the ply that cannot be played and the reason.
        """
    def __repr__(self) -> str: ...
    def action_name(self, action: typing.SupportsInt | typing.SupportsIndex) -> str:
        """
        "4" or "h8".
        """
    def board(self) -> numpy.typing.NDArray[numpy.int8]:
        """
        int8 [H, W], row 0 on top: 0 empty, 1 the first player's stone, 2 the second player's.
        """
    def packed(self) -> numpy.typing.NDArray[numpy.uint8]:
        """
        uint8 [packed_bytes]; unpack_planes reads it.
        """
    def planes(self) -> numpy.typing.NDArray[numpy.uint8]:
        """
        uint8 [C, H, W] of 0 and 1, row 0 on top.
        """
    def play(self, action: typing.SupportsInt | typing.SupportsIndex) -> Position:
        """
        ValueError names the ply and the reason it cannot be played.
        """
    @property
    def actions(self) -> list[int]:
        """
        The plies played so far.
        """
    @property
    def canonical_key(self) -> int:
        """
        Equal for all symmetric images.
        """
    @property
    def canonical_symmetry(self) -> int:
        """
        Takes the position to its canonical image.
        """
    @property
    def game(self) -> str: ...
    @property
    def is_terminal(self) -> bool: ...
    @property
    def key(self) -> int:
        """
        Equal positions (stones and side to move) have equal keys.
        """
    @property
    def legal(self) -> list[int]:
        """
        In increasing order; empty when the game is over.
        """
    @property
    def ply(self) -> int: ...
    @property
    def text(self) -> str:
        """
        "4453" or "h8 i9"; parses back to the same position.
        """
    @property
    def value(self) -> int:
        """
        Result for the side to move: -1 lost, 0 drawn (value: native/value.h). ValueError when
        the game is not over.
        """
    @property
    def winning_cells(self) -> list[tuple[int, int]]:
        """
        (row from the top, column) of the stones of winning lines; empty when nobody has won.
        """

class NodeInfo:
    """
    A node and its children (arrays, lowest action first). Values are for the side to move in the
    node or child they belong to (value: native/value.h).
    """
    @property
    def actions(self) -> numpy.typing.NDArray[numpy.int32]: ...
    @property
    def child_lower(self) -> numpy.typing.NDArray[numpy.int32]: ...
    @property
    def child_m(self) -> numpy.typing.NDArray[numpy.float32]: ...
    @property
    def child_proven_plies(self) -> numpy.typing.NDArray[numpy.int32]: ...
    @property
    def child_q(self) -> numpy.typing.NDArray[numpy.float32]: ...
    @property
    def child_upper(self) -> numpy.typing.NDArray[numpy.int32]: ...
    @property
    def child_visits(self) -> numpy.typing.NDArray[numpy.int32]: ...
    @property
    def expanded(self) -> bool: ...
    @property
    def is_terminal(self) -> bool: ...
    @property
    def lower(self) -> int:
        """
        The result that is proven at least.
        """
    @property
    def m(self) -> float:
        """
        Mean plies left.
        """
    @property
    def prior(self) -> numpy.typing.NDArray[numpy.float32]: ...
    @property
    def prior_effective(self) -> numpy.typing.NDArray[numpy.float32]:
        """
        With the root's noise mixed in.
        """
    @property
    def proven_plies(self) -> int:
        """
        Plies to the end; meaningful when lower == upper.
        """
    @property
    def q(self) -> float: ...
    @property
    def upper(self) -> int:
        """
        The result that is proven at most.
        """
    @property
    def visits(self) -> int: ...

class Searches:
    """
    Independent trees that share one batch, one cache and one set of knobs.

    think(tree, n) gives a budget; then n = gather(planes), the network, apply(...) until
    busy is False.
    """
    def __init__(
        self,
        game: str,
        size: typing.SupportsInt | typing.SupportsIndex,
        params: c4.params.search.SearchParams,
        *,
        cache_megabytes: typing.SupportsFloat | typing.SupportsIndex = 0.0,
        num_threads: typing.SupportsInt | typing.SupportsIndex = 1,
    ) -> None: ...
    def apply(self, policy_logits: numpy.ndarray, value: numpy.ndarray, plies_left: numpy.ndarray) -> None:
        """
        The network's answer, row by row: float32 [n, actions], [n], [n]. Refuses what is not finite.
        """
    def best_action(self, tree: typing.SupportsInt | typing.SupportsIndex) -> int:
        """
        The move to play: a proven one first, else the most visited (by gumbel, the best survivor), the lowest
        action of equals.
        """
    def gather(self, planes: numpy.ndarray) -> int:
        """
        Writes the positions to evaluate and returns how many; 0 is possible.
        """
    def node(
        self,
        tree: typing.SupportsInt | typing.SupportsIndex,
        path: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex],
    ) -> NodeInfo:
        """
        The node that these actions lead to; KeyError when there is none.
        """
    def play(
        self, tree: typing.SupportsInt | typing.SupportsIndex, action: typing.SupportsInt | typing.SupportsIndex
    ) -> None:
        """
        Keeps the subtree when reuse_tree; drops what is left of the budget.
        """
    def policy(
        self, tree: typing.SupportsInt | typing.SupportsIndex, temperature: typing.SupportsFloat | typing.SupportsIndex
    ) -> numpy.typing.NDArray[numpy.float32]:
        """
        float32 [actions]: softmax(log N / T), by gumbel softmax((logit + sigma(q)) / T); proven results respected.
        """
    def position(self, tree: typing.SupportsInt | typing.SupportsIndex) -> Position: ...
    def roll_out(self, seed: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        Spends all budgets as a pure Monte Carlo search: even priors, one random game from each leaf, no network.
        """
    def root(self, tree: typing.SupportsInt | typing.SupportsIndex) -> NodeInfo: ...
    def set_gumbel(
        self,
        tree: typing.SupportsInt | typing.SupportsIndex,
        gumbel: collections.abc.Sequence[typing.SupportsFloat | typing.SupportsIndex],
    ) -> None:
        """
        The same for root_selection=gumbel: draws of the Gumbel distribution.
        """
    def set_noise(
        self,
        tree: typing.SupportsInt | typing.SupportsIndex,
        noise: collections.abc.Sequence[typing.SupportsFloat | typing.SupportsIndex],
    ) -> None:
        """
        One entry for each legal action of the root; lasts until the root changes.
        """
    def set_params(self, params: c4.params.search.SearchParams) -> None:
        """
        On live trees; not while a batch is out.
        """
    def set_position(self, tree: typing.SupportsInt | typing.SupportsIndex, position: Position) -> None:
        """
        A new tree without a budget.
        """
    def stats(self) -> dict[str, int]:
        """
        simulations, evaluations, cache_hits, terminal_hits, proofs, nodes, bytes.
        """
    def stop(self, tree: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        Forgets what is left of the budget; leaves in flight still want their apply.
        """
    def think(
        self, tree: typing.SupportsInt | typing.SupportsIndex, simulations: typing.SupportsInt | typing.SupportsIndex
    ) -> None:
        """
        Adds to the tree's budget.
        """
    def value(self, tree: typing.SupportsInt | typing.SupportsIndex) -> float:
        """
        Of the root: the mean over its simulations, by gumbel the mean over the policy.
        """
    @property
    def busy(self) -> bool:
        """
        Whether a batch is out, or some tree has something left to do.
        """
    @property
    def rows(self) -> int:
        """
        The most rows of a batch: planes are uint8 [rows, C, H, W].
        """
    @property
    def size(self) -> int: ...

class Generator:
    """
    Self-play of many games, in groups that are gathered and applied in turn.

    n = gather(planes, group), the network, apply(..., group), and take_samples() at any time.
    """
    def __init__(
        self,
        game: str,
        search: c4.params.search.SearchParams,
        selfplay: c4.params.selfplay.SelfplayParams,
        *,
        seed: typing.SupportsInt | typing.SupportsIndex,
        first_game: typing.SupportsInt | typing.SupportsIndex = 0,
        game_stride: typing.SupportsInt | typing.SupportsIndex = 1,
        games: typing.SupportsInt | typing.SupportsIndex | None = None,
    ) -> None:
        """
        Plays first_game, first_game + game_stride, ...: `games` of them, or without an end.
        """
    def add_games(
        self, first_game: typing.SupportsInt | typing.SupportsIndex, games: typing.SupportsInt | typing.SupportsIndex
    ) -> None:
        """
        first_game, first_game + 1, ... follow on those of a generator that has an end.
        """
    def apply(
        self,
        policy_logits: numpy.ndarray,
        value: numpy.ndarray,
        plies_left: numpy.ndarray,
        group: typing.SupportsInt | typing.SupportsIndex = 0,
    ) -> None:
        """
        The network's answer, row by row: float32 [n, actions], [n], [n]. Refuses what is not finite.
        """
    def gather(self, planes: numpy.ndarray, group: typing.SupportsInt | typing.SupportsIndex = 0) -> int:
        """
        Writes the positions to evaluate and returns how many; after 0 apply must be called too.
        """
    def restore(self, state: bytes) -> None:
        """
        ValueError when it is not the state of such a generator; then nothing changes.
        """
    def set_openings(
        self, openings: collections.abc.Sequence[collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]]
    ) -> None:
        """
        Lists of actions that games begin with, with book_probability.
        """
    def set_params(self, search: c4.params.search.SearchParams) -> None:
        """
        Not while a batch is out.
        """
    def set_weights_version(self, version: typing.SupportsInt | typing.SupportsIndex) -> None:
        """
        Empties the cache, starts the trees anew and drops leaves in flight; the games go on.
        """
    def state(self) -> bytes:
        """
        Games in flight and counters, to be saved at a change of weights: trees are not part of it.
        """
    def stats(self) -> dict[str, int]:
        """
        games, plies, first_wins, second_wins, draws, samples; and since the generator was made: simulations,
        evaluations, cache_hits, terminal_hits, proofs.
        """
    def take_games(self) -> list[dict[str, typing.Any]]:
        """
        Records of the games that ended: game_id, weights_version, result for the first player; and by ply: actions,
        best (the search's choice, -1 in the opening), root_values (for the side to move, 0 in the opening), flags
        (OPENING_PLY, FULL_SEARCH, SAMPLED_MOVE, WORSE_MOVE, PROVEN_ROOT).
        """
    def take_samples(self) -> numpy.ndarray:
        """
        Of the games that ended: a structured array [n] of sample_dtype(game); value: for the side to move.
        """
    @property
    def groups(self) -> int: ...
    @property
    def rows(self) -> int:
        """
        The most rows of a group's batch: planes are uint8 [rows, C, H, W].
        """
    @property
    def samples_ready(self) -> int: ...

class GomokuSolver:
    """
    Perfect play of k in a row on a square board, for positions given by their actions. It
    remembers what it finds out, in memory that does not grow.
    """
    def __init__(
        self,
        *,
        size: typing.SupportsInt | typing.SupportsIndex,
        in_a_row: typing.SupportsInt | typing.SupportsIndex,
        entries: typing.SupportsInt | typing.SupportsIndex,
    ) -> None:
        """
        ValueError when there is none for such a board. `entries`: positions that are remembered.
        """
    def forced(
        self,
        actions: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex],
        *,
        threes: bool,
        plies: typing.SupportsInt | typing.SupportsIndex,
        nodes: typing.SupportsInt | typing.SupportsIndex,
    ) -> int | None:
        """
        Plies of the shortest win of the side to move by fours alone, or by fours and `threes`: 0 when there is
        none within `plies`, which does not mean that there is no win. None and ValueError as in solve.
        """
    def holds(
        self,
        actions: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex],
        *,
        answers: typing.SupportsInt | typing.SupportsIndex,
        nodes: typing.SupportsInt | typing.SupportsIndex,
    ) -> bool | None:
        """
        Whether it is proven that the side to move does not win: by pairs of cells, after at most `answers` stones
        of the other side in a row of moves. False: not proven, which does not mean that it wins. None and
        ValueError as in solve.
        """
    def solve(
        self,
        actions: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex],
        *,
        nodes: typing.SupportsInt | typing.SupportsIndex,
    ) -> int | None:
        """
        Plies to the end under perfect play: positive when the side to move wins, negative when it loses, 0 for a
        draw. None when that takes more than `nodes`: another call goes on from there. ValueError when the game is
        over or an action is not legal.
        """
    @property
    def bytes(self) -> int:
        """
        Memory of what is remembered.
        """
    @property
    def nodes(self) -> int:
        """
        Positions looked at so far.
        """

def game_names() -> list[str]:
    """
    The registered games, in alphabetical order.
    """

def game_spec(game: str) -> GameSpec:
    """
    ValueError when there is no such game.
    """

def plain_search() -> dict[str, typing.Any]:
    """
    Every knob of a search, as a plain search has it.
    """

def plain_selfplay() -> dict[str, typing.Any]:
    """
    Every knob of self-play, as plain self-play has it.
    """

def sample_dtype(game: str) -> numpy.dtype[typing.Any]:
    """
    A sample as a record: packed and policy are arrays in it. What its fields are: selfplay/sample.h.
    """

def search_ranges() -> dict[str, tuple[float, float]]:
    """
    What each knob of a search may be, from and to.
    """

def selfplay_ranges() -> dict[str, tuple[float, float]]:
    """
    What each knob of self-play may be, from and to.
    """

def symmetry_actions(game: str) -> numpy.typing.NDArray[numpy.int32]:
    """
    table[s, a] is the action that a becomes when the board is seen under symmetry s.
    """

def unpack_planes(game: str, packed: numpy.ndarray, symmetry: numpy.ndarray, planes: numpy.ndarray) -> None:
    """
    Packed positions uint8 [n, packed_bytes], each seen under its own symmetry uint8 [n], written to planes
    uint8 [n, C, H, W].
    """

FULL_SEARCH: int = 2
OPENING_PLY: int = 1
PROVEN_ROOT: int = 16
SAMPLED_MOVE: int = 4
WORSE_MOVE: int = 8
