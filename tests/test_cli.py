"""What is typed is checked against the real conf/: every option composes, every mistake has its sentence."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra

from c4.cli import check, run
from c4.params.evaluate import EvaluateConfig
from c4.params.train import TrainConfig
from c4.params.walk import ConfigError, build

CONF = Path(__file__).parents[1] / "conf"
OF_TRAINING = (
    "budget", "callbacks", "data", "debug", "evaluation", "experiment", "game", "inference", "logger", "model",
    "network", "paths", "search", "selfplay", "trainer",
)  # fmt: skip


@pytest.fixture(autouse=True)
def hydra() -> Iterator[None]:
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        yield


def checked(*words: str, multirun: bool = False) -> None:
    check(list(words), folder=CONF, name="train", schema=TrainConfig, multirun=multirun)


def options() -> list[str]:
    return [f"{group}={path.stem}" for group in OF_TRAINING for path in sorted((CONF / group).glob("*.yaml"))]


@pytest.mark.parametrize("option", options())
def test_every_option_of_every_group_composes_to_a_valid_configuration(option: str) -> None:
    checked(option)


def test_an_experiment_is_named_after_its_file_and_says_its_command() -> None:
    for path in sorted((CONF / "experiment").glob("*.yaml")):
        assert build(TrainConfig, compose("train", overrides=[f"experiment={path.stem}"])).name == path.stem
        command = "python train.py" + ("" if path.stem == "connect4" else f" experiment={path.stem}")
        assert f"#   {command}\n" in path.read_text()


def test_classic_is_the_search_of_the_first_documents() -> None:
    search = build(TrainConfig, compose("train", overrides=["experiment=classic"])).search
    assert (search.cpuct, search.fpu_reduction, search.mlh_slope, search.mlh_cap) == (4.0, 0.4, 0.0, 0.2)
    assert (search.noise_epsilon, search.discount) == (0.25, 1.0)


@pytest.mark.parametrize(
    ("experiment", "selection", "trace", "optimizer"),
    [
        ("connect4", "gumbel", 0.9, "muon"),
        ("quick", "gumbel", 0.9, "muon"),
        ("gomoku6", "gumbel", 0.9, "muon"),
        ("gomoku8", "gumbel", 0.9, "muon"),
        ("classic", "puct", None, "adamw"),
    ],
)
def test_an_experiment_has_the_recipe_it_is_known_by(
    experiment: str, selection: str, trace: float | None, optimizer: str
) -> None:
    made = build(TrainConfig, compose("train", overrides=[f"experiment={experiment}"]))
    assert (made.search.root_selection, made.selfplay.value_trace) == (selection, trace)
    assert made.model.optimizer.value == optimizer


@pytest.mark.parametrize("group", ["inference", "trainer", "budget"])
@pytest.mark.parametrize("experiment", sorted(path.stem for path in (CONF / "experiment").glob("*.yaml")))
def test_an_option_that_is_typed_counts_more_than_the_experiment(experiment: str, group: str) -> None:
    for option in sorted(path.stem for path in (CONF / group).glob("*.yaml")):
        typed = compose("train", overrides=[f"experiment={experiment}", f"{group}={option}"])[group]
        assert typed == compose(f"{group}/{option}")[group]


def test_plain_puct_with_fast_searches_is_two_words() -> None:
    made = compose("train", overrides=["search=default", "selfplay=default"])
    assert made.search.num_simulations == compose("search/default").search.num_simulations
    assert (made.selfplay.full_search_probability, made.selfplay.fast_simulations) == (0.25, 32)


def test_no_default_stands_anywhere_but_in_conf() -> None:
    """A key without its line in conf/ is missing, not silently something."""
    with pytest.raises(ConfigError, match=r"search\.cpuct has no value"):
        checked("~search.cpuct")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["serch.cpuct=2"], "serch.cpuct: there is no such key; did you mean search.cpuct?"),
        (["cpuct=2"], "cpuct: there is no such key; did you mean search.cpuct?"),
        (["network=smal"], "network=smal: there is no such option; did you mean small?"),
        (["selfplay.groups=0"], "selfplay.groups=0 is not allowed: a whole number from 1 to 64"),
        (["data.repeats=avg"], "data.repeats=avg is not allowed: one of: each, averaged"),
        (["arena=default"], "arena: there is no such key"),
        (["hparams_search=play_knobs"], "the options are: learning, network, search_knobs"),
        (["search=3"], "search=3: there is no such option; the options are: default"),
    ],
)
def test_a_mistake_has_its_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        checked(*words)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("name", "schema", "groups", "searches"),
    [
        ("train", TrainConfig, {"budget", "experiment", "hparams_search"}, "learning, network, search_knobs"),
        ("evaluate", EvaluateConfig, {"arena", "player", "hparams_search"}, "play_knobs"),
    ],
)
def test_help_lists_what_the_program_takes(
    name: str, schema: type, groups: set[str], searches: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    GlobalHydra.instance().clear()
    monkeypatch.setattr("sys.argv", [f"{name}.py", "--help"])
    assert run(lambda: None, folder=CONF, name=name, schema=schema) == 0
    said = capsys.readouterr().out
    listed = {line.partition(":")[0] for line in said.splitlines() if line.partition(": ")[2]}
    assert groups <= listed
    assert listed & {"arena", "player", "web", "opponent", "budget", "experiment"} == groups - {"hparams_search"}
    assert f"\nhparams_search: {searches}\n" in said


def test_a_wrong_key_in_an_experiment_of_ones_own_is_named(tmp_path: Path) -> None:
    shutil.copytree(CONF, tmp_path, dirs_exist_ok=True)
    (tmp_path / "experiment" / "mine.yaml").write_text("# @package _global_\nserch:\n  cpuct: 2\n")
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(tmp_path), version_base="1.3"), pytest.raises(ConfigError, match=r"mean search\?"):
        check(["experiment=mine"], folder=tmp_path, name="train", schema=TrainConfig, multirun=False)


def test_every_value_of_a_sweep_is_checked() -> None:
    checked("seed=1,2,3", "search.cpuct=range(1,4)", "experiment=tiny,quick", multirun=True)
    for words in (["seed=1,2,-3"], ["search.cpuct=range(90,103,4)"], ["experiment=tiny", "search.cpuct=choice(1,x)"]):
        with pytest.raises(ConfigError, match="is not allowed"):
            checked(*words, multirun=True)
    with pytest.raises(ConfigError, match=r"several values need --multirun"):
        checked("seed=1,2,3")


def test_settings_of_hydra_itself_are_left_to_it() -> None:
    checked("hydra.run.dir=somewhere", "hydra/launcher=basic")
