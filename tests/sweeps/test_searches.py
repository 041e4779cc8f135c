"""Every search that ships: composes, seeks what is logged, and stays within what its knobs allow, at both ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hydra import compose
from omegaconf import OmegaConf

from c4.command_line import check
from c4.params.errors import ConfigError
from c4.params.evaluate import EvaluateConfig
from c4.params.plain import from_plain
from c4.params.sweeper import SweeperParams
from c4.params.train import TrainConfig
from c4.sources import opened
from c4.sweeps.space import parse_space

CONF = Path(__file__).parents[2] / "conf"
SEARCHES = sorted(path.stem for path in (CONF / "hparams_search").glob("*.yaml"))
PLAYING = "play_knobs"
UNTOLD = ("objectives", "params", "_target_")


@pytest.fixture(autouse=True)
def hydra() -> Iterator[None]:
    with opened(conf=CONF, name="train"):
        yield


def program(search: str) -> tuple[str, type[Any]]:
    return ("evaluate", EvaluateConfig) if search == PLAYING else ("train", TrainConfig)


def composed(search: str) -> Any:
    name, _ = program(search)
    return compose(name, overrides=[f"hparams_search={search}"], return_hydra_config=True)


@pytest.mark.parametrize("search", SEARCHES)
def test_both_ends_of_every_dimension_are_allowed(search: str) -> None:
    name, schema = program(search)
    with opened(conf=CONF, name=name) as sources:
        check([f"hparams_search={search}"], sources=sources, schema=schema, multirun=True)


@pytest.mark.parametrize("search", SEARCHES)
def test_its_settings_are_whole(search: str) -> None:
    sweeper = OmegaConf.to_container(composed(search).hydra.sweeper)
    assert isinstance(sweeper, dict)
    params = from_plain(SweeperParams, {str(key): value for key, value in sweeper.items() if key not in UNTOLD})
    assert params.study == search
    space, _ = parse_space(sweeper["params"], [])
    assert len(space) >= 4
    assert set(sweeper["objectives"].values()) <= {"max", "min"}


@pytest.mark.parametrize("search", SEARCHES)
def test_what_it_seeks_is_measured_at_a_budget_that_is_graded(search: str) -> None:
    config = composed(search)
    graded = config.evaluation.simulations if search == PLAYING else config.evaluation.grading.simulations
    for name in [*config.hydra.sweeper.objectives, config.hydra.sweeper.watched]:
        budget = str(name).rpartition("_")[2]
        if str(name).startswith("truth/"):
            assert (int(budget) if budget.isdecimal() else 0) in graded


@pytest.mark.parametrize("search", SEARCHES)
def test_the_file_says_its_command(search: str) -> None:
    name, _ = program(search)
    assert (
        f"#   python {name}.py -m hparams_search={search}" in (CONF / "hparams_search" / f"{search}.yaml").read_text()
    )


def test_the_knobs_of_play_are_those_that_the_documents_tune() -> None:
    assert set(composed(PLAYING).hydra.sweeper.params) == {
        "search.cpuct", "search.fpu_reduction", "search.mlh_slope", "search.mlh_cap"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["hparams_search=serch_knobs"], "did you mean search_knobs?"),
        (["search.cpuct=interval(1,400)"], "search.cpuct=400.0 is not allowed"),
        (["search.cput=interval(1,4)"], "did you mean search.cpuct?"),
        (["network.value_head=choice(wdl,wld)"], "network.value_head=wld is not allowed"),
        (["hparams_search=learning", "model.ema_decay=1,2"], "model.ema_decay=1.0 is not allowed"),
    ],
)
def test_a_mistake_in_a_space_is_said_before_anything_starts(words: list[str], sentence: str) -> None:
    with opened(conf=CONF, name="train") as sources, pytest.raises(ConfigError) as caught:
        check(["hydra/sweeper=optuna", *words], sources=sources, schema=TrainConfig, multirun=True)
    assert sentence in str(caught.value)
