"""Grading during training: what is logged, what it may cost, and that no labelled position comes near learning."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.callbacks.measuring import GRADING, PARAMS, SMALL, Run, own_cache_and_clock, truth
from tests.evaluation.makers import SEARCH, HashJudge, Judge, KnowingJudge

from c4.callbacks.measure_baseline import MeasureBaseline
from c4.evaluation.selfplay_audit import audit_figures
from c4.evaluation.sets import labelled_set
from c4.native import _core
from c4.native.knobs import plain_selfplay
from c4.run.folder import RunFolder
from c4.run.kept import read_audits

__all__ = ["own_cache_and_clock"]  # for all tests here


class SelfPlay:
    """A generator and the engine that it shares with grading."""

    def __init__(self) -> None:
        search = dataclasses.replace(SEARCH, num_simulations=8)
        self.judge = HashJudge(SMALL)
        selfplay = plain_selfplay(games_per_group=8, cache_megabytes=0.0625)
        self.generator = _core.Generator(SMALL, search, selfplay, seed=1)
        info = _core.game_spec(SMALL)
        self._planes = np.zeros((self.generator.rows, info.planes, info.height, info.width), np.uint8)

    def games(self, count: int) -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = []
        while len(games) < count:
            rows = self.generator.gather(self._planes)
            self.generator.apply(*self.judge.evaluate(self._planes[:rows]))
            games += self.generator.take_games()
        return games


def _selfplay(count: int) -> list[dict[str, Any]]:
    return SelfPlay().games(count)


def test_the_names_that_others_rely_on() -> None:
    play = SelfPlay()
    games = play.games(6)
    run, callback = Run(games=games, samples=play.generator.take_samples()), truth()
    run.start(callback)
    logged = run.generation(callback)
    for name in ("value_preserving", "distance_optimal", "policy_mass", "value_sign", "value_ece", "moves_left_mae"):
        assert {f"truth/{name}", f"truth/{name}_4"} <= set(logged)
    for name in ("contradictions", "flawless_games", "throws_per_game", "blame_search", "blame_temperature"):
        assert f"truth/selfplay/{name}" in logged
    for name in ("first_throw_search", "result_wrong_sign", "root_value_error", "trace_error"):
        assert f"truth/selfplay/{name}" in logged
    (audit,) = read_audits(RunFolder(path=Path(run.default_root_dir))).values()
    assert audit_figures(audit)["contradictions"] == logged["truth/selfplay/contradictions"]
    assert all(isinstance(value, float) for value in logged.values())


def test_a_network_that_knows_everything_is_graded_so() -> None:
    labels = labelled_set("dev", game=SMALL)
    run, callback = Run(), truth(judge=KnowingJudge(labels), games=0)
    callback._params = dataclasses.replace(  # it knows nothing but the set, so it cannot search
        callback._params, grading=dataclasses.replace(GRADING, simulations=(0,), games=0)
    )
    run.start(callback)
    logged = run.generation(callback)
    assert logged["truth/value_preserving"] == logged["truth/value_sign"] == 1.0
    assert logged["truth/moves_left_mae"] == 0.0


def test_the_last_generation_is_graded_whatever_it_costs() -> None:
    run, callback = Run(), truth(every=3, games=0)
    run.start(callback)
    assert not run.generation(callback)
    run.should_stop = True
    assert "truth/value_preserving" in run.generation(callback)
    never = truth(every=0, games=0)
    run.start(never)
    assert not run.generation(never)


def test_every_so_many_generations() -> None:
    run, callback = Run(), truth(every=3, games=0)
    run.start(callback)
    assert [bool(run.generation(callback)) for _ in range(7)] == [False, False, True, False, False, True, False]
    assert run.published == [3, 6], "the newest weights play before they are measured, and only then"


def test_a_figure_of_older_weights_is_forgotten() -> None:
    run, callback = Run(), truth(every=2, games=0)
    run.start(callback)
    run.generation(callback)
    run.callback_metrics["loss"] = 1.0
    assert run.generation(callback)
    assert "truth/value_preserving" in run.callback_metrics
    run.generation(callback)
    assert run.callback_metrics == {"loss": 1.0}


def test_an_audit_of_older_games_is_forgotten_when_there_is_no_new_one() -> None:
    run, callback = Run(games=_selfplay(2)), truth()
    run.start(callback)
    assert "truth/selfplay/contradictions" in run.generation(callback)
    run.datamodule.harvest.games = []
    assert "truth/value_preserving" in run.generation(callback)
    assert [name for name in run.callback_metrics if name.startswith("truth/selfplay/")] == []


def test_without_a_share_of_the_time_only_the_first_is_free() -> None:
    run, callback = Run(), truth(time_share=0.0, games=0)
    run.start(callback)
    assert [bool(run.generation(callback)) for _ in range(3)] == [True, False, False]


def test_a_run_that_is_twice_as_far_is_measured_whatever_it_costs() -> None:
    run, callback, measured = Run(), truth(time_share=0.0, games=0), []
    run.start(callback)
    for percent in (3, 5, 6, 7, 11, 13, 20, 25, 26, 51, 52):
        run.ledger.share = percent / 100
        measured += [percent] if run.generation(callback) else []
    assert measured == [3, 6, 13, 26, 52]


def test_the_end_grades_whole_sets_under_names_of_their_own() -> None:
    run, callback = Run(), truth()
    run.ledger.generation = 7
    run.start(callback)
    run.end(callback)
    ((step, metrics),) = run.loggers[0].rows
    assert step == 7
    assert run.published == [7]
    assert "truth/final/dev/value_preserving" in metrics
    assert "truth/final/dev/value_preserving_4" in metrics
    assert "truth/final/dev/value_preserving_6" in metrics
    quiet, silent = Run(), truth(at_end=False)
    quiet.start(silent)
    quiet.end(silent)
    assert quiet.loggers[0].rows == []


def test_games_that_nobody_has_solved_have_no_truth() -> None:
    run, callback = Run(), truth(game="gomoku15")
    run.start(callback)
    assert run.generation(callback) == {}
    run.end(callback)
    assert run.loggers[0].rows == []


def test_without_the_solver_self_play_is_not_audited(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from c4.callbacks import measure_truth as module
    from c4.players.oracle import NoOracleError

    def missing(_: str) -> None:
        raise NoOracleError("it is not installed")

    run, callback = Run(games=_selfplay(2)), truth()
    run.start(callback)
    monkeypatch.setattr(module, "oracle", missing)
    for _ in range(2):
        logged = run.generation(callback)
        assert "truth/value_preserving" in logged
        assert not any(name.startswith("truth/selfplay") for name in logged)
    assert caplog.text.count("self-play is not audited: it is not installed") == 1


def test_grading_hands_no_position_to_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window and the source are out of its reach: whatever it would do to them is an error here."""

    class Untouchable:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"grading reached for {name}")

    run, callback = Run(games=_selfplay(4)), truth()
    run.datamodule.window = Untouchable()
    run.datamodule.source = Untouchable()
    run.start(callback)
    assert run.generation(callback)
    run.end(callback)


def test_samples_are_the_same_whether_or_not_there_was_grading_in_between() -> None:
    graded, plain = SelfPlay(), SelfPlay()
    samples = {}
    for name, play in (("graded", graded), ("plain", plain)):
        first = play.games(6)
        if play is graded:
            run, callback = Run(games=first), truth(judge=play.judge)
            run.start(callback)
            assert run.generation(callback)
            run.end(callback)
        play.games(6)
        samples[name] = play.generator.take_samples()
    assert len(samples["plain"]) > 0
    assert np.array_equal(samples["graded"], samples["plain"])


def test_the_baseline_keeps_its_level_over_a_resume() -> None:
    run = Run()
    callback = MeasureBaseline(
        game="connect4", judge=Judge("connect4"), search=SEARCH, params=PARAMS, seed=1, beside=None
    )
    assert callback._player.params.leaves_per_batch > 1
    run.start(callback)
    rows = [run.generation(callback) for _ in range(12)]
    assert set(rows[0]) == {
        "baseline/strength",
        "baseline/score",
        "baseline/score_first",
        "baseline/score_second",
        "baseline/rollouts",
    }
    assert rows[0]["baseline/rollouts"] == 1.0
    levels = [row["baseline/rollouts"] for row in rows]
    assert levels == sorted(levels)
    assert levels[-1] > 1.0
    resumed = MeasureBaseline(
        game="connect4", judge=Judge("connect4"), search=SEARCH, params=PARAMS, seed=1, beside=None
    )
    resumed.load_state_dict(callback.state_dict())
    assert resumed.state_dict() == callback.state_dict()
    assert callback.state_dict()["rollouts"] >= levels[-1]
