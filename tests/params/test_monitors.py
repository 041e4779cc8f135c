"""A metric that a configuration names is one that it logs, or it is refused before the start, with the nearest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from c4.command_line import CommandLine, check
from c4.params.errors import ConfigError
from c4.params.evaluate import EvaluateConfig
from c4.params.metrics import METRICS, better, is_metric
from c4.params.train import TrainConfig
from c4.sources import opened

CONF = Path(__file__).parents[2] / "conf"
MONITOR = "callbacks.checkpoint.monitor"
NONE = "no metric has this name; did you mean"
LACKS = "evaluation.grading.simulations is [0, 32]; did you mean truth/value_preserving"
STOP = "callbacks.stop._target_=pytorch_lightning.callbacks.EarlyStopping"
SEARCH = "hparams_search=learning"


def checked(*words: str, name: str = "train", many: bool = False) -> CommandLine:
    schema: type[Any] = EvaluateConfig if name == "evaluate" else TrainConfig
    with opened(conf=CONF, name=name) as sources:
        return check(words, sources=sources, schema=schema, multirun=many)


def refused(*words: str, name: str = "train", many: bool = False) -> str:
    with pytest.raises(ConfigError) as error:
        checked(*words, name=name, many=many)
    return str(error.value)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["truth/value_preservng"], "no metric has this name; did you mean truth/value_preserving?"),
        (["truth/value_preserving_64"], f"{LACKS}?"),
        (["nonsense"], "no metric has this name; docs/METRICS.md has them all"),
        (["baseline/strength"], "evaluation.baseline.every is 0"),
        (["truth/final/dev/moves_of_all"], "it is known only when a run is over"),
        (["truth/value_preserving", "evaluation.grading.every=0"], "evaluation.grading.every is 0"),
        (["truth/selfplay/flawless_games", "evaluation.grading.games=0"], "evaluation.grading.games is 0"),
    ],
)  # fmt: skip
def test_what_chooses_the_best_player_is_logged(words: list[str], sentence: str) -> None:
    name, *others = words
    assert refused(f"{MONITOR}={name}", *others) == f"{MONITOR}={name}: {sentence}"


def test_what_a_callback_of_lightnings_waits_for_is_logged() -> None:
    assert refused(STOP, "callbacks.stop.monitor=los/total") == (
        "callbacks.stop.monitor=los/total: no metric has this name; did you mean loss/total?"
    )
    for name in ("loss/total", "truth/value_preserving_32", "epoch"):
        assert checked(STOP, f"callbacks.stop.monitor={name}").in_vain == []


def test_a_callback_that_waits_for_what_is_graded_beside_training_is_refused() -> None:
    beside = (STOP, "selfplay=ray", "selfplay.grade_beside=true")
    assert refused(*beside, "callbacks.stop.monitor=truth/value_preserving") == (
        "callbacks.stop.monitor=truth/value_preserving: no callback sees it while gradings are made beside training, "
        "for it comes when other generations have followed; selfplay.grade_beside=false grades in time"
    )
    for name in ("loss/total", "truth/selfplay/flawless_games"):
        checked(*beside, f"callbacks.stop.monitor={name}")
    checked(*beside, f"{MONITOR}=truth/value_preserving")


def test_names_that_a_persons_own_parts_log_are_known() -> None:
    checked("callbacks.metrics.centre._target_=x.y", f"{MONITOR}=centre")
    checked("model.losses.soon._target_=x.y", f"{MONITOR}=loss/soon")
    checked("callbacks.mine._target_=x.y", f"{MONITOR}=what_i_like")
    assert "did you mean centre?" in refused("callbacks.metrics.centre._target_=x.y", f"{MONITOR}=center")


def test_a_monitor_that_nobody_typed_is_told_of_where_nothing_is_measured() -> None:
    assert checked("evaluation.grading.every=0").in_vain == [
        f"{MONITOR}=truth/value_preserving: evaluation.grading.every is 0; the newest player is taken for the best"
    ]
    assert checked("evaluation.grading.every=0", f"{MONITOR}=null").in_vain == []


def test_a_run_that_is_gone_on_with_may_measure_what_its_line_does_not_say() -> None:
    checked("resume=some/run", f"{MONITOR}=truth/value_preserving_64")
    assert "no metric has this name" in refused("resume=some/run", f"{MONITOR}=truth/value_preservng")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["hydra.sweeper.objectives={loss/totl:min}"], f"objectives=loss/totl: {NONE} loss/total?"),
        (["hydra.sweeper.watched=truth/value_preserving_8"], f"watched=truth/value_preserving_8: {LACKS}?"),
        (["evaluation=baseline"], "objectives=truth/value_preserving: evaluation.grading.every is 0"),
        (["hydra.sweeper.trails=3"], "trails: there is no such key; did you mean hydra.sweeper.trials?"),
    ],
)  # fmt: skip
def test_what_a_search_goes_by_is_logged(words: list[str], sentence: str) -> None:
    assert refused(SEARCH, *words, many=True) == f"hydra.sweeper.{sentence}"


def test_typed_objectives_take_the_place_of_a_searchs_own() -> None:
    line = checked(SEARCH, "hydra.sweeper.objectives={loss/total:min,budget/minutes:min}", many=True)
    assert dict(line.composed.hydra.sweeper.objectives) == {"loss/total": "min", "budget/minutes": "min"}


def test_a_search_that_measures_goes_by_what_evaluate_measures() -> None:
    words = ("hparams_search=play_knobs", "checkpoint=x")
    sentence = refused(*words, "evaluation.simulations=[0,8]", name="evaluate", many=True)
    assert sentence.endswith("evaluation.simulations is [0, 8]; did you mean truth/final/all/value_preserving_8?")
    sentence = refused(*words, "hydra.sweeper.objectives={truth/value_preserving:max}", name="evaluate", many=True)
    assert "evaluate.py measures truth/final/SET/NAME" in sentence


@pytest.mark.parametrize(
    ("recipe", "left_out", "kept"),
    [
        ("connect4", {"search.noise_epsilon", "search.dirichlet_alpha"}, "search.gumbel_scale"),
        ("classic", {"search.gumbel_scale", "search.gumbel_cscale"}, "search.noise_epsilon"),
    ],
)
def test_a_search_follows_the_recipe_and_says_what_it_leaves_out(recipe: str, left_out: set[str], kept: str) -> None:
    line = checked("hparams_search=search_knobs", f"experiment={recipe}", many=True)
    assert set(line.left_out) == left_out
    assert kept in line.composed.hydra.sweeper.params
    assert all("is left out of the search: it has no effect while" in sentence for sentence in line.in_vain)


def test_a_knob_that_is_typed_stays_in_the_search_and_is_named() -> None:
    line = checked("hparams_search=search_knobs", "search.noise_epsilon=interval(0.1,0.2)", many=True)
    assert line.left_out == ["search.dirichlet_alpha"]
    assert any(sentence.startswith("search.noise_epsilon has no effect while") for sentence in line.in_vain)


def test_which_way_a_metric_is_better_is_known() -> None:
    assert (better("truth/value_preserving_600"), better("loss/total"), better("optim/lr")) == ("higher", "lower", "")
    assert better("truth/final/begin-hard/plies_lost_32") == "lower"
    assert all(is_metric(metric.name.replace("_N", "_8").replace("SET/NAME", "dev/x")) for metric in METRICS)
