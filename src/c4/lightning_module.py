"""Learning: network, losses and optimizer, a batch at a time. Never plays, and does not know where batches come from.

A batch has planes u8 [B, C, H, W], policy [B, A], and each [B]: result, drawn, result_share, bootstrap (together
losses.Traced), root_value, plies_left, weight, policy_weight (of the same sum, 0 where there is no policy target).
value: native/value.h.

An epoch is a generation. What is logged at its end, over all of its steps: docs/METRICS.md, from loss/ to optim/.
Whatever data module it learns from keeps the run's ledger (c4/ledger.py) and says what its training is probed on.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import torch
from pytorch_lightning import Callback, LightningModule
from pytorch_lightning.core.optimizer import LightningOptimizer
from torch import Tensor, nn
from torch.nn.utils import get_total_norm
from typing_extensions import override

from c4 import learning
from c4.games import GameSpec, game_spec
from c4.ledger import Ledger
from c4.losses import explained_variance, kl_divergence
from c4.machine import cores
from c4.network.network import answer, make_network, of_its_own
from c4.network.output import Evaluation, evaluation
from c4.network.weights import CHECKPOINT_KEY, player_header, save_player
from c4.objective import Loss, Objective, own_losses
from c4.params.model import ModelParams
from c4.params.network import NetworkDesign
from c4.params.plain import as_plain
from c4.params.train import TrainConfig
from c4.phases import CloseGeneration
from c4.shards import Batch, Measured, Team


class Generations(Protocol):
    """What is asked of the data module."""

    ledger: Ledger

    def probe(self) -> Batch:
        """The newest samples of the generation: what its training changes is measured on them."""
        ...


class C4Module(LightningModule):
    def __init__(
        self,
        *,
        spec: GameSpec,
        network: NetworkDesign,
        model: ModelParams,
        workers: int,
        losses: Mapping[str, Loss] = MappingProxyType({}),
    ) -> None:
        """`workers` share a step on a processor (shards.py); a GPU needs none.

        `losses` are minimised beside those that ship (objective.py).
        """
        super().__init__()
        self.save_hyperparameters(
            {"game": spec.name, "network": as_plain(network), "model": as_plain(model)}, logger=False
        )
        self.network = make_network(spec, network)
        self.average = copy.deepcopy(self.network).requires_grad_(False) if model.ema_decay is not None else None
        self._objective = Objective(model, losses)
        self._spec, self._design = spec, network
        self._params, self._workers = model, workers
        self._progress = 0.0  # share of the budget that was spent when the step began
        self._team: Team | None = None
        self._threads = 1  # that torch had before the fit
        self._kl_factor = 1.0
        self._sums: dict[str, Tensor] = {}
        self._steps = 0
        self._probed: Batch | None = None
        self._before: Evaluation | None = None

    @classmethod
    def of(cls, config: TrainConfig, *, losses: Mapping[str, Loss] | None = None) -> C4Module:
        """As `train.py` makes it of a configuration: the same seed, the same first weights.

        `losses` are those that the configuration names, unless they are made already.
        """
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            return cls(
                spec=game_spec(config.game.name),
                network=of_its_own(config.network),
                model=config.model,
                workers=config.trainer.threads or cores(),
                losses=own_losses(config.model) if losses is None else losses,
            )

    @property
    def ledger(self) -> Ledger:
        """Of the run that this module is trained in."""
        return self._data.ledger

    @property
    def _data(self) -> Generations:
        data: Generations | None = getattr(self.trainer, "datamodule", None)
        if data is None or not hasattr(data, "ledger"):
            raise TypeError("C4Module learns from a data module with a ledger, such as C4DataModule")
        return data

    def play_weights(self) -> dict[str, Tensor]:
        """The state of the network that plays: the average of the weights where there is one. Shares no memory."""
        source = self.network if self.average is None else self.average
        return {name: tensor.detach().clone() for name, tensor in source.state_dict().items()}

    def save_player(self, path: Path, *, card: Mapping[str, Any]) -> None:
        """Writes the weights that play, to be played with; `card`: plain values about them."""
        save_player(path, spec=self._spec, design=self._design, state=self.play_weights(), card=card)

    @override
    def configure_callbacks(self) -> list[Callback]:
        return [CloseGeneration()]

    @override
    def setup(self, stage: str) -> None:
        """A run ends with its budget, or with what the Trainer was told: whichever comes first."""
        if stage == "fit" and (epochs := self.trainer.max_epochs) is not None and epochs > 0:
            self.ledger.limit(generations=epochs)

    @override
    def configure_optimizers(self) -> torch.optim.Optimizer:
        # On a GPU a fused one takes the gradients of 16-mixed scaled: they could be neither measured nor clipped.
        return learning.make_optimizer(self.network, self._params, fused=self.device.type == "cpu")

    @override
    def training_step(self, batch: Batch, batch_idx: int) -> Tensor:
        team = self._team
        measured = self._measure(self.network, batch) if team is None else team.measure(self._measure, batch)
        self._add("loss/total", measured.loss)
        for name, figure in measured.figures.items():
            self._add(name, figure)
        self._steps += 1
        return measured.loss

    @override
    def on_fit_start(self) -> None:
        self._threads = torch.get_num_threads()
        torch.set_num_threads(1)  # steps are shared by workers instead: c4/shards.py
        torch.set_flush_denormal(True)
        if self._workers > 1 and self.device.type == "cpu":
            self._team = Team(self.network, workers=self._workers)

    @override
    def on_fit_end(self) -> None:
        torch.set_num_threads(self._threads)
        if self._team is not None:
            self._team.close()
            self._team = None

    @override
    def on_train_epoch_start(self) -> None:
        self._sums, self._steps = {}, 0

    @override
    def on_train_batch_start(self, batch: Batch, batch_idx: int) -> None:
        if batch_idx == 0:  # the generation has been played by now
            self._probed = {name: tensor.to(self.device) for name, tensor in self._data.probe().items()}
            self._before = self._evaluate(self._probed)
        self.ledger.step(batch_idx, of=self.trainer.num_training_batches)
        self._progress = self.ledger.progress()
        rate = learning.learning_rate(self._params, progress=self._progress, step=self.trainer.global_step)
        for group in self.trainer.optimizers[0].param_groups:
            group["lr"] = rate * self._kl_factor

    @override
    def configure_gradient_clipping(
        self,
        optimizer: torch.optim.Optimizer,
        gradient_clip_val: float | None = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        gradients = [parameter.grad for parameter in self.network.parameters() if parameter.grad is not None]
        length = get_total_norm(gradients)
        self._add("optim/grad_norm", length)
        most = self._params.gradient_clip
        if most is not None:  # torch's own clipping adds a little to the length, which changes weights
            torch._foreach_mul_(gradients, (most / length).clamp_max(1.0))

    @override
    def optimizer_step(
        self,
        epoch: int,
        batch_idx: int,
        optimizer: torch.optim.Optimizer | LightningOptimizer,
        optimizer_closure: Callable[[], Any] | None = None,
    ) -> None:
        super().optimizer_step(epoch, batch_idx, optimizer, optimizer_closure)
        decay = self._params.ema_decay
        if self.average is not None and decay is not None:
            learning.update_average(self.average, self.network, decay=decay, step=self.trainer.global_step)

    def close_generation(self) -> None:
        """Logs what a generation's training was like (CloseGeneration)."""
        metrics = {name: total / self._steps for name, total in self._sums.items()}
        metrics["optim/lr"] = torch.tensor(self.trainer.optimizers[0].param_groups[0]["lr"])
        metrics["optim/kl_factor"] = torch.tensor(self._kl_factor)
        metrics["optim/weight_norm"] = get_total_norm([weights.detach() for weights in self.network.parameters()])
        metrics["optim/progress"] = torch.tensor(self._progress)
        metrics |= self._changes()
        self.log_dict(metrics)

    @override
    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        checkpoint["c4_module"] = {"kl_factor": self._kl_factor}
        checkpoint[CHECKPOINT_KEY] = player_header(self._spec, self._design, card={})

    @override
    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        self._kl_factor = checkpoint["c4_module"]["kl_factor"]

    def _measure(self, network: nn.Module, batch: Batch) -> Measured:
        output = answer(network, batch["planes"].float()).float()
        return self._objective(output, batch, progress=self._progress)

    def _changes(self) -> dict[str, Tensor]:
        """What the generation's training has changed; adapts the learning rate to it."""
        probed, before = self._probed, self._before
        if probed is None or before is None or len(probed["result"]) == 0:
            return {}
        after = self._evaluate(probed)
        moved = kl_divergence(before.policy_logits, after.policy_logits).mean()
        self._kl_factor = learning.adapted(self._kl_factor, moved=moved.item(), params=self._params)
        return {
            "policy/kl_step": moved,
            "value/explained_variance_before": explained_variance(before.value, probed["result"]),
            "value/explained_variance_after": explained_variance(after.value, probed["result"]),
        }

    def _evaluate(self, batch: Batch) -> Evaluation:
        """With the newest weights, as in play: statistics fixed, nothing is learned, no mixed precision."""
        self.network.eval()
        try:
            with torch.no_grad(), torch.autocast(self.device.type, enabled=False):
                return evaluation(answer(self.network, batch["planes"].float()))
        finally:
            self.network.train()

    def _add(self, name: str, value: Tensor) -> None:
        """Means over a generation by hand: Lightning's, of nine figures, take 1.4 ms a step, half of a small one."""
        self._sums[name] = self._sums[name] + value.detach() if name in self._sums else value.detach()
