"""Learning: network, losses and optimizer, a batch at a time. Never plays, and does not know where batches come from.

A batch has planes u8 [B, C, H, W], policy [B, A], and each [B]: result, drawn, result_share, bootstrap (together
losses.Traced), root_value, plies_left, weight, policy_weight (of the same sum, 0 where there is no policy target).
value: native/value.h.

An epoch is a generation. What is logged at its end, over all of its steps: docs/METRICS.md, from loss/ to optim/.
Whatever data module it learns from keeps the run's ledger (c4/ledger.py) and says what its training is probed on.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, Self

import torch
from lightning_fabric.utilities.exceptions import MisconfigurationException
from pytorch_lightning import Callback, LightningModule
from pytorch_lightning.core.optimizer import LightningOptimizer
from pytorch_lightning.trainer.states import TrainerFn
from torch import Tensor, nn
from torch.nn.utils import get_total_norm
from typing_extensions import override

from c4 import learning
from c4.configuration import load_config
from c4.flags import GRADING, check_trainer, limits_spent
from c4.games import GameSpec, game_spec
from c4.invocation import as_typed_here
from c4.ledger import Ledger
from c4.losses import explained_variance, kl_divergence
from c4.machine import cores
from c4.network.network import answer, make_network, of_its_own
from c4.network.output import Evaluation, evaluation
from c4.network.weights import (
    AVERAGED,
    CHECKPOINT_KEY,
    TRAINED,
    is_checkpoint,
    load_player,
    player_header,
    read_checkpoint,
    save_player,
)
from c4.objective import Loss, Objective, own_losses
from c4.params.model import ModelParams
from c4.params.network import NetworkDesign
from c4.params.plain import as_plain, from_plain
from c4.params.target import trust
from c4.params.train import TrainConfig
from c4.phases import CloseGeneration
from c4.players.checkpoints import player_file
from c4.ranks import Ranks
from c4.shards import Batch, Measured, Team

CHAMPIONS = "connect4"
"""The game that "champion" stands for here."""


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
        self.example_input_array = torch.zeros(1, spec.planes, spec.height, spec.width)  # for summaries and graphs
        self.network = make_network(spec, network)
        self.average = copy.deepcopy(self.network).requires_grad_(False) if model.ema_decay is not None else None
        self._objective = Objective(model, losses)
        self._spec, self._design = spec, network
        self._params, self._workers = model, workers
        self._progress = 0.0  # share of the budget that was spent when the step began
        self._team: Team | None = None
        self._ranks = Ranks()
        self._threads = 1  # that torch had before the fit
        self._kl_factor = 1.0
        self.step_figures: dict[str, Tensor] = {}  # of the newest batch
        self._sums: dict[str, Tensor] = {}
        self._counts = Counter[str]()
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

    @classmethod
    @override
    def load_from_checkpoint(  # type: ignore[override]
        cls,
        checkpoint_path: str | Path,
        map_location: torch.device | str | None = None,
        *,
        trusted: Iterable[str] = (),
        model: ModelParams | None = None,
    ) -> Self:
        """Of what a Trainer has saved, of a player's file, a run's folder, or "champion"; no file can run anything.

        `trusted` are the names in it that may be imported, such as that of a network of one's own. `model` takes the
        place of the file's; a player's file has none, and what ships is taken. Raises PlayerFileError, ConfigError.
        """
        path = player_file(str(checkpoint_path), game=CHAMPIONS)
        trust(trusted)
        player = load_player(path)
        state = {f"{TRAINED}{name}": tensor for name, tensor in player.state.items()}
        if is_checkpoint(path):
            whole = read_checkpoint(path)
            state = whole["state_dict"]
            model = model or from_plain(ModelParams, whole[cls.CHECKPOINT_HYPER_PARAMS_KEY]["model"])
        model = model or load_config().model
        losses = own_losses(model)
        module = cls(spec=player.spec, network=player.design, model=model, workers=cores(), losses=losses)
        if module.average is None:
            state = {name: tensor for name, tensor in state.items() if name.startswith(TRAINED)}
        elif not any(name.startswith(AVERAGED) for name in state):
            state = state | {f"{AVERAGED}{name.removeprefix(TRAINED)}": tensor for name, tensor in state.items()}
        module.load_state_dict(state)
        return module if map_location is None else module.to(map_location)

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
        return {name: tensor.detach().clone() for name, tensor in self._player().state_dict().items()}

    def save_player(
        self, path: Path | str, *, card: Mapping[str, Any], weights: Mapping[str, Tensor] | None = None
    ) -> None:
        """Writes the weights that play, or played once, to be played with; `card`: plain values about them."""
        state = self.play_weights() if weights is None else weights
        save_player(Path(path), spec=self._spec, design=self._design, state=state, card=card)

    @override
    def forward(self, planes: Tensor) -> Evaluation:
        """What a search would hear of positions [B, planes, rows, columns], by the weights that play."""
        return evaluation(answer(self._player(), planes.float()))

    @override
    def predict_step(self, batch: Tensor | Mapping[str, Tensor] | Sequence[Tensor], batch_idx: int) -> Evaluation:
        """Of planes alone, first in a row as a TensorDataset has them, or among what else a sample has."""
        if isinstance(batch, Mapping):
            batch = batch["planes"]
        planes: Tensor = batch if isinstance(batch, Tensor) else batch[0]
        found: Evaluation = self(planes)
        return found

    @property
    def learning_rate(self) -> float:
        """The highest of the schedule; what Lightning's Tuner finds is set here."""
        return self._params.learning_rate

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        self._params = dataclasses.replace(self._params, learning_rate=rate)
        self.hparams["model"] = as_plain(self._params)

    @override
    def configure_callbacks(self) -> list[Callback]:
        if (asked := self.trainer.state.fn) in (TrainerFn.VALIDATING, TrainerFn.TESTING):  # Lightning's word is vague
            raise MisconfigurationException(f"trainer.{asked.value} is not allowed: {as_typed_here(GRADING)}")
        return [CloseGeneration()]

    @override
    def setup(self, stage: str) -> None:
        """A run ends with its budget, or with what the Trainer was told: whichever comes first."""
        if stage == "fit":
            check_trainer(self.trainer)
            if (epochs := self.trainer.max_epochs) is not None and epochs > 0:
                self.ledger.limit(generations=epochs)

    @override
    def configure_optimizers(self) -> torch.optim.Optimizer:
        # On a GPU a fused one takes the gradients of 16-mixed scaled: they could be neither measured nor clipped.
        return learning.make_optimizer(self.network, self._params, fused=self.device.type == "cpu")

    @override
    def training_step(self, batch: Batch, batch_idx: int) -> Tensor:
        team = self._team
        measured = self._measure(self.network, batch) if team is None else team.measure(self._measure, batch)
        self.step_figures = {"loss/total": measured.loss.detach(), **measured.figures}
        loss, figures = measured.loss, self.step_figures
        if not self._ranks.is_alone:  # what ranks have is averaged
            share = self._share(batch["weight"].sum())
            loss, figures = loss * share, {name: figure * share for name, figure in figures.items()}
        for name, figure in figures.items():
            self._add(name, figure)
        return loss

    @override
    def on_fit_start(self) -> None:
        self._ranks = Ranks.here()
        workers = max(1, self._workers // self.trainer.num_devices)  # of each that shares a step
        self._threads = torch.get_num_threads()
        torch.set_num_threads(1)  # steps are shared by workers instead: c4/shards.py
        torch.set_flush_denormal(True)
        if workers > 1 and self.device.type == "cpu":
            self._team = Team(self.network, workers=workers)

    @override
    def on_fit_end(self) -> None:
        torch.set_num_threads(self._threads)
        torch.set_flush_denormal(False)
        if self._team is not None:
            self._team.close()
            self._team = None

    @override
    def on_train_epoch_start(self) -> None:
        self._sums, self._counts = {}, Counter()

    @override
    def on_train_batch_start(self, batch: Batch, batch_idx: int) -> None:
        if batch_idx == 0:  # the generation has been played by now
            self._probed = {name: tensor.to(self.device) for name, tensor in self._data.probe().items()}
            self._before = self._evaluate(self._probed)
        self.ledger.step(batch_idx, of=self.trainer.num_training_batches)
        self._progress = self._ranks.agreed(max(self.ledger.progress(), limits_spent(self.trainer)))
        if self.trainer.lr_scheduler_configs:  # somebody else's, such as that of a search for a rate, has its way
            return
        rate = learning.learning_rate(self._params, progress=self._progress, step=self.trainer.global_step)
        for group in self.trainer.optimizers[0].param_groups:
            group["lr"] = rate * self._kl_factor

    @override
    def on_after_backward(self) -> None:
        """Statistics of batches are means over the ranks, as over workers; before this they are of use to backward."""
        self._ranks.average(buffer for buffer in self.network.buffers() if buffer.is_floating_point())

    @override
    def configure_gradient_clipping(
        self,
        optimizer: torch.optim.Optimizer,
        gradient_clip_val: float | None = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        """What the Trainer was told takes the place of model.gradient_clip."""
        gradients = [parameter.grad for parameter in self.network.parameters() if parameter.grad is not None]
        length = get_total_norm(gradients)
        self._add("optim/grad_norm", length)
        if gradient_clip_algorithm == "value":
            self.clip_gradients(optimizer, gradient_clip_val, gradient_clip_algorithm)
            return
        most = self._params.gradient_clip if gradient_clip_val is None else gradient_clip_val
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
        metrics = {name: (total / self._counts[name]).float() for name, total in self._sums.items()}
        self._ranks.average(metrics.values())
        metrics["optim/lr"] = torch.tensor(self.trainer.optimizers[0].param_groups[0]["lr"])
        metrics["optim/kl_factor"] = torch.tensor(self._kl_factor)
        metrics["optim/weight_norm"] = get_total_norm([weights.detach() for weights in self.network.parameters()])
        metrics["optim/progress"] = torch.tensor(self._progress)
        metrics |= self._changes()
        self.log_dict(metrics, sync_dist=not self._ranks.is_alone)

    @override
    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        checkpoint["c4_module"] = {"kl_factor": self._kl_factor}
        checkpoint[CHECKPOINT_KEY] = player_header(self._spec, self._design, card={})

    @override
    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        self._kl_factor = checkpoint["c4_module"]["kl_factor"]

    def _share(self, weight: Tensor) -> Tensor:
        """Of this rank's rows in the mean over all of the batch, times the ranks: Lightning averages gradients."""
        mean = weight.detach().clone()
        self._ranks.average([mean])
        return weight / mean

    def _player(self) -> nn.Module:
        """Whose weights play: the average's, where there is one."""
        return self.network if self.average is None else self.average

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
        self._kl_factor = learning.adapted(self._kl_factor, moved=self._ranks.agreed(moved.item()), params=self._params)
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
        self._counts[name] += 1
