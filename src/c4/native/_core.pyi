"""Games, search and self-play in C++: the compiled half of c4. (Contract written by hand first; generated later.)"""
from collections.abc import Sequence
from typing import Any
import numpy as np
from numpy.typing import NDArray

class GameInfo:
    name: str
    title: str           # for people
    planes: int          # input planes of the network: own stones, opponent's stones, all ones if the first player is to move
    height: int
    width: int
    actions: int
    max_plies: int       # longest game; the moves-left head has max_plies + 1 classes
    symmetries: int      # connect4: 2 (identity, mirror); gomoku: 8
    packed_bytes: int    # bytes of a packed position
    in_a_row: int

def game_names() -> list[str]: ...
    # connect4 connect4_4x4 connect4_5x4 connect4_5x5 connect4_6x5 gomoku6 gomoku8 gomoku9 gomoku15 tictactoe
def game_info(game: str) -> GameInfo: ...
def symmetry_actions(game: str) -> NDArray[np.int32]: ...
    # [symmetries, actions]: table[s, a] is the action that a becomes under symmetry s
def unpack_planes(game: str, packed: NDArray[np.uint8], symmetry: NDArray[np.uint8], planes: NDArray[np.uint8]) -> None: ...
    # packed [n, packed_bytes], symmetry [n] -> planes [n, C, H, W] (0/1), written in place; GIL released

class Position:          # immutable
    def __init__(self, game: str, text: str = ...) -> None: ...   # ValueError names the ply and the reason
    @staticmethod
    def from_actions(game: str, actions: Sequence[int]) -> Position: ...
    game: str            # read-only properties from here on
    text: str            # "4453" or "h8 i9"; parses back to the same position
    actions: list[int]   # plies played so far
    ply: int
    legal: list[int]     # empty when terminal
    is_terminal: bool
    value: int           # true result for the side to move: -1 lost, 0 drawn; ValueError when the game is not over
    key: int             # equal positions (same stones, same side to move) have equal keys
    canonical_key: int   # equal up to symmetry
    canonical_symmetry: int   # the symmetry that takes the position to its canonical form
    winning_cells: list[tuple[int, int]]   # (row from the top, column), [] when nobody won
    def play(self, action: int) -> Position: ...
    def action_name(self, action: int) -> str: ...
    def board(self) -> NDArray[np.int8]: ...      # [H, W], row 0 on top: 0 empty, 1 first player's, 2 second player's
    def planes(self) -> NDArray[np.uint8]: ...    # [C, H, W], row 0 on top
    def packed(self) -> NDArray[np.uint8]: ...    # [packed_bytes]

class SearchParams:      # keyword only, every field required; c4.params.SearchParams explains them
    def __init__(self, *, cpuct: float, fpu_reduction: float, mlh_slope: float, mlh_cap: float,
                 noise_epsilon: float, dirichlet_alpha: float, discount: float, num_simulations: int,
                 virtual_loss: float, leaves_per_batch: int, reuse_tree: bool, proven_results: bool,
                 forced_playouts: float, early_stop: bool,
                 temperature_start: float, temperature_end: float, temperature_plies: int,
                 policy_target_temperature: float) -> None: ...

class SelfplayParams:
    def __init__(self, *, games_per_group: int, groups: int, num_threads: int, cache_entries: int,
                 full_search_probability: float, fast_simulations: int,
                 random_opening_probability: float, random_opening_plies: int,
                 book_probability: float) -> None: ...

class NodeInfo:          # one node of a tree and its children; arrays are copies, one entry per child, lowest action first
    visits: int; q: float; m: float; lower: int; upper: int; proven_plies: int; is_terminal: bool; expanded: bool
    actions: NDArray[np.int32]; child_visits: NDArray[np.int32]
    child_q: NDArray[np.float32]       # for the side to move in the CHILD (native/value.h)
    child_m: NDArray[np.float32]; prior: NDArray[np.float32]
    prior_effective: NDArray[np.float32]   # with root noise mixed in; equals prior below the root
    child_lower: NDArray[np.int32]; child_upper: NDArray[np.int32]; child_proven_plies: NDArray[np.int32]

class Searches:
    """`size` independent trees that share one batch, one cache and one set of knobs."""
    def __init__(self, game: str, size: int, params: SearchParams, *, cache_entries: int = ..., num_threads: int = ...) -> None: ...
    rows: int            # most rows that gather can fill: buffers are planes uint8 [rows, C, H, W]
    size: int
    def set_params(self, params: SearchParams) -> None: ...      # on live trees
    def set_position(self, tree: int, position: Position) -> None: ...   # starts a new tree, no budget yet
    def position(self, tree: int) -> Position: ...
    def play(self, tree: int, action: int) -> None: ...           # keeps the subtree when reuse_tree
    def set_noise(self, tree: int, noise: NDArray[np.float32]) -> None: ...  # one entry per child of the root (legal action); lasts until the root changes
    def think(self, tree: int, simulations: int) -> None: ...     # adds to the tree's budget
    def stop(self, tree: int) -> None: ...                        # forgets what is left of the budget
    def gather(self, planes: NDArray[np.uint8]) -> int: ...       # n rows written; 0 with busy==False means all budgets are spent
    def apply(self, policy_logits: NDArray[np.float32], value: NDArray[np.float32], plies_left: NDArray[np.float32]) -> None: ...
    busy: bool           # some tree has budget left
    def clear_cache(self) -> None: ...
    def root(self, tree: int) -> NodeInfo: ...
    def node(self, tree: int, path: Sequence[int]) -> NodeInfo: ...     # children by action from the root; KeyError when not in the tree
    def policy(self, tree: int, temperature: float) -> NDArray[np.float32]: ...  # [actions] softmax(log N / T); proven moves respected
    def best_action(self, tree: int) -> int: ...                  # the move to play: proven first, then most visited, ties to the lowest action
    def stats(self) -> dict[str, int]: ...                        # simulations, evaluations, cache_hits, terminal_hits, nodes, bytes

class Generator:
    """Self-play of many games, in `groups` that are gathered and applied in turn."""
    def __init__(self, game: str, search: SearchParams, selfplay: SelfplayParams, *, seed: int, first_game: int = ..., game_stride: int = ...) -> None: ...
    groups: int
    rows: int            # most rows of one group's gather
    def gather(self, planes: NDArray[np.uint8], group: int = ...) -> int: ...     # may return 0; apply must still be called
    def apply(self, policy_logits: NDArray[np.float32], value: NDArray[np.float32], plies_left: NDArray[np.float32], group: int = ...) -> None: ...
    samples_ready: int
    def take_samples(self) -> dict[str, NDArray[Any]]: ...
        # packed u8 [n, B], policy f32 [n, A], result i8 [n] (-1/0/1, side to move), plies_left i16 [n], root_value f32 [n],
        # ply i16 [n], game_id i64 [n], weights_version i32 [n]
    def take_games(self) -> list[dict[str, Any]]: ...
        # game_id, actions list[int], best list[int] (greedy choice of the search at each ply; -1 for random opening plies),
        # flags list[int] per ply (1 random opening, 2 full search, 4 sampled move differs from best), result (first player's: 1/0/-1), weights_version
    def stats(self) -> dict[str, int]: ...   # games, plies, simulations, evaluations, cache_hits, terminal_hits, first_wins, second_wins, draws, samples
    def set_params(self, search: SearchParams) -> None: ...
    def set_weights_version(self, version: int) -> None: ...  # empties the cache; trees of games in flight start anew; leaves in flight are dropped
    def set_openings(self, openings: Sequence[Sequence[int]]) -> None: ...  # book used with book_probability
    def state(self) -> bytes: ...            # at a change of weights: moves and samples of games in flight, counters
    def restore(self, state: bytes) -> None: ...

class RolloutSearch: ...
    # pure Monte Carlo baseline: Searches with uniform priors and one random rollout per leaf, no network:
    # RolloutSearch(game, params: SearchParams, seed: int); set_position, play, think(simulations) runs them (GIL released), root(), best_action(), policy(T)
