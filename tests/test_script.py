"""A run in a script of somebody's own, under a plain Trainer: it learns, saves, is played with and resumed."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import ModelCheckpoint
from safetensors.torch import load_file
from tests.e2e.training_kit import UNGRADED, only_run, train
from typing_extensions import override

import c4
from c4.network.weights import load_player
from c4.params.errors import ConfigError
from c4.params.train import TrainConfig
from c4.run.archive import Archive
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # what Lightning recommends to others
]

GENERATIONS = 3
WORDS = (
    *UNGRADED, f"budget.generations={GENERATIONS}", "model.ema_decay=0.9",
    "data.generation_samples_growth=2", "data.generation_samples_max=256",  # each generation has a length of its own
)  # fmt: skip


class Stop(pl.Callback):
    """Ends a fit early, as its budget would have it go on."""

    def __init__(self, after: int) -> None:
        self._after = after

    @override
    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        trainer.should_stop = trainer.should_stop or trainer.current_epoch + 1 == self._after


def fit(
    config: TrainConfig, folder: Path, *callbacks: pl.Callback, samples: Path | None = None, saved: str | None = None
) -> c4.C4Module:
    keep = ModelCheckpoint(dirpath=folder, filename="{epoch}", save_top_k=-1)
    trainer = pl.Trainer(
        max_epochs=GENERATIONS, accelerator="cpu", deterministic=True, default_root_dir=folder,
        callbacks=[*callbacks, keep], enable_progress_bar=False, logger=False,
    )  # fmt: skip
    module = c4.C4Module.of(config)
    data = c4.C4DataModule.of(config, archive=samples and Archive(folder=samples))
    trainer.fit(module, datamodule=data, ckpt_path=saved, weights_only=True)
    return module


@pytest.fixture(scope="module")
def config() -> TrainConfig:
    return c4.load_config(*WORDS)


@pytest.fixture(scope="module")
def module(config: TrainConfig, tmp_path_factory: pytest.TempPathFactory) -> tuple[c4.C4Module, Path]:
    folder = tmp_path_factory.mktemp("script")
    return fit(config, folder), folder


def test_it_learns_what_the_program_learns(
    config: TrainConfig, module: tuple[c4.C4Module, Path], tmp_path: Path
) -> None:
    train(*WORDS, runs=tmp_path)
    run = RunFolder(path=only_run(tmp_path))
    assert read_metrics(run)[GENERATIONS]["window/sampling_ratio"] == pytest.approx(config.data.sampling_ratio, rel=0.1)
    expected = load_file(run.player("last"))
    found = module[0].play_weights()
    assert found.keys() == expected.keys()
    assert [name for name in expected if not torch.equal(found[name], expected[name])] == []


def test_what_it_saves_is_played_with(module: tuple[c4.C4Module, Path]) -> None:
    newest = module[1] / f"epoch={GENERATIONS - 1}.ckpt"
    weights = module[0].play_weights()
    assert all(torch.equal(weights[name], tensor) for name, tensor in load_player(newest).state.items())
    agent = c4.load_agent(newest, "simulations=8", "inference=torch")
    assert agent.act("") in range(4)
    agent.close()


def test_a_run_that_is_gone_on_with_ends_with_the_weights_of_one_that_never_was(
    config: TrainConfig, module: tuple[c4.C4Module, Path], tmp_path: Path
) -> None:
    fit(config, tmp_path / "half", Stop(after=2), samples=tmp_path / "samples")
    saved = str(tmp_path / "half" / "epoch=1.ckpt")
    whole = fit(config, tmp_path / "rest", samples=tmp_path / "samples", saved=saved).play_weights()
    expected = module[0].play_weights()
    assert [name for name in expected if not torch.equal(whole[name], expected[name])] == []
    with pytest.raises(ValueError, match="to go on takes the samples of earlier generations"):
        fit(config, tmp_path / "lost", saved=saved)


def test_what_is_asked_wrongly_has_its_sentence() -> None:
    with pytest.raises(ConfigError, match="did you mean search.cpuct"):
        c4.load_config("search.cpuctt=1")


def test_a_seed_of_nought_is_a_seed() -> None:
    def first_weights(seed: int) -> torch.Tensor:
        torch.manual_seed(seed + 7)  # whatever was drawn before
        return next(c4.C4Module.of(c4.load_config("experiment=tiny", f"seed={seed}")).parameters()).detach()

    assert torch.equal(first_weights(0), first_weights(0))
    assert not torch.equal(first_weights(0), first_weights(1))
