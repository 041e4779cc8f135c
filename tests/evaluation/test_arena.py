"""Tournaments: points, ratings, the test that stops early, and the two games against perfect play."""

from __future__ import annotations

import dataclasses

import pytest
from tests.evaluation.makers import SEARCH, Judge

from c4.evaluation.arena import duel, tournament
from c4.evaluation.baseline import Curriculum, match_result
from c4.evaluation.games import PlayedGame
from c4.params.arena import ArenaParams
from c4.params.evaluation import BaselineParams
from c4.players.chance import RandomPlayer
from c4.players.network import NetworkPlayer
from c4.players.rollouts import RolloutPlayer
from c4.players.solver import SolverPlayer

ARENA = ArenaParams(
    players=(),
    pairs=12,
    batch_pairs=4,
    opening_plies=2,
    seed=1,
    elo_low=0.0,
    elo_high=100.0,
    error=0.05,
    prior_draws=1.0,
    record=None,
    actors=None,
    address=None,
    actor_cpus=1.0,
    actor_gpus=0.0,
    patience=60.0,
)
GAME = "connect4_4x4"


def _perfect(*, plies: int = 99, probability: float = 1.0) -> SolverPlayer:
    return SolverPlayer(game=GAME, perfect_plies=plies, perfect_probability=probability, seed=1)


def _rollouts(amount: int, *, game: str = GAME) -> RolloutPlayer:
    return RolloutPlayer(game=game, rollouts=amount, seed=1, threads=1)


def test_two_players_stop_as_soon_as_it_is_clear() -> None:
    standings = tournament([_perfect(), RandomPlayer(seed=1)], game=GAME, params=ARENA)
    (meeting,) = standings.as_dict()["meetings"]
    assert meeting["stronger"] == "stronger"
    assert standings.ratings[0].games == 2 * meeting["pairs"] < 24
    assert meeting["difference"]["elo"] > 100
    said = f"solver is 100 rather than 0 Elo stronger than random: yes, after {meeting['pairs']} of at most 12 pairs"
    assert meeting["line"].startswith(said)
    assert "5 % chance of a wrong verdict" in meeting["line"]
    assert standings.ratings[0].elo > 0 > standings.ratings[1].elo


def test_each_batch_of_games_is_handed_over_when_it_is_over() -> None:
    handed: list[int] = []
    params = dataclasses.replace(ARENA, pairs=5, batch_pairs=2, error=0.0)
    tournament([RandomPlayer(seed=1), _rollouts(3)], game=GAME, params=params, on_games=lambda g: handed.append(len(g)))
    assert handed == [4, 4, 2]


def test_without_the_test_every_pair_is_played() -> None:
    params = dataclasses.replace(ARENA, error=0.0)
    standings = tournament([_perfect(), RandomPlayer(seed=1)], game=GAME, params=params)
    (meeting,) = standings.as_dict()["meetings"]
    assert meeting["stronger"] is None
    assert meeting["line"] == "No test was made of solver against random: arena.error is 0."
    seats = [sum(meeting[seat].values()) for seat in ("moving_first", "moving_second")]
    assert seats == [12, 12]


def test_several_players_are_rated_from_all_their_games() -> None:
    players = [_perfect(), _perfect(plies=6), RandomPlayer(seed=1)]
    standings = tournament(players, game=GAME, params=ARENA)
    assert standings.names == ("solver", "solver:last6", "random")
    assert [rating.games for rating in standings.ratings] == [48, 48, 48]
    best, soft, chance = (rating.elo for rating in standings.ratings)
    assert best > soft > chance
    for meeting in standings.meetings:
        assert len({game.actions[:2] for game in meeting.games}) > 1
        firsts = [game.first for game in meeting.games]
        assert firsts.count(meeting.players[0]) == firsts.count(meeting.players[1]) == 12


def test_equal_players_are_rated_equally() -> None:
    one, other = RandomPlayer(seed=1), RandomPlayer(seed=2)
    other.name = "random too"
    standings = tournament([one, other], game=GAME, params=dataclasses.replace(ARENA, pairs=60, error=0.0))
    assert abs(standings.ratings[0].elo) < standings.ratings[0].margin * 2


def test_the_test_says_when_it_cannot_tell() -> None:
    """Alike players: the difference spans zero, and few pairs leave the question open."""
    one, other = RandomPlayer(seed=1), RandomPlayer(seed=2)
    other.name = "random too"
    said: list[str] = []
    few = dataclasses.replace(ARENA, pairs=4, batch_pairs=2)
    standings = tournament([one, other], game=GAME, params=few, on_batch=said.append, on_ply=said.append)
    (meeting,) = standings.as_dict()["meetings"]
    assert meeting["stronger"] == "open"
    assert meeting["line"].startswith(
        "Whether random is 100 rather than 0 Elo stronger than random too is open after 4"
    )
    assert abs(meeting["difference"]["elo"]) < meeting["difference"]["margin"]
    assert said[0] == "random - random too: 0 games finished, 4 being played"
    assert said[-2] == "random - random too: 8 games finished, 0 being played"
    assert said[-1].endswith("of 8 points, 4 of 4 pairs, sequential test: open")


@pytest.mark.parametrize("probability", [0.3, 0.7])
def test_a_softened_solver_lies_between_chance_and_perfect_play(probability: float) -> None:
    params = dataclasses.replace(ARENA, pairs=20, error=0.0)
    soft = _perfect(probability=probability)
    above, below = (
        tournament([first, second], game=GAME, params=params).ratings[0].score
        for first, second in ((_perfect(), soft), (soft, RandomPlayer(seed=1)))
    )
    assert above > 0.5 < below


def test_players_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="different names: random, random"):
        tournament([RandomPlayer(seed=1), RandomPlayer(seed=2)], game=GAME, params=ARENA)


def test_more_rollouts_are_stronger() -> None:
    params = dataclasses.replace(ARENA, pairs=10, error=0.0)
    standings = tournament(
        [_rollouts(300, game="connect4"), _rollouts(10, game="connect4")], game="connect4", params=params
    )
    assert standings.ratings[0].score > 0.8


def test_perfect_play_against_perfect_play_is_a_draw_on_four_by_four() -> None:
    result = duel(_perfect(), game=GAME, seed=2)
    assert (result["first"]["result"], result["second"]["result"]) == (0, 0)
    assert "it draws moving first and draws moving second (a game lasts 16 plies at most)" in result["line"]


def test_the_duel_says_how_long_a_weak_player_holds_out() -> None:
    results = (duel(RandomPlayer(seed=seed), game=GAME, seed=2) for seed in range(20))
    result = next(result for result in results if result["second"]["result"] == -1)
    plies = result["second"]["plies"]
    assert plies % 2 == 1  # perfect play moved first, and last
    assert f"holds out for {plies} plies moving second" in result["line"]


def test_perfect_play_wins_from_the_empty_board_with_the_forty_first_stone() -> None:
    pytest.importorskip("bitbully")
    player = SolverPlayer(game="connect4", perfect_plies=42, perfect_probability=1.0, seed=7)
    result = duel(player, game="connect4", seed=2)
    assert result["first"]["result"] == 1
    assert result["first"]["plies"] == result["second"]["plies"] == 41


def test_where_nobody_knows_perfect_play_the_line_says_so() -> None:
    result = duel(RandomPlayer(seed=3), game="gomoku9", seed=2)
    assert not result["played"]
    assert "not measured (gomoku9: perfect play is not known for it)" in result["line"]


BASELINE = BaselineParams(every=1, games=4, simulations=200, rollouts_first=5, rollouts_step=1000, time_share=1.0)


def test_the_baseline_gets_stronger_when_it_loses_every_game() -> None:
    player = NetworkPlayer(
        name="network",
        game="tictactoe",
        judge=Judge("tictactoe"),
        params=SEARCH,
        simulations=200,
        threads=1,
        cache_megabytes=0,
    )
    weak = Curriculum(params=BASELINE, rollouts=1)
    seeds = (seed for seed in range(100) if weak.match(player, game="tictactoe", seed=seed, threads=1).clean_sweep)
    assert next(seeds, None) is not None
    assert weak.rollouts == 1001
    result = weak.match(player, game="tictactoe", seed=1, threads=1)
    assert result.rollouts == 1001


def test_results_by_colour_and_the_strength_they_make() -> None:
    def game(first: str, result: int) -> PlayedGame:
        return PlayedGame(game="g", first=first, second="x", opening_plies=0, actions=(), result=result)

    games = [game("me", 1), game("it", 0), game("me", 1), game("it", 1)]
    result = match_result(games, name="me", rollouts=2005)
    assert (result.score, result.score_first, result.score_second) == (0.625, 1.0, 0.25)
    assert not result.clean_sweep
    assert result.line(simulations=400) == (
        "Against pure Monte Carlo with 2,005 rollouts per move: 62% of the points with 400 simulations, 100% moving "
        "first (2 won, 0 drawn, 0 lost), 25% moving second (0 won, 1 drawn, 1 lost)."
    )
    assert match_result([game("me", 1), game("it", -1)], name="me", rollouts=5).clean_sweep
    curriculum = Curriculum(params=BASELINE, rollouts=2005)
    assert curriculum.strength(result) == pytest.approx(2.625)  # two levels beaten, and more than half of this one
    beaten = match_result([game("me", 1), game("it", -1)], name="me", rollouts=2005)
    next_level = match_result([game("me", -1), game("it", 1)], name="me", rollouts=3005)
    assert curriculum.strength(beaten) <= curriculum.strength(next_level)
