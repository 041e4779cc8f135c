"""Notices when learning goes wrong: stops on a loss that is no number or has exploded, warns of collapsed self-play."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from pytorch_lightning import LightningModule, Trainer
from typing_extensions import override

from c4.datamodule import datamodule_of
from c4.ledger import Phase
from c4.params.callbacks import HealthParams
from c4.params.search import RootSelection
from c4.phases import PhaseCallback

log = logging.getLogger(__name__)


NOISE = {RootSelection.PUCT: "search.noise_epsilon", RootSelection.GUMBEL: "search.gumbel_scale"}


class UnhealthyError(RuntimeError):
    """Learning cannot go on; the text says what was seen and what helps."""

    def __init__(self, seen: str) -> None:
        super().__init__(f"{seen}; try a lower model.learning_rate")


class WatchHealth(PhaseCallback):
    """Watches losses while training; openings, entropy and repeats after each generation, which it logs."""

    phase = Phase.PUBLISH

    def __init__(self, *, params: HealthParams, root_selection: RootSelection) -> None:
        self._params, self._root_selection = params, root_selection
        self._lowest_loss = math.inf
        self._warned: set[str] = set()

    @override
    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        loss = (outputs["loss"] if isinstance(outputs, Mapping) else outputs).detach()
        if loss.device.type == "cpu" and not math.isfinite(loss):  # to ask a GPU is to wait for it: once a generation
            generation = datamodule_of(trainer).ledger.generation + 1
            raise UnhealthyError(f"the loss is {float(loss)} in generation {generation}, step {batch_idx + 1}")

    @override
    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        generation, loss = datamodule_of(trainer).ledger.generation, float(trainer.callback_metrics["loss/total"])
        if not math.isfinite(loss):
            raise UnhealthyError(f"the loss is {loss} in generation {generation}")
        if not all(bool(torch.isfinite(weights).all()) for weights in pl_module.parameters()):
            raise UnhealthyError(f"a weight of the network is not a number after generation {generation}")
        if loss > self._params.loss_factor * self._lowest_loss:
            raise UnhealthyError(
                f"the loss has exploded: {loss:.3g} in generation {generation}, {self._lowest_loss:.3g} at its lowest"
            )
        self._lowest_loss = min(self._lowest_loss, loss)
        pl_module.log_dict(self._figures(trainer))

    @override
    def state_dict(self) -> dict[str, Any]:
        return {"lowest_loss": self._lowest_loss}

    @override
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._lowest_loss = state_dict["lowest_loss"]

    def _figures(self, trainer: Trainer) -> dict[str, float]:
        """Says what looks wrong: each once, and again only after it was well in between."""
        data, params = datamodule_of(trainer), self._params
        policy = data.harvest.samples["policy"]
        entropy = policy_entropy(policy) if len(policy) else None
        openings = distinct_openings([list(game["actions"]) for game in data.harvest.games], plies=params.opening_plies)
        repeated = data.window.repeated_share()
        found = alarms(
            params, entropy=entropy, openings=openings, repeated_share=repeated, root_selection=self._root_selection
        )
        for name, sentence in found.items():
            if name not in self._warned:
                log.warning("%s", sentence)
        self._warned = set(found)
        figures = {
            "health/alarms": float(len(found)),
            "window/repeated_share": repeated,
            "selfplay/target_entropy": entropy,
            "selfplay/distinct_openings_share": openings,
        }
        return {name: figure for name, figure in figures.items() if figure is not None}


def alarms(
    params: HealthParams,
    *,
    entropy: float | None,
    openings: float | None,
    repeated_share: float,
    root_selection: RootSelection,
) -> dict[str, str]:
    """The sentences for a person, by the name of what looks wrong; `openings` is the share of distinct ones."""
    found = {}
    if entropy is not None and entropy < params.entropy_low:
        found["entropy"] = (
            f"the policy targets have an entropy of only {entropy:.2f} nats: self-play no longer explores; try more "
            f"{NOISE[root_selection]} or a higher search.temperature_start"
        )
    if openings is not None and openings < params.openings_low:
        found["openings"] = (
            f"only {openings:.0%} of the games differ in their first {params.opening_plies} plies: self-play collapses "
            "into few openings; try more selfplay.random_opening_probability or a higher search.temperature_start"
        )
    if repeated_share > params.repeats_high:
        found["repeats"] = (
            f"{repeated_share:.0%} of the samples are positions that the window has already; try data.repeats=averaged "
            "or more selfplay.random_opening_probability"
        )
    return found


def distinct_openings(games: Sequence[Sequence[int]], *, plies: int) -> float | None:
    """Share of distinct openings among as many games; None without games."""
    if not games:
        return None
    return len({tuple(game[:plies]) for game in games}) / len(games)


def policy_entropy(policy: Any) -> float:
    """Mean entropy of policy targets [n, actions], in nats. Rows of zeros are none."""
    rows = torch.as_tensor(policy)
    rows = rows[rows.any(dim=1)]
    return float(torch.special.entr(rows).sum(dim=1).mean()) if len(rows) else 0.0
