"""Audits on cases small enough to be told by hand, and one on real games of self-play on a solved board."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from tests.evaluation.makers import SEARCH, Judge, actions, three_positions

from c4.evaluation.audit import (
    Blame,
    GameRecord,
    game_records,
    moves_left_ablation,
    search_audit,
    selfplay_audit,
    simulations_until_right,
    throws,
)
from c4.evaluation.metrics import Judgement
from c4.native import _core
from c4.native._core import FULL_SEARCH, OPENING_PLY, SAMPLED_MOVE
from c4.params.selfplay import SelfplayParams
from c4.players.oracle import oracle

LABELS = three_positions()  # value-preserving: {0, 1}, all, {2, 3}


def test_simulations_until_right() -> None:
    right = np.array(
        [  # four positions at 0, 1, 32 and 600 simulations
            [True, False, True, False],
            [True, False, False, True],
            [True, True, False, False],
            [True, True, True, False],
        ]
    )
    assert simulations_until_right(right, [0, 1, 32, 600]).tolist() == [0, 32, 600, -1]


def test_search_audit() -> None:
    judgements = {
        600: Judgement(action=actions(1, 0, 0)),
        0: Judgement(action=actions(4, 0, 2)),
        32: Judgement(action=actions(0, 0, 2)),
    }
    audit = search_audit(LABELS, judgements)
    assert (audit["from"], audit["to"]) == (0, 600)
    assert (audit["saved"], audit["misled"], audit["right_throughout"], audit["wrong_at_both"]) == (1, 1, 1, 0)
    assert audit["saved_share_of_wrong"]["value"] == 1.0
    assert audit["misled_share_of_right"]["value"] == 0.5
    # Decisive are the first (right from 32 on) and the last (wrong in the end).
    assert [one["share"] for one in audit["until_right"]] == [0.0, 0.5, 0.0]
    assert audit["until_right_median"] == 32
    assert audit["never_right"] == 1


def test_saved_and_misled_are_not_each_other() -> None:
    audit = search_audit(LABELS, {0: Judgement(action=actions(4, 0, 0)), 8: Judgement(action=actions(1, 0, 0))})
    assert (audit["saved"], audit["misled"], audit["right_throughout"], audit["wrong_at_both"]) == (1, 0, 1, 1)


def test_moves_left_ablation() -> None:
    off = Judgement(action=actions(0, 1, 2))  # wins at ply 41, loses at 35
    on = Judgement(action=actions(1, 0, 3))  # wins at ply 37, loses at 39
    result = moves_left_ablation(LABELS, off, on)
    assert result["wins_sooner_by"]["value"] == 4.0
    assert result["loses_later_by"]["value"] == 4.0
    assert result["value_preserving_change"]["value"] == 0.0
    assert result["distance_optimal_change"]["value"] == pytest.approx(2 / 3)
    assert result["other_move"]["value"] == 1.0
    flipped = moves_left_ablation(LABELS, on, off)  # as a utility of the wrong sign would do
    assert flipped["wins_sooner_by"]["value"] == flipped["loses_later_by"]["value"] == -4.0


def test_the_ablation_compares_lengths_only_where_both_keep_the_value() -> None:
    result = moves_left_ablation(LABELS, Judgement(action=actions(0, 1, 2)), Judgement(action=actions(4, 0, 2)))
    assert result["wins_sooner_by"]["count"] == 0
    assert result["loses_later_by"]["value"] == 4.0
    assert result["value_preserving_change"]["value"] == pytest.approx(-1 / 3)


WON, DRAWN, LOST = [1, 0, -1], [0, -1, -1], [-1, -1, -1]


def _record(choices: Sequence[int], best: Sequence[int], flags: Sequence[int], *, result: int = 0) -> GameRecord:
    return GameRecord(actions=choices, best=best, flags=flags, result=result)


def test_who_threw_the_game() -> None:
    scores = [WON, WON, DRAWN, WON, LOST, WON]
    record = _record(
        choices=[1, 1, 1, 1, 2, 0],
        best=[-1, 0, 2, 1, 0, 0],
        flags=[OPENING_PLY, FULL_SEARCH | SAMPLED_MOVE, FULL_SEARCH | SAMPLED_MOVE, FULL_SEARCH, 0, 0],
    )
    found = throws(record, scores, calm={2: 0, 3: 2})
    assert [(one.ply, one.blame) for one in found] == [
        (0, Blame.OPENING),  # a random ply
        (1, Blame.TEMPERATURE),  # the search wanted a right move
        (2, Blame.NOISE),  # what it wanted was wrong, and is right without noise
        (3, Blame.SEARCH),  # wrong without noise too
    ]


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
    truth = oracle("tictactoe")
    asked: list[int] = []

    def calm(histories: Sequence[Sequence[int]]) -> list[int]:
        asked.extend(len(history) for history in histories)
        scores = [truth.scores(history) for history in histories]
        return [max(range(9), key=lambda a: -99 if row[a] is None else row[a]) for row in scores]

    audit = selfplay_audit(game="tictactoe", records=games, truth=truth.scores, calm_search=calm, opening_plies=2)
    assert audit["games"] == len(games)
    # Recount from the definitions, ply by ply.
    thrown = wrong = total = flawless = 0
    for game in games:
        clean = True
        for ply, action in enumerate(game.actions):
            row = truth.scores(game.actions[:ply])
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
    assert audit["blame"]["noise"] == len(asked)  # the calm search was perfect, so noise was to blame each time
    assert sum(one["games"] for one in audit["first_throw"]) == len(games) - flawless
    assert 0 < audit["distinct_openings"] <= 1
    assert 0 < audit["repeated_positions"] < 1


def test_flawless_games_contradict_nothing() -> None:
    truth = oracle("tictactoe")
    played: list[int] = []
    while len(played) < 9:
        scores = truth.scores(played)
        played.append(max(range(9), key=lambda a: -99 if scores[a] is None else scores[a]))
    record = _record(played, played, [FULL_SEARCH] * 9, result=0)
    audit = selfplay_audit(game="tictactoe", records=[record], truth=truth.scores, calm_search=None, opening_plies=2)
    assert audit["flawless"]["value"] == 1.0
    assert {one["share"] for one in audit["contradictions"]} == {0.0}
    assert audit["first_throw"] == []
    upset = dataclasses.replace(record, result=1)  # the same game with a wrong result
    audit = selfplay_audit(game="tictactoe", records=[upset], truth=truth.scores, calm_search=None, opening_plies=2)
    assert {one["share"] for one in audit["contradictions"]} == {1.0}
    assert selfplay_audit(game="tictactoe", records=[], truth=truth.scores, calm_search=None, opening_plies=2) == {
        "games": 0
    }
