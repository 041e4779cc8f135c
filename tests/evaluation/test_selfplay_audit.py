"""Who threw a game: told by hand, and recounted on real games of self-play on a solved board."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from tests.evaluation.makers import SEARCH, Judge

from c4.evaluation.selfplay_audit import Blame, GameRecord, game_records, selfplay_audit
from c4.native import _core
from c4.native._core import FULL_SEARCH, OPENING_PLY, SAMPLED_MOVE
from c4.params.selfplay import SelfplayParams
from c4.players.oracle import oracle

TRUTH = oracle("tictactoe")


def _record(choices: Sequence[int], best: Sequence[int], flags: Sequence[int], *, result: int = 0) -> GameRecord:
    return GameRecord(actions=choices, best=best, flags=flags, result=result)


# A game in a world where action 0 keeps the value and every other one gives it away, if there is any to give.
def _worth(actions: Sequence[int]) -> int:
    value = 1
    for action in actions:
        value = -value if action == 0 else -(value - 1 if value > -1 else value)
    return value


def test_who_threw_the_game() -> None:
    # For the side to move: won, so 1 gives a draw; drawn for the other, who gives it away with 1; and so on.
    assert [_worth([]), _worth([1]), _worth([1, 1]), _worth([1, 1, 0])] == [1, 0, 1, -1]
    cases = {
        Blame.OPENING: (-1, OPENING_PLY, 0),
        Blame.TEMPERATURE: (0, FULL_SEARCH | SAMPLED_MOVE, 0),  # the search wanted the right move
        Blame.NOISE: (2, FULL_SEARCH | SAMPLED_MOVE, 0),  # it wanted another wrong one, and does not without noise
        Blame.SEARCH: (1, FULL_SEARCH, 1),  # it is wrong without noise too
    }
    for blame, (best, flags, calm) in cases.items():
        audit = selfplay_audit(
            game="tictactoe",
            records=[_record([1], [best], [flags])],
            value=_worth,
            calm_search=lambda histories, choice=calm: [choice] * len(histories),
            opening_plies=2,
        )
        assert audit["blame"] == {one.value: int(one is blame) for one in Blame}
        assert audit["first_throw"] == [{"ply": 0, "games": 1}]


def test_moves_without_noise_are_not_searched_again() -> None:
    def never(histories: Sequence[Sequence[int]]) -> Sequence[int]:
        raise AssertionError(histories)

    quick = _record([1], [1], [0])  # searched with a few simulations only, without noise
    audit = selfplay_audit(game="tictactoe", records=[quick], value=_worth, calm_search=never, opening_plies=2)
    assert audit["blame"]["search"] == 1


def test_a_lost_position_cannot_be_thrown_and_later_throws_count_too() -> None:
    game = _record([1, 1, 1], [1, 1, 1], [0, 0, 0], result=1)
    audit = selfplay_audit(game="connect4", records=[game], value=_worth, calm_search=None, opening_plies=2)
    assert audit["throws_per_game"] == 3.0  # 1 -> 0, 0 -> -1, and the other's 1 -> 0
    assert audit["first_throw"] == [{"ply": 0, "games": 1}]
    # Worth to the side to move 1, 0, 1 at plies 0, 1, 2; the first player won: 1, -1, 1.
    assert [one["share"] for one in audit["contradictions"]] == [0.0, 1.0, 0.0]


def test_real_games_of_a_network_that_knows_nothing() -> None:
    params = dataclasses.replace(SEARCH, num_simulations=8, temperature_start=1.0, temperature_end=1.0)
    selfplay = SelfplayParams(
        games_per_group=8,
        groups=1,
        num_threads=1,
        cache_entries=0,
        full_search_probability=0.5,
        fast_simulations=4,
        random_opening_probability=0.5,
        random_opening_plies=4,
        book_probability=0.0,
        value_trace=None,
        trace_tolerance=0.05,
    )
    generator = _core.Generator(
        "tictactoe",
        _core.SearchParams(**dataclasses.asdict(params)),
        _core.SelfplayParams(**dataclasses.asdict(selfplay)),
        seed=3,
    )
    info, judge = _core.game_info("tictactoe"), Judge("tictactoe")
    planes = np.zeros((generator.rows, info.planes, info.height, info.width), np.uint8)
    games: list[GameRecord] = []
    while len(games) < 60:
        rows = generator.gather(planes)
        generator.apply(*judge.evaluate(planes[:rows]))
        games += game_records(generator.take_games())
    asked: list[int] = []

    def calm(histories: Sequence[Sequence[int]]) -> list[int]:
        asked.extend(len(history) for history in histories)
        scores = [TRUTH.scores(history) for history in histories]
        return [max(range(9), key=lambda a: -99 if row[a] is None else row[a]) for row in scores]

    audit = selfplay_audit(game="tictactoe", records=games, value=TRUTH.value, calm_search=calm, opening_plies=2)
    assert audit["games"] == len(games)
    # Recount from the scores of all moves, ply by ply.
    thrown = wrong = total = flawless = 0
    for game in games:
        clean = True
        for ply, action in enumerate(game.actions):
            row = TRUTH.scores(game.actions[:ply])
            best = max(score for score in row if score is not None)
            kept = row[action] is not None and np.sign(row[action]) == np.sign(best)
            thrown += not kept
            clean &= bool(kept)
            total += 1
            wrong += int(np.sign(best)) != (game.result if ply % 2 == 0 else -game.result)
        flawless += clean
    assert sum(audit["blame"].values()) == thrown > 0
    assert audit["flawless"]["value"] == pytest.approx(flawless / len(games))
    assert sum(round(one["share"] * one["games"]) for one in audit["contradictions"]) == wrong > 0
    assert sum(one["games"] for one in audit["contradictions"]) == total
    assert audit["blame"]["opening"] > 0
    assert audit["blame"]["temperature"] > 0
    assert audit["blame"]["noise"] == len(asked) > 0  # the calm search was perfect, so noise was to blame each time
    assert sum(one["games"] for one in audit["first_throw"]) == len(games) - flawless
    assert 0 < audit["distinct_openings"] <= 1
    assert 0 < audit["repeated_positions"] < 1


def test_flawless_games_contradict_nothing() -> None:
    played: list[int] = []
    while len(played) < 9:
        scores = TRUTH.scores(played)
        played.append(max(range(9), key=lambda a: -99 if scores[a] is None else scores[a]))
    record = _record(played, played, [FULL_SEARCH] * 9, result=0)
    audit = selfplay_audit(game="tictactoe", records=[record], value=TRUTH.value, calm_search=None, opening_plies=2)
    assert audit["flawless"]["value"] == 1.0
    assert {one["share"] for one in audit["contradictions"]} == {0.0}
    assert audit["first_throw"] == []
    upset = dataclasses.replace(record, result=1)  # the same game with a wrong result
    audit = selfplay_audit(game="tictactoe", records=[upset], value=TRUTH.value, calm_search=None, opening_plies=2)
    assert {one["share"] for one in audit["contradictions"]} == {1.0}
    nothing = selfplay_audit(game="tictactoe", records=[], value=TRUTH.value, calm_search=None, opening_plies=2)
    assert nothing == {"games": 0}
