"""What a person brings to a run himself is made of what he names, or refused in a sentence that says which it is."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest
from omegaconf import OmegaConf
from pytorch_lightning import Trainer
from pytorch_lightning.callbacks import EarlyStopping, Timer
from pytorch_lightning.loggers import CSVLogger
from pytorch_lightning.profilers import SimpleProfiler

from c4.command_line import check
from c4.own import Own, own_parts
from c4.params.errors import ConfigError
from c4.params.plain import as_plain, from_plain
from c4.params.target import ASKED, forget
from c4.params.train import TrainConfig
from c4.params.trainer import OURS
from c4.params.walk import build
from c4.sources import opened

CONF = Path(__file__).parents[1] / "conf"
MINE = """
class Loss:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, output, batch, context):
        return 3

def metric(generation, *, value=1.0):
    return value

NUMBER = 3
"""
STOP = "callbacks.stop._target_=pytorch_lightning.callbacks.EarlyStopping", "callbacks.stop.monitor=loss/total"


@pytest.fixture(autouse=True)
def in_a_folder_of_his_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "of_his_own.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "of_his_own", raising=False)
    monkeypatch.setenv(ASKED, "")


def configured(*words: str) -> TrainConfig:
    with opened(conf=CONF, name="train") as sources:
        line = check(words, sources=sources, schema=TrainConfig, multirun=False)
        return build(TrainConfig, sources.compose(line.words))


def own(*words: str) -> Own:
    return own_parts(configured(*words))


def test_nothing_is_his_own_unless_he_says_so() -> None:
    assert own() == Own(callbacks=[], loggers=[], losses={}, metrics={}, trainer={})


def test_each_is_made_of_what_is_typed_with_a_plus_or_without() -> None:
    made = own(
        *STOP,
        "+callbacks.other={_target_: pytorch_lightning.callbacks.Timer, duration: 00:01:00:00}",
        "logger.mine._target_=pytorch_lightning.loggers.CSVLogger",
        "logger.mine.save_dir=${hydra:runtime.output_dir}", "hydra.run.dir=/somewhere",
        "+trainer.profiler._target_=pytorch_lightning.profilers.SimpleProfiler",
        "trainer.limit_train_batches=3",
    )  # fmt: skip
    stop, other = made.callbacks
    assert isinstance(stop, EarlyStopping)
    assert stop.monitor == "loss/total"
    assert isinstance(other, Timer)
    (logger,) = made.loggers
    assert isinstance(logger, CSVLogger)
    assert logger.root_dir.startswith("/somewhere")
    assert isinstance(made.trainer["profiler"], SimpleProfiler)
    assert made.trainer["limit_train_batches"] == 3


def test_one_that_an_experiment_brings_can_be_left_out() -> None:
    assert own(*STOP, "callbacks.stop=null").callbacks == []


def test_metrics_and_losses_are_functions_or_classes_that_can_be_called() -> None:
    made = own(
        "callbacks.metrics.mine._target_=of_his_own.metric", "callbacks.metrics.mine.value=5",
        "model.losses.mine._target_=of_his_own.Loss", "model.losses.mine.weight=0.5",
    )  # fmt: skip
    assert made.metrics["mine"](None) == 5  # type: ignore[arg-type]
    assert getattr(made.losses["mine"], "weight") == 0.5  # noqa: B009
    assert made.losses["mine"](None, None, None) == 3  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["callbacks.x._target_=of_his_own.Lose"], "callbacks.x: _target_=of_his_own.Lose: there is no Lose in of_his"),
        (
            ["callbacks.x._target_=of_his_own.Loss", "callbacks.x.weight=1"],
            "callbacks.x must be a Callback of pytorch_lightning, not Loss",
        ),
        (["logger.x._target_=builtins.dict"], "logger.x must be a Logger of pytorch_lightning, not dict"),
        (["model.losses.x._target_=builtins.dict"], "model.losses.x must be a function, or a class with __call__, not"),
        (["callbacks.metrics.x._target_=of_his_own.NUMBER"], "callbacks.metrics.x: _target_=of_his_own.NUMBER is not"),
        (["callbacks.metrics.x=3"], "callbacks.metrics.x=3 is not allowed: a mapping by name, each a mapping with"),
        (["callbacks.x.y=3"], "callbacks.x: there is no such key, and no _target_ of your own in it"),
        (
            [
                "callbacks.x._target_=pytorch_lightning.callbacks.StochasticWeightAveraging",
                "callbacks.x.swa_lrs=0.1",
            ],
            "callbacks.x: StochasticWeightAveraging is not allowed: model.ema_decay averages the weights",
        ),
        (
            ["callbacks.x._target_=pytorch_lightning.callbacks.LearningRateFinder"],
            "a script of your own finds it, and model.learning_rate takes it",
        ),
        (["trainer.profile=simple"], "nor is it a knob; did you mean trainer.profiler?"),
        (["trainer.acelerator=cpu"], "nor is it a knob; did you mean trainer.accelerator?"),
    ],
)
def test_what_cannot_be_his_own_is_said_in_a_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        own(*words)
    assert sentence in str(caught.value)


def test_what_a_run_must_say_itself_is_refused_with_what_to_say_instead() -> None:
    assert {*OURS} < {*inspect.signature(Trainer.__init__).parameters}
    for name, instead in OURS.items():
        with pytest.raises(ConfigError) as caught:
            configured(f"trainer.{name}=3")
        assert str(caught.value) == f"trainer.{name} is not allowed: {instead}"


def test_what_a_run_was_made_with_brings_nothing_that_was_not_asked_for() -> None:
    kept = as_plain(configured(*STOP))
    assert OmegaConf.create(kept).callbacks.stop.monitor == "loss/total"
    forget()
    with pytest.raises(ConfigError, match=r"trusted=\[pytorch_lightning\.callbacks\.EarlyStopping\]"):
        own_parts(from_plain(TrainConfig, kept))
    configured("trusted=[pytorch_lightning.callbacks.EarlyStopping]")
    assert len(own_parts(from_plain(TrainConfig, kept)).callbacks) == 1
