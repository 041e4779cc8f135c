"""Health: what stops a run, what is warned of, and that each is said once."""

from __future__ import annotations

import logging
import types
from typing import Any, cast

import numpy as np
import pytest
import torch
from pytorch_lightning import LightningModule
from torch import nn

from c4.callbacks.watch_health import UnhealthyError, WatchHealth, alarms, distinct_openings, policy_entropy
from c4.params.callbacks import HealthParams
from c4.params.search import RootSelection

PARAMS = HealthParams(loss_factor=3.0, entropy_low=0.1, openings_low=0.2, opening_plies=2, repeats_high=0.9)
EVEN = np.full((4, 4), 0.25, np.float32)


class Module(nn.Module):
    def __init__(self, *, weight: float = 1.0) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([weight]))
        self.logged: dict[str, float] = {}

    def log_dict(self, figures: dict[str, float]) -> None:
        self.logged = figures


class OnCard(torch.Tensor):
    device = torch.device("cuda")


def trainer(*, policy: Any = EVEN, repeated: float = 0.1) -> Any:
    games = [{"actions": [column, column]} for column in range(4)]
    harvest = types.SimpleNamespace(samples={"policy": policy}, games=games)
    window = types.SimpleNamespace(repeated_share=lambda: repeated)
    ledger = types.SimpleNamespace(generation=4)
    data = types.SimpleNamespace(harvest=harvest, window=window, ledger=ledger)
    return types.SimpleNamespace(datamodule=data, callback_metrics={})


def close(run: Any, *, loss: float) -> None:
    """As a module does at the end of a generation."""
    run.datamodule.ledger.generation += 1
    run.callback_metrics["loss/total"] = torch.tensor(loss)


def health_of(params: HealthParams) -> WatchHealth:
    return WatchHealth(params=params, root_selection=RootSelection.GUMBEL)


def generation(health: WatchHealth, *losses: float, module: Module | None = None, **facts: Any) -> Module:
    run, module = trainer(**facts), module or Module()
    for index, loss in enumerate(losses):
        health.on_train_batch_end(run, cast(LightningModule, module), {"loss": torch.tensor(loss)}, None, index)
    close(run, loss=sum(losses) / len(losses))
    health.on_train_epoch_end(run, cast(LightningModule, module))
    return module


@pytest.mark.parametrize("loss", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_stops_at_that_step(loss: float) -> None:
    with pytest.raises(UnhealthyError, match=f"the loss is {loss} in generation 5, step 2"):
        generation(health_of(PARAMS), 1.0, loss, 1.0)


def test_a_gpu_is_asked_for_its_losses_once_a_generation() -> None:
    health, run, module = health_of(PARAMS), trainer(), cast(LightningModule, Module())
    for loss in (1.0, float("nan")):
        health.on_train_batch_end(run, module, {"loss": torch.tensor(loss).as_subclass(OnCard)}, None, 0)
    close(run, loss=float("nan"))
    with pytest.raises(UnhealthyError, match=r"^the loss is nan in generation 5; try a lower model\.learning_rate$"):
        health.on_train_epoch_end(run, module)


def test_a_weight_that_is_no_number_stops() -> None:
    with pytest.raises(UnhealthyError, match="a weight of the network is not a number after generation 5"):
        generation(health_of(PARAMS), 1.0, module=Module(weight=float("nan")))


def test_an_exploding_loss_stops_even_over_a_resume() -> None:
    health = health_of(PARAMS)
    generation(health, 1.0, 3.0)  # 2 on average
    generation(health, 5.9)
    resumed = health_of(PARAMS)
    resumed.load_state_dict(health.state_dict())
    with pytest.raises(UnhealthyError, match=r"the loss has exploded: 6\.1 in generation 5, 2 at its lowest"):
        generation(resumed, 6.1)


def test_collapsed_self_play_is_warned_of_once_until_it_recovers(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    health, sharp = health_of(PARAMS), np.eye(4, dtype=np.float32)
    assert generation(health, 1.0).logged == {
        "health/alarms": 0.0,
        "window/repeated_share": 0.1,
        "selfplay/target_entropy": pytest.approx(np.log(4)),
        "selfplay/distinct_openings_share": 1.0,
    }
    for _ in range(3):
        assert generation(health, 1.0, policy=sharp).logged["health/alarms"] == 1.0
    assert len(caplog.records) == 1
    assert "entropy of only 0.00 nats" in caplog.text
    assert "more search.gumbel_scale or a higher" in caplog.text, "gumbel has no use for noise_epsilon"
    generation(health, 1.0)
    generation(health, 1.0, policy=sharp, repeated=0.95)
    assert len(caplog.records) == 3


def test_each_alarm_has_its_limit() -> None:
    def found(*, entropy: float | None = 1.0, openings: float | None = 0.2, repeated: float = 0.9) -> set[str]:
        selection = RootSelection.PUCT
        return set(
            alarms(PARAMS, entropy=entropy, openings=openings, repeated_share=repeated, root_selection=selection)
        )

    assert found() == set()
    assert found(entropy=0.09) == {"entropy"}
    assert found(openings=0.19) == {"openings"}
    assert found(repeated=0.91) == {"repeats"}
    assert found(openings=None, entropy=None) == set(), "nothing was played: nothing can be said"


def test_openings_and_entropy_are_counted_by_hand() -> None:
    assert distinct_openings([[1, 2, 3], [1, 2, 4], [2, 1, 1], [1]], plies=2) == pytest.approx(3 / 4)
    assert distinct_openings([], plies=2) is None
    halves = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]], np.float32)
    assert policy_entropy(halves) == pytest.approx(np.log(2) / 2)
    assert policy_entropy(halves[:0]) == 0.0
    without_target = np.concatenate([halves, np.zeros((5, halves.shape[1]), halves.dtype)])
    assert policy_entropy(without_target) == policy_entropy(halves)
