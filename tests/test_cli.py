"""What is typed is checked against the real conf/: every option composes, every mistake has its sentence."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hydra import compose
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from omegaconf import DictConfig

from c4 import command_line
from c4.cli import USAGE, run
from c4.command_line import OWN, check
from c4.params.errors import ConfigError
from c4.params.evaluate import EvaluateConfig
from c4.params.pbrain import PbrainConfig
from c4.params.plain import as_plain
from c4.params.play import PlayConfig
from c4.params.train import TrainConfig
from c4.params.walk import build
from c4.sources import opened

CONF = Path(__file__).parents[1] / "conf"
OF_TRAINING = (
    "budget", "callbacks", "data", "debug", "evaluation", "experiment", "game", "inference", "logger", "model",
    "network", "paths", "search", "selfplay", "trainer",
)  # fmt: skip


@pytest.fixture(autouse=True)
def hydra() -> Iterator[None]:
    with opened(conf=CONF, name="train"):
        yield


def checked(*words: str, multirun: bool = False, conf: Path = CONF) -> None:
    with opened(conf=conf, name="train") as sources:
        check(words, sources=sources, schema=TrainConfig, multirun=multirun)


def options() -> list[str]:
    with opened(conf=CONF, name="train") as sources:
        offered = command_line.options(sources, [], schema=TrainConfig)
    return [f"{group}={name}" for group in OF_TRAINING for name in offered[group]]


@pytest.mark.parametrize("option", options())
def test_every_option_of_every_group_composes_to_a_valid_configuration(option: str) -> None:
    group, _, name = option.partition("=")
    checked(option, *([f"{group}._target_=of_mine.Thing"] if name == OWN else []))


def test_an_experiment_is_named_after_its_file_and_says_its_command() -> None:
    for path in sorted((CONF / "experiment").glob("*.yaml")):
        assert build(TrainConfig, compose("train", overrides=[f"experiment={path.stem}"])).name == path.stem
        command = "python train.py" + ("" if path.stem == "connect4" else f" experiment={path.stem}")
        assert f"#   {command}\n" in path.read_text()


CLASSIC: dict[str, dict[str, Any]] = {
    "search": {  # whole
        "cpuct": 4.0,
        "fpu_reduction": 0.4,
        "policy_temperature": 1.0,
        "root_policy_temperature": 1.0,
        "mlh_slope": 0.0,
        "mlh_cap": 0.2,
        "noise_epsilon": 0.25,
        "dirichlet_alpha": 0.3,
        "discount": 1.0,
        "num_simulations": 100,
        "virtual_loss": 3.0,
        "leaves_per_batch": 1,
        "reuse_tree": True,
        "proven_results": False,
        "proof_nodes": 0,
        "forced_visits": 0.0,
        "early_stop": False,
        "root_selection": "puct",
        "temperature_start": 1.0,
        "temperature_end": 0.25,
        "temperature_plies": 16,
        "policy_target_temperature": None,
    },
    "selfplay": {
        "full_search_probability": 1.0,
        "random_opening_probability": 0.0,
        "book_probability": 0.0,
        "value_trace": None,
    },
    "model": {
        "losses": {},
        "value_root_share": 0.0,
        "value_root_share_end": None,
        "optimizer": "adamw",
        "learning_rate": 2e-3,
        "schedule": "staged",
        "stages": [0.5],
        "stage_factor": 0.025,
        "warmup_steps": 0,
        "ema_decay": None,
        "kl_target": 0.02,
        "kl_step": 1.5,
        "kl_range": 10.0,
    },
    "data": {"repeats": "each", "surprise_share": 0.0},
}
"""All that the project's first documents fix, and what would be a step beyond them."""

OF_GUMBEL = {"gumbel_considered", "gumbel_scale", "gumbel_cvisit", "gumbel_cscale"}
"""Not used."""


@pytest.mark.parametrize(
    ("experiment", "other"), [("classic", {}), ("classic_mlh", {"mlh_slope": 0.03, "mlh_cap": 0.15})]
)
def test_classic_is_the_recipe_of_the_first_documents(experiment: str, other: dict[str, float]) -> None:
    made = as_plain(build(TrainConfig, compose("train", overrides=[f"experiment={experiment}"])))
    assert made["search"].keys() - OF_GUMBEL == CLASSIC["search"].keys()
    for group, values in CLASSIC.items():
        expected = values | (other if group == "search" else {})
        assert {name: made[group][name] for name in expected} == expected
    assert made["model"]["learning_rate"] * made["model"]["stage_factor"] == pytest.approx(5e-5)


def test_runs_that_did_not_know_a_knob_search_without_it() -> None:
    search = as_plain(build(EvaluateConfig, compose("evaluate", overrides=["search=run"])))["search"]
    plain = {"policy_temperature": 1.0, "root_policy_temperature": 1.0, "proof_nodes": 0}
    assert {name: search[name] for name in plain} == plain


@pytest.mark.parametrize(
    ("entry", "schema"),
    [("train", TrainConfig), ("play", PlayConfig), ("evaluate", EvaluateConfig), ("pbrain", PbrainConfig)],
)
def test_every_program_takes_the_search_of_the_first_documents(entry: str, schema: type[Any]) -> None:
    search = as_plain(build(schema, compose(entry, overrides=["search=classic"])).search)
    assert {name: search[name] for name in CLASSIC["search"]} == CLASSIC["search"]


def test_the_documents_budget_is_graded_by_a_run_and_by_a_report() -> None:
    assert 100 in build(EvaluateConfig, compose("evaluate")).evaluation.simulations
    for experiment in ("connect4", "classic", "classic_mlh"):
        grading = build(TrainConfig, compose("train", overrides=[f"experiment={experiment}"])).evaluation.grading
        assert grading.at_end
        assert 100 in (*grading.simulations, *grading.also_at_end)


@pytest.mark.parametrize(
    ("experiment", "selection", "trace", "optimizer"),
    [
        ("connect4", "gumbel", 0.9, "muon"),
        ("quick", "gumbel", 0.9, "muon"),
        ("gomoku6", "gumbel", 0.9, "muon"),
        ("gomoku8", "gumbel", 0.9, "muon"),
        ("gomoku9", "gumbel", 0.9, "muon"),
        ("gomoku15", "gumbel", 0.9, "muon"),
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
    made = compose("train", overrides=["search=default", "selfplay.full_search_probability=0.25"])
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
        (["network=own"], "network._target_: Missing mandatory value"),
        (["selfplay.groups=0"], "selfplay.groups=0 is not allowed: a whole number from 1 to 64"),
        (["data.repeats=avg"], "data.repeats=avg is not allowed: one of: each, averaged"),
        (["arena=default"], "arena: there is no such key"),
        (["hparams_search=play_knobs"], "the options are: learning, network, search_knobs"),
        (["search=3"], "search=3: there is no such option; the options are: classic, default"),
        (["experiment=null"], "experiment=null is not allowed: ~experiment chooses none of them"),
        (["~logger"], "~logger is not allowed: one of these is needed: csv, many, tensorboard, wandb"),
        (
            ["hydra.sweeper.trails=3"],
            "hydra.sweeper.trails: there is no such key without a search, -m hparams_search=NAME; did you mean hydra.s",
        ),
        (["hydra.sweeper.trials=3"], "there is no such key without a search, -m hparams_search=NAME"),
        (
            ["resume=epoch=7-step=516.ckpt"],
            "516.ckpt cannot be read: such a value is typed in two pairs of quotes: \"resume='epoch=7-step=516.ckpt'\"",
        ),
        (["tiny"], "tiny cannot be read as an override: key=value"),
        (
            ["hydra/sweeper=optuna", "hydra.sweeper.trails=3"],
            "hydra.sweeper.trails: there is no such key; did you mean hydra.sweeper.trials?",
        ),
        (["local=mine"], "local=mine: there is no such option; the options are: none so far"),
    ],
)
def test_a_mistake_has_its_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        checked(*words)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--nonsense"], "unrecognized arguments: --nonsense; --hydra-help lists the flags, --help the rest"),
        (["--experimental-rerun", "x.pickle"], "--experimental-rerun is not allowed: it unpickles a file"),
        (["--resolve"], "--resolve needs --cfg"),
        (["seed=" + "1" * 100_000], "seed=" + "1" * 35 + "... has 100,005 characters"),
        (["seed=" + "x" * 100_000], "seed=xxx"),
    ],
)
def test_a_flag_that_cannot_be_has_its_sentence(
    flags: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["train.py", *flags])
    assert run(lambda _: None, name="train", schema=TrainConfig) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {sentence}")
    assert said.count("\n") == 1
    assert len(said) < 3000


@pytest.fixture
def logging_again() -> Iterator[None]:
    """As it was: to show something, Hydra has all be told that there is."""
    root = logging.getLogger()
    level, handlers = root.level, [*root.handlers]
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.usefixtures("logging_again")
@pytest.mark.parametrize("flags", [["--info", "defaults"], ["--cfg=job", "--package=search", "--resolve"]])
def test_what_hydra_shows_it_shows_here(
    flags: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """And an agent of `wandb sweep` may type hyphens before its overrides."""
    monkeypatch.setattr("sys.argv", ["train.py", "--search.cpuct=7.25", *flags])
    assert run(lambda _: None, name="train", schema=TrainConfig) == 0
    said = capfd.readouterr().out
    assert ("cpuct: 7.25" if "--cfg=job" in flags else "search/gumbel") in said


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
    monkeypatch.setattr("sys.argv", [f"{name}.py", "--help"])
    assert run(lambda _: None, name=name, schema=schema) == 0
    said = capsys.readouterr().out
    listed = {line.partition(":")[0] for line in said.splitlines() if line.partition(": ")[2]}
    assert groups <= listed
    assert listed & {"arena", "player", "web", "opponent", "budget", "experiment"} == groups - {"hparams_search"}
    assert f"\nhparams_search: {searches}\n" in said


def test_a_wrong_key_in_an_experiment_of_ones_own_is_named(tmp_path: Path) -> None:
    shutil.copytree(CONF, tmp_path, dirs_exist_ok=True)
    (tmp_path / "experiment" / "mine.yaml").write_text("# @package _global_\nserch:\n  cpuct: 2\n")
    with pytest.raises(ConfigError, match=r"mean search\?"):
        checked("experiment=mine", conf=tmp_path)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder of one's own: an experiment, and what holds on this machine."""
    for name, text in {"experiment/mine": "name: mine\nseed: 7\n", "local/mine": "data:\n  batch_size: 48\n"}.items():
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# @package _global_\n{text}")
    return tmp_path


def run_with(*words: str, monkeypatch: pytest.MonkeyPatch) -> list[DictConfig]:
    """The configurations of the jobs that a command line has started."""
    started: list[DictConfig] = []
    monkeypatch.setattr("sys.argv", ["train.py", *words])
    code = run(started.append, name="train", schema=TrainConfig)
    assert code == (0 if started else USAGE)
    return started


@pytest.mark.parametrize("how", [["--config-dir", "{}"], ["hydra.searchpath=[file://{}]"]])
def test_what_lies_in_a_folder_of_ones_own_is_an_option_like_any_other(
    how: list[str], mine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [word.format(mine) for word in how]
    to = f"hydra.run.dir={mine / 'run'}"
    (made,) = run_with(*where, "experiment=mine", "local=mine", to, monkeypatch=monkeypatch)
    assert (made.name, made.seed, made.data.batch_size) == ("mine", 7, 48)
    assert run_with(*where, "experiment=mien", monkeypatch=monkeypatch) == []
    assert "experiment=mien: there is no such option; did you mean mine?" in capsys.readouterr().err
    (mine / "experiment/mine.yaml").write_text("# @package _global_\nserch:\n  cpuct: 2\n")
    assert run_with(*where, "experiment=mine", monkeypatch=monkeypatch) == []
    assert "serch: there is no such key; did you mean search?" in capsys.readouterr().err


def test_a_machines_own_settings_need_no_word(mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (mine / "local/mine.yaml").rename(mine / "local/default.yaml")
    to = f"hydra.run.dir={tmp_path / 'run'}"
    (made,) = run_with("--config-dir", str(mine), to, monkeypatch=monkeypatch)
    assert made.data.batch_size == 48


def test_a_folder_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_with("--config-dir", "/nowhere", monkeypatch=monkeypatch) == []
    assert capsys.readouterr().err == "error: --config-dir /nowhere: there is no such folder\n"


def test_a_start_composes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    composed = []
    compose_it = ConfigLoaderImpl.load_configuration

    def counted(self: ConfigLoaderImpl, *words: Any, **more: Any) -> DictConfig:
        composed.append(words)
        return compose_it(self, *words, **more)

    monkeypatch.setattr(ConfigLoaderImpl, "load_configuration", counted)
    assert run_with("seed=3", f"hydra.run.dir={tmp_path}", monkeypatch=monkeypatch)[0].seed == 3
    assert len(composed) == 1


def test_every_value_of_a_sweep_is_checked() -> None:
    checked("seed=1,2,3", "search.cpuct=range(1,4)", "experiment=tiny,quick", multirun=True)
    for words in (["seed=1,2,-3"], ["search.cpuct=range(90,103,4)"], ["experiment=tiny", "search.cpuct=choice(1,x)"]):
        with pytest.raises(ConfigError, match="is not allowed"):
            checked(*words, multirun=True)
    with pytest.raises(ConfigError, match=r"several values need --multirun"):
        checked("seed=1,2,3")


def test_settings_of_hydra_itself_are_left_to_it() -> None:
    checked("hydra.run.dir=somewhere", "hydra/launcher=basic")


@pytest.mark.parametrize("name", ["../elsewhere", "a/../../../x", "/tmp/x"])
def test_a_run_cannot_be_named_out_of_the_folder_of_all_runs(name: str) -> None:
    with pytest.raises(ConfigError, match=f"name={name} is not allowed"):
        checked(f"name={name}")
    checked("name=further/down")
