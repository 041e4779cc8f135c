"""Value traces of real games against their specification, and what they are to do about blunders and proofs."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from tests.native.test_generator import SEARCH, new_generator, play, samples_by_game

from c4.native import _core
from c4.reference.trace import Ply, ValueTrace, value_traces

BLUNDERING = dataclasses.replace(SEARCH, temperature_start=3.0, temperature_end=3.0)
OPENINGS = {"random_opening_probability": 0.5, "random_opening_plies": 4, "full_search_probability": 0.5}


def expected_traces(record: dict[str, Any], *, trace_lambda: float) -> list[ValueTrace | None]:
    """By ply, none for the plies of the opening."""
    flags, plies = record["flags"], len(record["actions"])
    opening = sum(1 for each in flags if each & _core.OPENING_PLY)
    searched = [
        Ply(
            root_value=record["root_values"][ply],
            proven=bool(flags[ply] & _core.PROVEN_ROOT),
            worse=bool(flags[ply] & _core.WORSE_MOVE),
        )
        for ply in range(opening, plies)
    ]
    last = record["result"] if plies % 2 == 0 else -record["result"]
    return [*([None] * opening), *value_traces(searched, last_result=last, trace_lambda=trace_lambda)]


@pytest.mark.parametrize("game", ["connect4_5x4", "tictactoe", "gomoku6"])
@pytest.mark.parametrize("proven", [False, True])
@pytest.mark.parametrize("trace_lambda", [0.0, 0.7, 0.95, 1.0])
def test_native_traces_are_those_of_the_specification(game: str, proven: bool, trace_lambda: float) -> None:
    search = dataclasses.replace(BLUNDERING, proven_results=proven)
    generator = new_generator(game=game, search=search, value_trace=trace_lambda, trace_tolerance=0.1, **OPENINGS)
    samples, games = play(generator, games=12, game=game)
    traces = {number: expected_traces(record, trace_lambda=trace_lambda) for number, record in games.items()}
    seen = {"cut": 0, "kept": 0, "proven": 0}
    for row in range(len(samples["ply"])):
        number, ply = int(samples["game_id"][row]), int(samples["ply"][row])
        trace = traces[number][ply]
        assert trace is not None
        assert samples["outcome"][row] == trace.outcome
        assert samples["outcome_share"][row].tobytes() == trace.outcome_share.tobytes()
        assert samples["bootstrap"][row].tobytes() == trace.bootstrap.tobytes()
        assert games[number]["root_values"][ply] == samples["root_value"][row]
        flags = games[number]["flags"][ply]
        kind = "proven" if flags & _core.PROVEN_ROOT else "cut" if flags & _core.WORSE_MOVE else "kept"
        seen[kind] += 1
    assert seen["cut"] > 0
    assert seen["kept"] > 0
    assert (seen["proven"] > 0) is proven


def test_a_trace_is_the_recursion_it_is_said_to_be() -> None:
    """G = (1 - lambda) * root value + lambda * -(G of the next ply); where a worse move was played, the root value."""
    stream = np.random.default_rng(5)
    plies = [
        Ply(root_value=float(stream.uniform(-1, 1)), proven=False, worse=bool(stream.random() < 0.2)) for _ in range(30)
    ]
    assert {ply.worse for ply in plies} == {False, True}
    traces = value_traces(plies, last_result=-1, trace_lambda=0.9)
    following = -1.0
    for ply, trace in zip(reversed(plies), reversed(traces), strict=True):
        following = ply.root_value if ply.worse else 0.1 * ply.root_value - 0.9 * following
        assert trace.outcome_share * trace.outcome + trace.bootstrap == pytest.approx(following, abs=1e-6)


def test_a_blunder_says_nothing_of_the_plies_before_it() -> None:
    """The side to move at ply 1 throws a won game away; ply 0, for the other side, is still worth what it was."""
    calm = Ply(root_value=-0.9, proven=False, worse=False)
    blunder = Ply(root_value=0.9, proven=False, worse=True)
    after = Ply(root_value=0.2, proven=False, worse=False)
    first, second, third = value_traces([calm, blunder, after], last_result=-1, trace_lambda=1.0)
    assert (third.outcome_share * third.outcome, third.bootstrap) == (1, 0)  # who lost at the end was the other side
    assert (second.outcome_share, second.bootstrap) == (0, np.float32(0.9))
    assert (first.outcome_share, first.bootstrap) == (0, np.float32(-0.9))


def test_what_is_proven_ends_the_trace() -> None:
    proven = Ply(root_value=0.0, proven=True, worse=True)
    before = Ply(root_value=0.6, proven=False, worse=False)
    first, second = value_traces([before, proven], last_result=-1, trace_lambda=0.5)
    assert (second.outcome, second.outcome_share, second.bootstrap) == (0, 1, 0)
    assert (first.outcome, first.outcome_share, first.bootstrap) == (0, 0.5, np.float32(0.3))


def test_without_traces_the_outcome_is_the_result() -> None:
    samples, _ = play(new_generator(search=BLUNDERING), games=20)
    assert np.array_equal(samples["outcome"], samples["result"])
    assert set(samples["outcome_share"]) == {1.0}
    assert set(samples["bootstrap"]) == {0.0}


def test_traces_change_nothing_else() -> None:
    plain, games = play(new_generator(search=BLUNDERING), games=20)
    traced, same_games = play(new_generator(search=BLUNDERING, value_trace=0.9), games=20)
    assert games == same_games
    for name in set(plain.dtype.names or ()) - {"outcome", "outcome_share", "bootstrap"}:
        assert plain[name].tobytes() == traced[name].tobytes(), name


def test_a_generous_tolerance_cuts_at_moves_that_were_not_looked_at_only() -> None:
    kept = {}
    for tolerance in (0.0, 2.0):
        generator = new_generator(search=BLUNDERING, value_trace=1.0, trace_tolerance=tolerance)
        _, games = play(generator, games=20)
        flags = np.concatenate([record["flags"] for record in games.values()])
        kept[tolerance] = int((flags & _core.WORSE_MOVE > 0).sum())
        assert ((flags & _core.SAMPLED_MOVE > 0) >= (flags & _core.WORSE_MOVE > 0)).all()
    assert kept[0.0] > 20
    assert kept[2.0] == 0


def test_a_restored_generator_makes_the_same_traces() -> None:
    first = new_generator(search=BLUNDERING, value_trace=0.8, **OPENINGS)
    play(first, games=10)
    first.set_weights_version(1)
    state = first.state()
    expected, expected_games = play(first, games=30)
    second = new_generator(search=BLUNDERING, value_trace=0.8, **OPENINGS)
    second.restore(state)
    found, found_games = play(second, games=30)
    assert found_games == expected_games
    assert samples_by_game(found) == samples_by_game(expected)
