"""The sweep.yaml of each search is one that W&B accepts, says what conf/ says, and its command is one of ours.

data/wandb_sweep_schema.json is W&B's own schema, from its package `sweeps` 0.2.0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from c4.params.errors import ConfigError
from c4.params.train import TrainConfig
from c4.params.walk import build
from c4.sweeps.wandb_yaml import sweep_yaml

CONF = Path(__file__).parents[2] / "conf"
SCHEMA = json.loads((Path(__file__).parent / "data" / "wandb_sweep_schema.json").read_text())
SCHEMA["properties"]["run_cap"] = {"type": "integer", "exclusiveMinimum": 0}  # came after that package
OF_TRAINING = ("search_knobs", "network", "learning")


def written(*overrides: str) -> dict[str, Any]:
    text = OmegaConf.to_container(OmegaConf.create(sweep_yaml(overrides)))
    assert isinstance(text, dict)
    return {str(key): value for key, value in text.items()}


@pytest.mark.parametrize("search", OF_TRAINING)
def test_every_search_is_a_sweep_that_wandb_accepts(search: str) -> None:
    jsonschema.Draft7Validator(SCHEMA).validate(written(f"hparams_search={search}"))


def test_every_kind_of_dimension_is_accepted() -> None:
    space = [
        "search.cpuct=interval(1,4)", "model.learning_rate=tag(log,interval(1e-4,1e-2))", "network.depth=range(1,7)",
        "network.width=range(16,81,8)", "search.fpu_reduction=range(0,1,0.25)", "network.value_head=scalar,wdl",
        "data.batch_size=tag(log,int(interval(64,1024)))",
    ]  # fmt: skip
    found = written(*space)
    jsonschema.Draft7Validator(SCHEMA).validate(found)
    assert {key: each.get("distribution", "values") for key, each in found["parameters"].items()} == {
        "search.cpuct": "uniform",
        "model.learning_rate": "log_uniform_values",
        "network.depth": "int_uniform",
        "network.width": "q_uniform",
        "search.fpu_reduction": "q_uniform",
        "network.value_head": "values",
        "data.batch_size": "q_log_uniform_values",
    }
    assert found["metric"] == {"name": "truth/value_preserving", "goal": "maximize"}


def test_the_schema_refuses_what_is_wrong() -> None:
    for change in ({"method": "guess"}, {"parameters": {"a": {"distribution": "uniform"}}}, {"metric": {"goal": "up"}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft7Validator(SCHEMA).validate(written("hparams_search=learning") | change)


def test_it_says_what_conf_says() -> None:
    found = written("hparams_search=search_knobs", "seed=5")
    assert found["metric"] == {"name": "truth/value_preserving_32", "goal": "maximize"}
    assert found["parameters"]["search.fpu_reduction"] == {"distribution": "uniform", "min": 0.0, "max": 0.8}
    assert "early_terminate" in found
    assert "early_terminate" not in written("hparams_search=search_knobs", "hydra.sweeper.pruner=none")


def test_where_c4_is_installed_an_agent_runs_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/somewhere/bin/c4"])
    command = written("hparams_search=search_knobs", "seed=5")["command"]
    assert command[:5] == ["${env}", "${interpreter}", "-m", "c4", "train"]
    assert "seed=5" in command


def test_an_agent_runs_what_train_py_understands() -> None:
    command = written("hparams_search=search_knobs", "seed=5")["command"]
    assert command[:3] == ["${env}", "${interpreter}", "${program}"]
    assert command[-1] == "${args_no_hyphens}"
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        config = build(TrainConfig, compose("train", overrides=[*command[3:-1], "search.cpuct=1.5"]))
    assert (config.seed, config.search.cpuct, config.logger.wandb.enabled) == (5, 1.5, True)


def test_what_the_recipe_ignores_is_no_dimension() -> None:
    found = written("hparams_search=search_knobs", "experiment=classic")
    assert "search.noise_epsilon" in found["parameters"]
    assert "search.gumbel_scale" not in found["parameters"]


def test_without_a_space_there_is_nothing_to_write() -> None:
    with pytest.raises(ConfigError, match="no search space"):
        sweep_yaml(["experiment=tiny"])
