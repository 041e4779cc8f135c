"""What Lightning's Trainer can be told, in a script under a plain Trainer: each works, or is refused in a sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import pytorch_lightning as pl
import torch
from lightning_fabric.utilities.exceptions import MisconfigurationException
from pytorch_lightning.callbacks import (
    EarlyStopping,
    EMAWeightAveraging,
    GradientAccumulationScheduler,
    LearningRateMonitor,
    ModelCheckpoint,
    StochasticWeightAveraging,
)
from pytorch_lightning.loggers import CSVLogger
from pytorch_lightning.tuner import Tuner
from tests.e2e.training_kit import UNGRADED

import c4
from c4.learning import learning_rate
from c4.network.weights import load_player
from c4.params.train import TrainConfig

pytestmark = pytest.mark.filterwarnings("ignore")  # what Lightning recommends to others

STEPS = 4  # of a generation
LONG = "budget.generations=50"


@pytest.fixture(scope="module")
def config() -> TrainConfig:
    return c4.load_config(*UNGRADED, "model.ema_decay=0.9", LONG)


class Fit:
    """A fit of two generations unless told otherwise."""

    def __init__(self, config: TrainConfig, folder: Path, **flags: Any) -> None:
        own = {"max_epochs": 2, "accelerator": "cpu", "deterministic": True, "logger": False}
        silent = {"enable_progress_bar": False, "enable_model_summary": False, "default_root_dir": folder}
        self.trainer = pl.Trainer(**{**own, **silent, **flags})
        self.module, self.data = c4.C4Module.of(config), c4.C4DataModule.of(config)

    def __call__(self) -> Fit:
        self.trainer.fit(self.module, datamodule=self.data)
        return self

    @property
    def logged(self) -> dict[str, float]:
        return {name: float(value) for name, value in self.trainer.callback_metrics.items()}

    @property
    def weights(self) -> torch.Tensor:
        return torch.cat([tensor.flatten().double() for tensor in self.module.play_weights().values()])


@pytest.fixture
def fit(config: TrainConfig, tmp_path: Path) -> Callable[..., Fit]:
    return lambda **flags: Fit(config, tmp_path, **flags)()


@pytest.fixture(scope="module")
def plain(config: TrainConfig, tmp_path_factory: pytest.TempPathFactory) -> Fit:
    return Fit(config, tmp_path_factory.mktemp("plain"))()


def playable(path: Path) -> bool:
    agent = c4.load_agent(path, "simulations=8", "inference=torch")
    try:
        return agent.act("") in range(4)
    finally:
        agent.close()


# name: flags, generations and steps that come of them
LIMITS: dict[str, tuple[dict[str, Any], int, int]] = {
    "accumulate_grad_batches": ({"accumulate_grad_batches": 2}, 2, STEPS),
    "accumulate_more_than_there_is": ({"accumulate_grad_batches": 100}, 2, 2),
    "accumulate_by_schedule": ({"callbacks": [GradientAccumulationScheduler({0: 1, 1: 2})]}, 2, STEPS + STEPS // 2),
    "fast_dev_run": ({"fast_dev_run": True}, 1, 1),
    "fast_dev_run_of_three": ({"fast_dev_run": 3}, 1, 3),
    "limit_train_batches": ({"limit_train_batches": 3}, 2, 6),
    "limit_train_batches_to_a_share": ({"limit_train_batches": 0.5}, 2, 5),
    "max_steps": ({"max_steps": 6, "max_epochs": -1}, 2, 6),
    "max_time": ({"max_time": {"hours": 1}}, 2, 2 * STEPS),
    "profiler": ({"profiler": "simple"}, 2, 2 * STEPS),
    "detect_anomaly": ({"detect_anomaly": True}, 2, 2 * STEPS),
    "progress_bar": ({"enable_progress_bar": True, "enable_model_summary": True}, 2, 2 * STEPS),
    "bf16": ({"precision": "bf16-mixed"}, 2, 2 * STEPS),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_flag_does_what_lightning_says(name: str, fit: Callable[..., Fit]) -> None:
    flags, generations, steps = LIMITS[name]
    found = fit(**flags)
    assert (found.data.ledger.generation, found.trainer.global_step) == (generations, steps)
    assert found.logged["loss/total"] == pytest.approx(2.76, abs=0.05)
    assert 0.01 < found.logged["optim/grad_norm"] < 2.0


def test_gradients_are_clipped_as_the_trainer_was_told(fit: Callable[..., Fit], plain: Fit) -> None:
    short = fit(gradient_clip_val=1e-3)
    by_value = fit(gradient_clip_val=1e-4, gradient_clip_algorithm="value")
    assert short.logged["optim/grad_norm"] > 0.1  # as it was before
    moved = [(one.weights - plain.weights).abs().max().item() for one in (short, by_value)]
    assert min(moved) > 1e-4


def test_the_schedule_ends_with_the_steps(fit: Callable[..., Fit]) -> None:
    assert fit(max_steps=6, max_epochs=-1).logged["optim/progress"] == pytest.approx(5 / 6)


def test_a_checkpoint_chosen_by_a_metric_is_the_best_and_plays(fit: Callable[..., Fit], tmp_path: Path) -> None:
    keep = ModelCheckpoint(dirpath=tmp_path, monitor="loss/total", filename="best", save_last=True)
    found = fit(callbacks=[keep])
    assert keep.best_model_score is not None
    assert keep.best_model_score.item() == pytest.approx(found.logged["loss/total"])
    assert playable(tmp_path / "best.ckpt")
    assert playable(tmp_path / "last.ckpt")


def test_a_checkpoint_in_the_middle_of_a_generation_plays_and_is_not_gone_on_with(
    config: TrainConfig, fit: Callable[..., Fit], tmp_path: Path
) -> None:
    fit(callbacks=[ModelCheckpoint(dirpath=tmp_path, every_n_train_steps=2, save_top_k=-1, filename="{step}")])
    assert playable(tmp_path / "step=2.ckpt")
    again = Fit(config, tmp_path)
    with pytest.raises(ValueError, match="saved in the middle of a generation"):
        again.trainer.fit(again.module, datamodule=again.data, ckpt_path=tmp_path / "step=2.ckpt", weights_only=True)


def test_a_run_stops_early_by_a_metric(fit: Callable[..., Fit]) -> None:
    found = fit(max_epochs=5, callbacks=[EarlyStopping("loss/total", min_delta=100.0, patience=0)])
    assert found.data.ledger.generation == 2


def test_the_rate_is_seen_by_lightnings_monitor(fit: Callable[..., Fit], tmp_path: Path) -> None:
    fit(callbacks=[LearningRateMonitor("step")], logger=CSVLogger(tmp_path), log_every_n_steps=1)
    (table,) = tmp_path.rglob("metrics.csv")
    assert "lr-Muon/pg1" in table.read_text()


def test_a_rate_is_found_and_used_and_nothing_else_is_left_of_the_search(config: TrainConfig, tmp_path: Path) -> None:
    one = Fit(config, tmp_path, max_epochs=6)
    before = one.weights
    found = Tuner(one.trainer).lr_find(one.module, datamodule=one.data, num_training=15)
    assert found is not None
    assert found.results["lr"] == sorted(found.results["lr"])
    assert len({round(loss, 4) for loss in found.results["loss"]}) > 10
    assert one.module.learning_rate == found.suggestion() != config.model.learning_rate
    assert torch.equal(one.weights, before)
    assert (one.data.ledger.generation, len(one.data.window)) == (0, 0)
    rates: list[float] = []

    class Look(pl.Callback):
        def on_train_batch_end(self, trainer: pl.Trainer, *_: object) -> None:
            rates.append(trainer.optimizers[0].param_groups[0]["lr"])

    after = Fit(config, tmp_path, callbacks=[Look()])
    after.trainer.fit(one.module, datamodule=one.data)
    assert one.data.ledger.generation == 2
    expected = learning_rate(
        dataclasses.replace(config.model, learning_rate=one.module.learning_rate), progress=0.0, step=0
    )
    assert rates[0] == pytest.approx(expected)


@pytest.mark.parametrize("how", ["whole", "network", "network in place"])
def test_what_is_compiled_learns_and_is_saved_under_the_same_names(
    how: str, config: TrainConfig, plain: Fit, tmp_path: Path
) -> None:
    one = Fit(config, tmp_path)
    module: Any = one.module
    if how == "whole":
        module = torch.compile(module, backend="eager")
    elif how == "network":
        module.network = torch.compile(module.network, backend="eager")
    else:
        module.network.compile(backend="eager")
    one.trainer.fit(module, datamodule=one.data)
    one.trainer.save_checkpoint(tmp_path / "compiled.ckpt")
    assert one.logged["loss/total"] == pytest.approx(plain.logged["loss/total"], rel=1e-4)
    torch.testing.assert_close(load_player(tmp_path / "compiled.ckpt").state, plain.module.play_weights())


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "overfit_batches": ({"overfit_batches": 1}, "debug=overfit"),
    "limit_train_batches": ({"limit_train_batches": 0}, "nothing would be played or learned"),
    "precision": ({"precision": "64-true"}, "64-true is not allowed: 32-true, bf16-mixed, 16-mixed"),
    "swa": ({"callbacks": [StochasticWeightAveraging(swa_lrs=1e-3)]}, "model.ema_decay averages the weights"),
    "ema": ({"callbacks": [EMAWeightAveraging()]}, "model.ema_decay averages the weights"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_mean_something_else_is_refused_before_anything_is_played(
    name: str, config: TrainConfig, tmp_path: Path
) -> None:
    flags, sentence = REFUSED[name]
    one = Fit(config, tmp_path, **flags)
    with pytest.raises(MisconfigurationException, match=sentence):
        one()
    assert len(one.data.window) == 0


@pytest.mark.parametrize("what", ["validate", "test"])
def test_grading_is_no_loop_of_lightnings(what: str, config: TrainConfig, tmp_path: Path) -> None:
    one = Fit(config, tmp_path)
    with pytest.raises(MisconfigurationException, match=rf"trainer\.{what} is not allowed: .* python evaluate\.py"):
        getattr(one.trainer, what)(one.module, datamodule=one.data)
