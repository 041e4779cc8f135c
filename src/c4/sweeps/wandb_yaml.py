"""The same search for W&B's agents: a sweep.yaml from the composed configuration. Needs neither W&B nor a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from omegaconf import OmegaConf

from c4.command_line import check
from c4.invocation import by_scripts
from c4.params.errors import ConfigError
from c4.params.sweeper import Pruner
from c4.params.train import TrainConfig
from c4.sources import SHIPPED, opened
from c4.sweeps.space import Dimension, Kind, parse_space
from c4.sweeps.study import DIRECTIONS


def sweep_yaml(overrides: Sequence[str]) -> str:
    """For train.py, with the fixed overrides in its command. Raises ConfigError when there is nothing to search."""
    with opened(conf=SHIPPED, name="train") as sources:
        line = check(overrides, sources=sources, schema=TrainConfig, multirun=True)
    config = line.composed
    sweeper = OmegaConf.to_container(config.hydra.sweeper)
    assert isinstance(sweeper, dict)
    sought = {key: value for key, value in (sweeper.get("params") or {}).items() if key not in line.left_out}
    space, fixed = parse_space(sought, overrides)
    if not space:
        raise ConfigError("there is no search space: hparams_search=NAME has one, or type KEY='interval(1,4)'")
    monitored = {config.callbacks.checkpoint.monitor: config.callbacks.checkpoint.direction}
    metric, direction = next(iter((sweeper.get("objectives") or monitored).items()))
    program, started = ("train.py", ["${program}"]) if by_scripts() else ("c4", ["-m", "c4", "train"])
    text: dict[str, Any] = {
        "name": sweeper.get("study", "search"),
        "program": program,
        "method": "bayes",
        "metric": {"name": metric, "goal": DIRECTIONS[direction]},
        "early_terminate": {"type": "hyperband", "min_iter": max(1, sweeper.get("pruner_warmup", 1))},
        "command": ["${env}", "${interpreter}", *started, *fixed, "logger=wandb", "${args_no_hyphens}"],
        "parameters": {one.key: _parameter(one) for one in space},
    }
    if "trials" in sweeper:
        text["run_cap"] = sweeper["trials"]
    if sweeper.get("pruner") == Pruner.NONE.value:
        del text["early_terminate"]
    return OmegaConf.to_yaml(OmegaConf.create(text))


def _parameter(one: Dimension) -> dict[str, Any]:
    if one.kind is Kind.CHOICE:
        return {"values": list(one.choices)}
    ends: dict[str, Any] = {"min": one.low, "max": one.high}
    if one.kind is Kind.INT:
        if one.step in {None, 1} and not one.log:
            return {"distribution": "int_uniform", **ends}
        if not one.log:
            return {"distribution": "q_uniform", "q": one.step, **ends}
        return {"distribution": "q_log_uniform_values", "q": 1, **ends}
    if one.log:
        return {"distribution": "log_uniform_values", **ends}
    return {"distribution": "uniform", **ends} if one.step is None else _quantised(one)


def _quantised(one: Dimension) -> dict[str, Any]:
    return {"distribution": "q_uniform", "q": one.step, "min": one.low, "max": one.high}
