"""Players one by one: legal, seeded, as strong or as soft as they say."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest
from tests.evaluation.makers import SEARCH, HashJudge, Judge

from c4.invocation import install
from c4.native._core import Position
from c4.players import oracle as oracle_module
from c4.players.chance import RandomPlayer
from c4.players.forest import Forest, as_played
from c4.players.network import NetworkPlayer
from c4.players.oracle import NoOracleError, has_oracle, oracle
from c4.players.player import Player
from c4.players.rollouts import RolloutPlayer
from c4.players.solver import SolverPlayer
from c4.reference.solver import GameOverError

GAME = "connect4_4x4"


def _network(*, simulations: int, judge: Judge | None = None) -> NetworkPlayer:
    return NetworkPlayer(
        name="network",
        game="connect4",
        judge=judge or HashJudge(),
        params=SEARCH,
        simulations=simulations,
        threads=1,
        cache_megabytes=0.0625,
    )


def _positions(game: str = GAME) -> dict[int, Position]:
    rng, found = random.Random(4), {}
    for slot in range(0, 40, 3):  # slots with gaps, as when some games have ended
        position = Position(game)
        for _ in range(slot % 7):
            position = position.play(rng.choice(position.legal))
        if not position.is_terminal:
            found[slot] = position
    return found


def _solver(**changes: float) -> SolverPlayer:
    knobs = {"perfect_plies": 99, "perfect_probability": 1.0, "seed": 5} | changes
    return SolverPlayer(
        game=GAME,
        perfect_plies=int(knobs["perfect_plies"]),
        perfect_probability=knobs["perfect_probability"],
        seed=int(knobs["seed"]),
    )


def _keeps(position: Position, action: int) -> bool:
    scores = oracle(position.game).scores(position.actions)
    return scores[action] == max(score for score in scores if score is not None)


@pytest.mark.parametrize(
    "player",
    [RandomPlayer(seed=1), RolloutPlayer(game=GAME, rollouts=20, seed=1, threads=2), _solver()],
    ids=lambda player: player.name,
)
def test_every_slot_gets_a_legal_move_and_the_same_again(player: Player) -> None:
    positions = _positions()
    player.begin(40)
    chosen = player.choose(positions)
    assert chosen.keys() == positions.keys()
    assert all(action in positions[slot].legal for slot, action in chosen.items())


def test_chance_depends_on_seed_slot_and_round() -> None:
    def game(seed: int, *, rounds: int) -> list[dict[int, int]]:
        player = RandomPlayer(seed=seed)
        rows = []
        for _ in range(rounds):
            player.begin(40)
            rows.append(player.choose({slot: Position("gomoku9") for slot in range(10)}))
        return rows

    assert game(1, rounds=2) == game(1, rounds=2)
    assert game(1, rounds=1) != game(2, rounds=1)
    first, second = game(1, rounds=2)
    assert first != second
    assert len(set(first.values())) > 1


def test_the_solver_plays_the_fastest_win_and_the_slowest_loss() -> None:
    player = _solver()
    player.begin(40)
    positions = _positions()
    assert all(_keeps(positions[slot], action) for slot, action in player.choose(positions).items())


def _share_of_perfect_moves(player: SolverPlayer, position: Position) -> float:
    player.begin(300)
    chosen = player.choose(dict.fromkeys(range(300), position))
    return sum(_keeps(position, action) for action in chosen.values()) / 300


def test_the_solver_can_be_softened() -> None:
    position = Position(GAME, "2233")  # two of its four moves lose
    scores = oracle(GAME).scores(position.actions)
    best = max(score for score in scores if score is not None)
    chance = scores.count(best) / len(position.legal)
    assert chance < 1
    assert _share_of_perfect_moves(_solver(), position) == 1.0
    assert _share_of_perfect_moves(_solver(perfect_probability=0.5), position) == pytest.approx(
        0.5 + 0.5 * chance, abs=0.1
    )
    assert _share_of_perfect_moves(_solver(perfect_plies=12), position) == 1.0  # twelve cells are empty
    assert _share_of_perfect_moves(_solver(perfect_plies=11), position) == pytest.approx(chance, abs=0.1)


def test_rollouts_see_a_win_at_once_and_stop_one() -> None:
    player = RolloutPlayer(game="connect4", rollouts=300, seed=1, threads=1)
    player.begin(2)
    chosen = player.choose({0: Position("connect4", "112233"), 1: Position("connect4", "1122337")})
    assert chosen == {0: 3, 1: 3}


def test_the_bare_network_takes_its_likeliest_legal_move() -> None:
    class Right(Judge):
        def evaluate(self, planes):  # type: ignore[no-untyped-def]
            _, value, left = super().evaluate(planes)
            return np.tile(np.arange(7, dtype=np.float32), (len(planes), 1)), value, left

    player = _network(simulations=0, judge=Right())
    player.begin(2)
    assert player.choose({0: Position("connect4"), 5: Position("connect4", "777777")}) == {0: 6, 5: 5}


def test_a_network_that_was_not_told_to_begin_says_so() -> None:
    with pytest.raises(RuntimeError, match="begin was not called"):
        _network(simulations=5).choose({0: Position("connect4")})


def test_a_tree_follows_its_game_and_keeps_what_it_knows() -> None:
    judge = HashJudge()
    forest = Forest(game="connect4", size=3, params=as_played(SEARCH), judge=judge, threads=1, cache_megabytes=0)
    position = Position("connect4", "44")
    forest.follow(1, position)
    forest.think(1, 200)
    forest.run()
    assert forest.root(1).visits == 200
    best = forest.best_action(1)
    after = position.play(best)
    kept = int(forest.root(1).child_visits[forest.root(1).actions.tolist().index(best)])
    forest.follow(1, after)
    assert forest.root(1).visits == kept > 10
    for other in ("1234", "12"):  # another game, longer or shorter: nothing is known of it
        forest.follow(1, Position("connect4", other))
        assert forest.root(1).visits == 0
        forest.think(1, 20)
        forest.run()
        assert forest.root(1).visits == 20
    assert forest.root(0).visits == forest.root(2).visits == 0


def test_budgets_are_kept_to_in_both_groups() -> None:
    forest = Forest(
        game="connect4", size=5, params=as_played(SEARCH), judge=HashJudge(), threads=2, cache_megabytes=0.25
    )
    for tree in range(5):
        forest.set_position(tree, Position("connect4", str(tree + 1)))
        forest.think(tree, 10 * tree)
    forest.run()
    assert [forest.root(tree).visits for tree in range(5)] == [0, 10, 20, 30, 40]


def test_what_serves_self_play_only_is_left_out() -> None:
    played = as_played(SEARCH)
    assert (played.noise_epsilon, played.forced_visits, played.early_stop) == (0.0, 0.0, False)
    assert (played.cpuct, played.proven_results) == (SEARCH.cpuct, SEARCH.proven_results)


def test_who_knows_the_truth() -> None:
    assert has_oracle("connect4")
    assert has_oracle("tictactoe")
    assert has_oracle("connect4_6x5")
    assert has_oracle("gomoku6")
    assert not has_oracle("gomoku8")
    with pytest.raises(NoOracleError, match="gomoku8: perfect play is not known for it"):
        oracle("gomoku8")
    with pytest.raises(NoOracleError, match="gomoku6: 31 cells are empty, the solver takes up to 30"):
        oracle("gomoku6").value([0, 5, 10, 15, 20])
    with pytest.raises(NoOracleError, match="connect4_6x5: 30 cells are empty, the solver takes up to 25"):
        oracle("connect4_6x5").scores([])
    with pytest.raises(GameOverError):
        oracle(GAME).scores([0, 1, 0, 1, 0, 1, 0])


def test_a_missing_solver_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    oracle.cache_clear()
    monkeypatch.setitem(sys.modules, "bitbully", None)
    with pytest.raises(NoOracleError, match=re.escape(f"BitBully, which is not installed: {install('solver')}")):
        oracle("connect4")
    oracle.cache_clear()


def test_the_large_boards_oracle_refuses_what_cannot_be_played() -> None:
    pytest.importorskip("bitbully")
    truth = oracle("connect4")
    with pytest.raises(ValueError, match="ply 7: action 3 is not legal"):
        truth.scores([3] * 7)
    with pytest.raises(ValueError, match="ply 8: the game is already over"):
        truth.scores([0, 1, 0, 1, 0, 1, 0, 1])
    with pytest.raises(GameOverError, match="over after ply 7"):
        truth.scores([0, 1, 0, 1, 0, 1, 0])
    assert truth.scores([3] * 6)[3] is None


@pytest.mark.parametrize("game", ["connect4", "connect4_4x4", "tictactoe"])
def test_the_value_of_a_position_is_the_sign_of_its_best_score(game: str) -> None:
    if game == "connect4":
        pytest.importorskip("bitbully")
    rng, truth = random.Random(6), oracle(game)
    for _ in range(15):
        position = Position(game)
        while not position.is_terminal:
            if game != "connect4" or position.ply > 20:
                best = max(score for score in truth.scores(position.actions) if score is not None)
                assert truth.value(position.actions) == (best > 0) - (best < 0)
            position = position.play(rng.choice(position.legal))
        assert truth.value(position.actions) == position.value


def test_the_solver_that_is_an_extra_is_known_to_one_file() -> None:
    sources = Path(oracle_module.__file__).parents[1]
    importers = [path.name for path in sources.rglob("*.py") if re.search(r"(import|from) bitbully", path.read_text())]
    assert importers == ["oracle.py"]
