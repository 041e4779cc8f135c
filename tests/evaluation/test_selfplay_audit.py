"""Who threw a game: told by hand, and recounted on real games of self-play on a solved board."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluation.makers import SEARCH, Judge
from tests.replay.made_up import sample

from c4.evaluation.selfplay_audit import (
    Blame,
    GameRecord,
    audit_figures,
    game_records,
    selfplay_audit,
    spread,
    together,
)
from c4.native import _core
from c4.native._core import FULL_SEARCH, OPENING_PLY, SAMPLED_MOVE
from c4.native.knobs import plain_selfplay
from c4.players.oracle import oracle
from c4.replay.samples import Samples
from c4.run.folder import RunFolder
from c4.run.kept import AuditError, keep_audit, read_audits

TRUTH = oracle("tictactoe")


def _record(choices: Sequence[int], best: Sequence[int], flags: Sequence[int], *, result: int = 0) -> GameRecord:
    return GameRecord(game_id=5, actions=choices, best=best, flags=flags, result=result)


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
        expected = {one.value: int(one is blame) for one in Blame}
        assert [(row["ply"], row["throws"], row["first_throws"]) for row in audit["plies"]] == [(0, expected, expected)]


def test_moves_without_noise_are_not_searched_again() -> None:
    def never(histories: Sequence[Sequence[int]]) -> Sequence[int]:
        raise AssertionError(histories)

    quick = _record([1], [1], [0])  # searched with a few simulations only, without noise
    audit = selfplay_audit(game="tictactoe", records=[quick], value=_worth, calm_search=never, opening_plies=2)
    assert audit["plies"][0]["throws"]["search"] == 1


def test_a_lost_position_cannot_be_thrown_and_later_throws_count_too() -> None:
    game = _record([1, 1, 1], [1, 1, 1], [0, 0, 0], result=1)
    audit = selfplay_audit(game="connect4", records=[game], value=_worth, calm_search=None, opening_plies=2)
    assert [row["throws"]["search"] for row in audit["plies"]] == [1, 1, 1]  # 1 -> 0, 0 -> -1, the other's 1 -> 0
    assert [row["first_throws"]["search"] for row in audit["plies"]] == [1, 0, 0]
    # Worth to the side to move 1, 0, 1 at plies 0, 1, 2; the first player won: 1, -1, 1.
    assert [(row["games"], row["contradicted"]) for row in audit["plies"]] == [(1, 0), (1, 1), (1, 0)]
    figures = audit_figures(audit)
    assert figures["throws_per_game"] == figures["blame_search"] == 3.0
    assert figures["first_throw_search"] == 1.0
    assert figures["contradictions"] == pytest.approx(1 / 3)
    assert figures["flawless_games"] == 0.0


def _sample(ply: int, *, game_id: int = 5, result: int = 1, root: float = 0.5, **trace: float) -> Samples:
    return sample(ply=ply, game_id=game_id, result=result, root_value=root, **trace)


def test_targets_against_the_truth_by_ply() -> None:
    game = _record([1, 1, 1], [1, 1, 1], [FULL_SEARCH, 0, FULL_SEARCH], result=1)  # worth 1, 0, 1 to the side to move
    samples = np.concatenate(
        [
            _sample(0, result=1, root=-0.5, outcome=-1, outcome_share=0.5, bootstrap=0.25),  # trace -0.25
            _sample(1, result=-1, root=0.5),  # a drawn position has no sign to be missed
            _sample(2, result=1, root=0.0, outcome_share=0.0, bootstrap=0.5),  # no sign at all is a wrong one
            _sample(0, game_id=6),  # of a game that is not audited
        ]
    )
    audit = selfplay_audit(
        game="connect4", records=[game], value=_worth, calm_search=None, opening_plies=2, samples=samples
    )
    counts = [
        {name: (one["samples"], one["settled"], one["wrong_sign"], one["squared_error"]) for name, one in found.items()}
        for found in (row["targets"] for row in audit["plies"])
    ]
    assert counts == [
        {"result": (1, 1, 0, 0.0), "root_value": (1, 1, 1, 2.25), "trace": (1, 1, 1, 1.5625)},
        {"result": (1, 0, 0, 1.0), "root_value": (1, 0, 0, 0.25), "trace": (1, 0, 0, 1.0)},
        {"result": (1, 1, 0, 0.0), "root_value": (1, 1, 1, 1.0), "trace": (1, 1, 0, 0.25)},
    ]
    figures = audit_figures(audit)
    assert (figures["result_wrong_sign"], figures["root_value_wrong_sign"], figures["trace_wrong_sign"]) == (0, 1, 0.5)
    assert figures["result_error"] == pytest.approx(1 / 3)
    assert figures["root_value_error"] == pytest.approx(3.5 / 3)


def test_audits_add_up() -> None:
    one = _record([1, 1, 1], [1, 1, 1], [FULL_SEARCH] * 3, result=1)
    other = dataclasses.replace(_record([0, 1], [0, 1], [FULL_SEARCH] * 2, result=-1), game_id=6)
    samples = np.concatenate([_sample(0), _sample(2, result=-1), _sample(1, game_id=6)])

    def audit(*records: GameRecord) -> dict[str, Any]:
        return selfplay_audit(
            game="connect4", records=records, value=_worth, calm_search=None, opening_plies=2, samples=samples
        )

    summed, whole = together([audit(one), audit(other)]), audit(one, other)
    assert whole.pop("repeated") == 1  # both begin from the empty board, which only they together know
    assert summed.pop("repeated") == 0
    assert summed == whole
    assert together([]) == {"games": 0, "positions": 0, "repeated": 0, "openings": 0, "flawless": 0, "plies": []}
    assert audit_figures(together([])) == {}


def test_a_run_keeps_an_audit_a_generation(tmp_path: Path) -> None:
    (tmp_path / "run" / "checkpoints").mkdir(parents=True)
    folder = RunFolder(path=tmp_path / "run")
    assert read_audits(folder) == {}
    audits = {
        generation: selfplay_audit(
            game="connect4",
            records=[_record([1, 1], [1, 1], [0, 0], result=generation % 2)],
            value=_worth,
            calm_search=None,
            opening_plies=2,
        )
        for generation in (3, 4, 5)
    }
    for generation, audit in audits.items():
        keep_audit(folder, audit, generation=generation)
    assert read_audits(folder) == audits
    keep_audit(folder, audits[3], generation=4)  # resumed from before it
    assert read_audits(folder) == {3: audits[3], 4: audits[3]}
    for broken in ("{half", '{"generation": 1}', "[]"):
        folder.audits.write_text(broken + "\n")
        with pytest.raises(AuditError, match="line 1"):
            read_audits(folder)


def test_a_sample_of_games_is_even_over_the_order_in_which_they_ended() -> None:
    games = [{"game_id": number} for number in range(10)]
    assert [game["game_id"] for game in spread(games, count=4)] == [0, 2, 5, 7]
    assert spread(games, count=10) == spread(games, count=99) == games
    assert spread(games, count=0) == []


def test_real_games_of_a_network_that_knows_nothing() -> None:
    params = dataclasses.replace(SEARCH, num_simulations=8, temperature_start=1.0, temperature_end=1.0)
    selfplay = plain_selfplay(
        games_per_group=8,
        full_search_probability=0.5,
        fast_simulations=4,
        random_opening_probability=0.5,
        random_opening_plies=4,
        trace_tolerance=0.05,
    )
    generator = _core.Generator("tictactoe", params, selfplay, seed=3)
    info, judge = _core.game_spec("tictactoe"), Judge("tictactoe")
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

    samples = generator.take_samples()
    audit = selfplay_audit(
        game="tictactoe", records=games, value=TRUTH.value, calm_search=calm, opening_plies=2, samples=samples
    )
    assert audit["games"] == len(games)
    searched = sum(bool(flags & FULL_SEARCH) for game in games for flags in game.flags)
    assert sum(row["targets"]["result"]["samples"] for row in audit["plies"] if row["targets"]) == searched
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
    blame = {one.value: sum(row["throws"][one.value] for row in audit["plies"]) for one in Blame}
    assert sum(blame.values()) == thrown > 0
    assert audit["flawless"] == flawless
    assert sum(row["contradicted"] for row in audit["plies"]) == wrong > 0
    assert sum(row["games"] for row in audit["plies"]) == audit["positions"] == total
    assert blame["opening"] > 0
    assert blame["temperature"] > 0
    assert blame["noise"] == len(asked) > 0  # the calm search was perfect, so noise was to blame each time
    assert sum(sum(row["first_throws"].values()) for row in audit["plies"]) == len(games) - flawless
    assert 0 < audit["openings"] <= len(games)
    assert 0 < audit["repeated"] < audit["positions"]
    # Of a solved game, even random play's results have mostly the right sign.
    figures = audit_figures(audit)
    assert 0 < figures["result_wrong_sign"] < 0.5


def test_flawless_games_contradict_nothing() -> None:
    played: list[int] = []
    while len(played) < 9:
        scores = TRUTH.scores(played)
        played.append(max(range(9), key=lambda a: -99 if scores[a] is None else scores[a]))
    record = _record(played, played, [FULL_SEARCH] * 9, result=0)
    audit = selfplay_audit(game="tictactoe", records=[record], value=TRUTH.value, calm_search=None, opening_plies=2)
    assert audit["flawless"] == 1
    assert {row["contradicted"] for row in audit["plies"]} == {0}
    assert not any(sum(row["first_throws"].values()) for row in audit["plies"])
    upset = dataclasses.replace(record, result=1)  # the same game with a wrong result
    audit = selfplay_audit(game="tictactoe", records=[upset], value=TRUTH.value, calm_search=None, opening_plies=2)
    assert {row["contradicted"] for row in audit["plies"]} == {1}
