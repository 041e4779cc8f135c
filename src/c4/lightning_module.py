"""Learning: network, losses and optimizer, a batch at a time. Never plays, and does not know where batches come from.

A batch has planes u8 [B, C, H, W], policy [B, A], and each [B]: result, drawn, result_share, bootstrap (together
losses.Traced), root_value, plies_left, weight, policy_weight (of the same sum, 0 where there is no policy target).
value: native/value.h.

An epoch is a generation. What is logged at its end, over all of its steps: docs/METRICS.md, from loss/ to optim/.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from pytorch_lightning import LightningModule
from pytorch_lightning.core.optimizer import LightningOptimizer
from torch import Tensor, nn
from typing_extensions import override

from c4 import learning, losses
from c4.games import GameSpec
from c4.network.network import answer, make_network
from c4.network.output import Evaluation, NetworkOutput, evaluation, value_head_of
from c4.network.weights import CHECKPOINT_KEY, player_header
from c4.params.model import ModelParams
from c4.params.network import NetworkDesign, ValueHead
from c4.params.plain import as_plain
from c4.shards import Batch, Measured, Team


class C4Module(LightningModule):
    """`progress` is the share of the run's budget that is spent: who counts it sets it before each step."""

    def __init__(
        self,
        *,
        spec: GameSpec,
        network: NetworkDesign,
        model: ModelParams,
        probe: Callable[[], Batch],
        workers: int,
    ) -> None:
        """`probe` gives the newest samples of the generation: what its training changes is measured on them.

        `workers` share a step on a processor (shards.py); a GPU needs none.
        """
        super().__init__()
        self.save_hyperparameters(
            {"game": spec.name, "network": as_plain(network), "model": as_plain(model)}, logger=False
        )
        self.network = make_network(spec, network)
        self.average = copy.deepcopy(self.network).requires_grad_(False) if model.ema_decay is not None else None
        self.progress = 0.0
        self._spec, self._design = spec, network
        self._params, self._probe, self._workers = model, probe, workers
        self._team: Team | None = None
        self._kl_factor = 1.0
        self._sums: dict[str, Tensor] = {}
        self._steps = 0
        self._probed: Batch | None = None
        self._before: Evaluation | None = None

    def play_weights(self) -> dict[str, Tensor]:
        """The state of the network that plays: the average of the weights where there is one. Shares no memory."""
        source = self.network if self.average is None else self.average
        return {name: tensor.detach().clone() for name, tensor in source.state_dict().items()}

    @override
    def configure_optimizers(self) -> torch.optim.Optimizer:
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
        if self._workers > 1 and self.device.type == "cpu":
            self._team = Team(self.network, workers=self._workers)

    @override
    def on_fit_end(self) -> None:
        if self._team is not None:
            self._team.close()
            self._team = None

    @override
    def on_train_epoch_start(self) -> None:
        self._sums, self._steps = {}, 0

    @override
    def on_train_batch_start(self, batch: Batch, batch_idx: int) -> None:
        if batch_idx == 0:  # the generation has been played by now
            self._probed = {name: tensor.to(self.device) for name, tensor in self._probe().items()}
            self._before = self._evaluate(self._probed)
        rate = learning.learning_rate(self._params, progress=self.progress, step=self.trainer.global_step)
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
        length = learning.norm(gradients)
        self._add("optim/grad_norm", length)
        most = self._params.gradient_clip
        if most is not None:
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

    @override
    def on_train_epoch_end(self) -> None:
        metrics = {name: total / self._steps for name, total in self._sums.items()}
        metrics["optim/lr"] = torch.tensor(self.trainer.optimizers[0].param_groups[0]["lr"])
        metrics["optim/kl_factor"] = torch.tensor(self._kl_factor)
        metrics["optim/weight_norm"] = learning.norm([weights.detach() for weights in self.network.parameters()])
        metrics["optim/progress"] = torch.tensor(self.progress)
        metrics |= self._changes()
        self.log_dict(metrics)

    @override
    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        checkpoint["c4_module"] = {"kl_factor": self._kl_factor, "progress": self.progress}
        checkpoint[CHECKPOINT_KEY] = player_header(self._spec, self._design, card={})

    @override
    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        mine = checkpoint["c4_module"]
        self._kl_factor, self.progress = mine["kl_factor"], mine["progress"]

    def _measure(self, network: nn.Module, batch: Batch) -> Measured:
        output = answer(network, batch["planes"].float()).float()
        said, weight, policy_weight = evaluation(output), batch["weight"], batch["policy_weight"]
        # Over the sum of all weights: workers differ in how many rows have a target, and still add up to the mean.
        policy = losses.policy_loss(output.policy_logits, batch["policy"], weight=policy_weight, over=weight)
        value = self._value_loss(output, said, batch)
        moves_left = losses.moves_left_loss(output.moves_left_logits, batch["plies_left"], weight=weight)
        params = self._params
        total: Tensor = (
            params.policy_weight * policy + params.value_weight * value + params.moves_left_weight * moves_left
        )
        with torch.no_grad():
            policies = torch.softmax(output.policy_logits, dim=1)
            figures = {
                "loss/policy": policy.detach(),
                "loss/value": value.detach(),
                "loss/moves_left": moves_left.detach(),
                "policy/entropy": losses.weighted_mean(losses.entropy(policies), weight),
                "policy/target_entropy": losses.weighted_mean(
                    losses.entropy(batch["policy"]), policy_weight, over=weight
                ),
                "moves_left/mae": losses.moves_left_error(said.plies_left, batch["plies_left"], weight=weight),
            }
        return Measured(total, figures)

    def _value_loss(self, output: NetworkOutput, said: Evaluation, batch: Batch) -> Tensor:
        traced = losses.Traced(batch["result"], batch["drawn"], batch["result_share"], batch["bootstrap"])
        root_value, share = batch["root_value"], learning.root_share(self._params, progress=self.progress)
        if value_head_of(output.value_logits) is ValueHead.SCALAR:
            target = losses.value_target(traced, root_value, root_share=share)
            return losses.scalar_value_loss(said.value, target, weight=batch["weight"])
        believed = torch.softmax(output.value_logits, dim=1)[:, 1]
        mixed = losses.wdl_target(traced, root_value, root_share=share, believed_draw=believed)
        return losses.wdl_value_loss(output.value_logits, mixed, weight=batch["weight"])

    def _changes(self) -> dict[str, Tensor]:
        """What the generation's training has changed; adapts the learning rate to it."""
        probed, before = self._probed, self._before
        if probed is None or before is None or len(probed["result"]) == 0:
            return {}
        after = self._evaluate(probed)
        moved = losses.kl_divergence(before.policy_logits, after.policy_logits).mean()
        self._kl_factor = learning.adapted(self._kl_factor, moved=moved.item(), params=self._params)
        return {
            "policy/kl_step": moved,
            "value/explained_variance_before": losses.explained_variance(before.value, probed["result"]),
            "value/explained_variance_after": losses.explained_variance(after.value, probed["result"]),
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
        self._sums[name] = self._sums[name] + value.detach() if name in self._sums else value.detach()
