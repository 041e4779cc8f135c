"""The figures of a generation, computed by hand."""

from __future__ import annotations

from c4.callbacks.log_generation import game_figures, rates


def test_rates_are_per_second_of_playing() -> None:
    counters = {"games": 10, "simulations": 4000, "evaluations": 300, "cache_hits": 100, "proofs": 100}
    assert rates(counters, seconds=2.0, samples=50) == {
        "selfplay/games_per_second": 5.0,
        "selfplay/samples_per_second": 25.0,
        "selfplay/simulations_per_second": 2000.0,
        "selfplay/evaluations_per_second": 150.0,
        "selfplay/cache_hit_share": 0.25,
        "selfplay/proof_share": 0.2,
    }


def test_games_are_described_by_length_and_result() -> None:
    games = [
        {"actions": [0, 1, 2, 3], "result": 1},
        {"actions": [0, 1, 3], "result": 0},
        {"actions": [1, 1], "result": -1},
        {"actions": [0, 1, 2], "result": 1},
    ]
    assert game_figures(games) == {
        "selfplay/game_length": 3.0,
        "selfplay/first_win_share": 0.5,
        "selfplay/draw_share": 0.25,
    }
    assert game_figures([]) == {}
