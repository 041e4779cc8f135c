"""The module under a real Trainer: it learns, it logs what it says it logs, and it resumes bit for bit."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest
import pytorch_lightning as pl
import torch
from tests.network.shapes import SMALL
from tests.test_learning import PARAMS
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset
from typing_extensions import override

from c4.games import game_spec
from c4.ledger import Ledger
from c4.lightning_module import C4Module
from c4.network.output import evaluation
from c4.network.weights import PlayerFileError, load_player
from c4.params.budget import BudgetParams
from c4.params.model import ModelParams, Optimizer, Schedule
from c4.params.network import NetworkParams, ValueHead
from c4.params.target import ASKED, Target

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*does not have many workers", "ignore:.*`isinstance.treespec, LeafSpec.` is deprecated"
)

SPEC = game_spec("connect4_4x4")
FAST = dataclasses.replace(PARAMS, learning_rate=0.02, kl_target=None)
STEPS = 3  # of a generation
ENDLESS = BudgetParams(generations=10_000_000, games=None, minutes=None, final_seconds=0.0)


def batch_of(seed: int, *, rows: int = 48) -> dict[str, Tensor]:
    """Positions whose first plane says all: a stone in cell 0 wins with action 0 in 2 plies, else 3 loses in 5."""
    stream = torch.Generator().manual_seed(seed)
    planes = (torch.rand((rows, 3, 4, 4), generator=stream) < 0.3).to(torch.uint8)
    wins = planes[:, 0, 0, 0].bool()
    result = torch.where(wins, 1.0, -1.0)
    policy = torch.nn.functional.one_hot(torch.where(wins, 0, 3), 4).float()
    weight = torch.rand(rows, generator=stream) + 0.5
    return {
        "planes": planes,
        "policy": policy,
        "result": result,
        "drawn": torch.zeros(rows),
        "result_share": torch.ones(rows),
        "bootstrap": torch.zeros(rows),
        "root_value": 0.5 * result,
        "plies_left": torch.where(wins, 2, 5),
        "weight": weight,
        "policy_weight": weight,
    }


class Generations(pl.LightningDataModule):
    """Batches that depend on the generation alone."""

    def __init__(self, *, ledger: Ledger | None = None, probed: int = 48) -> None:
        super().__init__()
        self.ledger, self._probed = ledger or Ledger(ENDLESS), probed

    def probe(self) -> dict[str, Tensor]:
        return {name: rows[: self._probed] for name, rows in batch_of(7).items()}

    @override
    def state_dict(self) -> dict[str, Any]:
        return self.ledger.state_dict()

    @override
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.ledger.load_state_dict(state_dict)

    @override
    def train_dataloader(self) -> DataLoader[dict[str, Tensor]]:
        assert self.trainer is not None
        first = 1000 * self.trainer.current_epoch
        return DataLoader([batch_of(first + i) for i in range(STEPS)], batch_size=None)  # type: ignore[arg-type]


def module_of(model: ModelParams = FAST, network: NetworkParams = SMALL, *, workers: int = 1) -> C4Module:
    torch.manual_seed(1)
    return C4Module(spec=SPEC, network=network, model=model, workers=workers)


def trainer_of(generations: int, **knobs: object) -> pl.Trainer:
    return pl.Trainer(
        max_epochs=generations,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        reload_dataloaders_every_n_epochs=1,
        **knobs,  # type: ignore[arg-type]
    )


def fit(module: C4Module, generations: int, **knobs: object) -> pl.Trainer:
    trainer = trainer_of(generations, **knobs)
    trainer.fit(module, datamodule=Generations())
    return trainer


@pytest.mark.parametrize("optimizer", Optimizer, ids=lambda choice: choice.value)
@pytest.mark.parametrize("head", ValueHead, ids=lambda choice: choice.value)
@pytest.mark.parametrize(("precision", "workers"), [("32-true", 1), ("32-true", 2), ("bf16-mixed", 2)])
def test_it_learns(optimizer: Optimizer, head: ValueHead, precision: str, workers: int) -> None:
    rate = 0.2 if optimizer is Optimizer.SGD else 0.01
    model = dataclasses.replace(FAST, optimizer=optimizer, learning_rate=rate, value_root_share=0.0, gradient_clip=1.0)
    module = module_of(model, dataclasses.replace(SMALL, value_head=head), workers=workers)
    trainer = fit(module, 25, precision=precision)
    batch = batch_of(999_999)
    said = evaluation(module.network.eval()(batch["planes"].float()))
    assert (said.value.sign() == batch["result"]).float().mean() > 0.95
    assert (said.policy_logits.argmax(dim=1) == batch["policy"].argmax(dim=1)).float().mean() > 0.95
    assert (said.plies_left - batch["plies_left"]).abs().mean() < 1.0
    assert trainer.callback_metrics["value/explained_variance_after"] > 0.5


def test_what_is_logged_is_what_the_table_says() -> None:
    table = (Path(__file__).parents[1] / "docs" / "METRICS.md").read_text()
    said = re.findall(r"^\| `((?:loss|policy|value|moves_left|optim)/\w+)` \|", table, re.MULTILINE)
    trainer = fit(module_of(), 1)
    assert sorted(trainer.callback_metrics) == sorted(said)
    assert all(torch.isfinite(value) for value in trainer.callback_metrics.values())


def test_logged_losses_are_means_over_the_steps_of_the_generation() -> None:
    module = module_of(dataclasses.replace(FAST, learning_rate=1e-8, weight_decay=0.0))
    trainer = fit(module, 1)
    logged = trainer.callback_metrics
    assert logged["policy/entropy"].item() == pytest.approx(torch.log(torch.tensor(4.0)).item(), abs=1e-4)
    assert logged["policy/target_entropy"].item() == 0.0
    assert logged["loss/policy"].item() == pytest.approx(torch.log(torch.tensor(4.0)).item(), abs=1e-4)
    weighted = logged["loss/policy"] + logged["loss/value"] + 0.1 * logged["loss/moves_left"]
    assert logged["loss/total"].item() == pytest.approx(weighted.item(), abs=1e-5)


def test_nothing_moves_at_a_rate_near_zero_and_something_does_at_a_real_one() -> None:
    still = fit(module_of(dataclasses.replace(FAST, learning_rate=1e-8)), 1).callback_metrics
    moved = fit(module_of(), 1).callback_metrics
    assert still["policy/kl_step"].item() == pytest.approx(0.0, abs=1e-6)
    assert moved["policy/kl_step"].item() > 1e-4
    assert moved["value/explained_variance_after"] != moved["value/explained_variance_before"]


@pytest.mark.parametrize("model", [
    FAST,
    dataclasses.replace(FAST, ema_decay=0.9, kl_target=0.001, gradient_clip=0.5, schedule=Schedule.COSINE),
    dataclasses.replace(FAST, optimizer=Optimizer.SGD, warmup_steps=7, schedule=Schedule.STAGED),
], ids=["plain", "everything", "sgd"])  # fmt: skip
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_was_resumed_has_the_weights_of_one_that_never_was(
    tmp_path: Path, model: ModelParams, workers: int
) -> None:
    class Half(pl.Callback):
        @override
        def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
            trainer.should_stop = trainer.current_epoch == 1

    whole = module_of(model, workers=workers)
    fit(whole, 4)
    first = module_of(model, workers=workers)
    fit(first, 4, callbacks=[Half()]).save_checkpoint(tmp_path / "half.ckpt")
    torch.manual_seed(12345)
    second = C4Module(spec=SPEC, network=SMALL, model=model, workers=workers)
    trainer = trainer_of(4)
    trainer.fit(second, datamodule=Generations(), ckpt_path=str(tmp_path / "half.ckpt"), weights_only=True)
    expected, found = whole.state_dict(), second.state_dict()
    assert expected.keys() == found.keys()
    assert [name for name in expected if not torch.equal(expected[name], found[name])] == []
    assert not torch.equal(first.network.stem.conv.weight, second.network.stem.conv.weight)


def test_the_rate_follows_steps_while_warming_up_and_progress_in_its_schedule() -> None:
    module = module_of(dataclasses.replace(FAST, warmup_steps=12))
    assert fit(module, 1).callback_metrics["optim/lr"].item() == pytest.approx(0.02 * STEPS / 12)
    module = module_of(dataclasses.replace(FAST, schedule=Schedule.STAGED))
    metrics = fit(module, 1).callback_metrics  # a stage begins at half of the run
    assert metrics["optim/lr"].item() == pytest.approx(0.002)
    assert metrics["optim/progress"].item() == pytest.approx((STEPS - 1) / STEPS)


def test_the_adapted_factor_moves_the_rate_and_is_kept(tmp_path: Path) -> None:
    eager = dataclasses.replace(FAST, kl_target=1e-6, kl_step=2.0, kl_range=100.0)
    module = module_of(eager)
    trainer = fit(module, 3)
    assert trainer.callback_metrics["optim/kl_factor"].item() == pytest.approx(1 / 4)
    assert trainer.callback_metrics["optim/lr"].item() == pytest.approx(0.02 / 4)
    trainer.save_checkpoint(tmp_path / "run.ckpt")
    resumed = module_of(eager)
    later = trainer_of(4)
    later.fit(resumed, datamodule=Generations(), ckpt_path=str(tmp_path / "run.ckpt"), weights_only=True)
    assert later.callback_metrics["optim/lr"].item() == pytest.approx(0.02 / 8)


@pytest.mark.parametrize("decay", [None, 0.8])
def test_a_checkpoint_can_be_played_from(tmp_path: Path, decay: float | None) -> None:
    module = module_of(dataclasses.replace(FAST, ema_decay=decay))
    fit(module, 2).save_checkpoint(tmp_path / "run.ckpt")
    player = load_player(tmp_path / "run.ckpt", game=SPEC.name)
    assert player.design == SMALL
    weights = module.play_weights()
    assert weights.keys() == player.state.keys()
    assert all(torch.equal(weights[name], player.state[name]) for name in weights)
    newest = torch.equal(weights["stem.conv.weight"], module.network.stem.conv.weight)
    assert newest is (decay is None)


@pytest.mark.parametrize("decay", [None, 0.8])
def test_a_checkpoint_becomes_the_module_that_it_was_saved_of(tmp_path: Path, decay: float | None) -> None:
    module = module_of(dataclasses.replace(FAST, ema_decay=decay, learning_rate=0.013))
    fit(module, 2).save_checkpoint(tmp_path / "run.ckpt")
    loaded = C4Module.load_from_checkpoint(tmp_path / "run.ckpt")
    assert loaded.learning_rate == 0.013
    torch.testing.assert_close(loaded.state_dict(), module.state_dict(), rtol=0.0, atol=0.0)
    fit(loaded, 1)  # and learns on


def test_a_players_file_becomes_a_module_that_plays_and_learns(tmp_path: Path) -> None:
    module = module_of()
    module.save_player(tmp_path / "player.safetensors", card={})
    loaded = C4Module.load_from_checkpoint(
        tmp_path / "player.safetensors", model=dataclasses.replace(FAST, ema_decay=0.9)
    )
    torch.testing.assert_close(loaded.play_weights(), module.play_weights(), rtol=0.0, atol=0.0)
    torch.testing.assert_close(dict(loaded.network.state_dict()), module.play_weights(), rtol=0.0, atol=0.0)
    assert C4Module.load_from_checkpoint("champion", map_location="cpu").eval()(
        torch.zeros(1, 3, 6, 7)
    ).value.shape == (1,)


def test_a_file_of_a_strangers_is_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.save({"c4_player": "{}", "state_dict": {}, "loop": Path}, tmp_path / "pickle.ckpt")
    with pytest.raises(PlayerFileError, match="holds more than data"):
        C4Module.load_from_checkpoint(tmp_path / "pickle.ckpt")
    own = Target("tests.network.foreign.Mlp", {})
    monkeypatch.setenv(ASKED, own.path)
    torch.manual_seed(1)
    fit(C4Module(spec=SPEC, network=own, model=FAST, workers=1), 1).save_checkpoint(tmp_path / "own.ckpt")
    monkeypatch.setenv(ASKED, "")
    with pytest.raises(PlayerFileError, match="a file names what is not part of this program"):
        C4Module.load_from_checkpoint(tmp_path / "own.ckpt")
    assert C4Module.load_from_checkpoint(tmp_path / "own.ckpt", trusted=[own.path]).network


@pytest.mark.parametrize("decay", [None, 0.8])
def test_positions_are_predicted_by_the_weights_that_play(decay: float | None) -> None:
    module = module_of(dataclasses.replace(FAST, ema_decay=decay))
    trainer = fit(module, 2)
    batch = batch_of(5)
    network = (module.network if module.average is None else module.average).eval()
    with torch.no_grad():
        expected = evaluation(network(batch["planes"].float()))
    planes = batch["planes"]
    for source in (planes, TensorDataset(planes), [{"planes": one} for one in planes]):
        parts = trainer.predict(module, dataloaders=DataLoader(source, batch_size=20))  # type: ignore[arg-type]
        assert parts is not None
        found = [torch.cat(column) for column in zip(*parts, strict=True)]  # type: ignore[arg-type]
        torch.testing.assert_close(found, list(expected))
    torch.testing.assert_close(list(module.eval()(planes)), list(expected))


def test_play_weights_do_not_change_with_further_training() -> None:
    module = module_of()
    weights = module.play_weights()
    with torch.no_grad():
        module.network.stem.conv.weight.add_(1.0)
    assert not torch.equal(weights["stem.conv.weight"], module.network.stem.conv.weight)


def test_long_gradients_are_shortened_and_short_ones_are_not() -> None:
    module = module_of(dataclasses.replace(FAST, gradient_clip=0.5))
    parameters = list(module.network.parameters())
    for length, expected in ((2.0, 0.5), (0.3, 0.3)):
        count = sum(parameter.numel() for parameter in parameters)
        for parameter in parameters:
            parameter.grad = torch.full_like(parameter, length / count**0.5)
        module.configure_gradient_clipping(torch.optim.SGD(parameters, lr=1.0))
        total = torch.cat([p.grad.flatten() for p in parameters if p.grad is not None]).norm()
        assert total.item() == pytest.approx(expected, rel=1e-4)


def test_no_samples_to_measure_on_is_no_trouble() -> None:
    trainer = trainer_of(1)
    trainer.fit(module_of(), datamodule=Generations(probed=0))
    assert "policy/kl_step" not in trainer.callback_metrics


def test_a_budget_that_is_spent_ends_a_trainer_without_a_limit() -> None:
    book = Ledger(dataclasses.replace(ENDLESS, generations=2))
    trainer = trainer_of(-1)
    trainer.fit(module_of(), datamodule=Generations(ledger=book))
    assert trainer.current_epoch == book.generation == 2


def test_a_loader_alone_is_refused_with_what_is_missing() -> None:
    with pytest.raises(TypeError, match="learns from a data module with a ledger, such as C4DataModule"):
        trainer_of(1).fit(module_of(), train_dataloaders=DataLoader([batch_of(1)], batch_size=None))  # type: ignore[arg-type]


def test_peoples_own_callbacks_see_what_was_logged_of_the_generation() -> None:
    seen: list[set[str]] = []

    class Look(pl.Callback):
        @override
        def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
            seen.append(set(trainer.callback_metrics))

    trainer = fit(module_of(), 2, callbacks=[Look()])
    assert seen == [set(trainer.callback_metrics)] * 2
    assert "loss/total" in seen[0]


def test_batch_statistics_are_not_touched_by_measuring() -> None:
    module = module_of()
    before = {name: tensor.clone() for name, tensor in module.network.state_dict().items()}
    module._evaluate(batch_of(3))
    assert all(torch.equal(before[name], tensor) for name, tensor in module.network.state_dict().items())
    assert module.network.training
