"""One step's gradient on several cores: workers of one thread each take an equal share of the batch.

On convolutions as small as ours this uses the cores better than one worker of many threads, which wait for each other
after every operation, and it does not collapse when something else runs on the machine. Batch norms see a share of
the batch at a time; their statistics are the mean over the shares. Shares are summed in a fixed order: the same number
of workers gives the same bits. Knows no losses.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

Batch = Mapping[str, Tensor]


class Measured(NamedTuple):
    """What a network does on a batch."""

    loss: Tensor  # [], to be minimised: a mean over samples by their weights
    figures: dict[str, Tensor]  # means over samples by their weights too


Measure = Callable[[nn.Module, Batch], Measured]


class Team:
    """Replicas share the weights of the network they were made of; statistics are their own between steps."""

    def __init__(self, network: nn.Module, *, workers: int) -> None:
        self._replicas = [network, *(_replica(network) for _ in range(workers - 1))]
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="c4-train", initializer=_one_thread)

    def measure(self, measure: Measure, batch: Batch) -> Measured:
        """The same as measure(network, batch), but for the batch norms. The loss carries the gradient."""
        weight = batch["weight"]
        parts = min(len(self._replicas), len(weight))
        batches = [
            dict(zip(batch, rows, strict=True))
            for rows in zip(*(torch.tensor_split(rows, parts) for rows in batch.values()), strict=True)
        ]
        shares = [part["weight"].sum() / weight.sum() for part in batches]
        mixed = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
        self._spread_statistics()

        def work(part: int) -> tuple[Measured, tuple[Tensor | None, ...]]:
            replica = self._replicas[part]
            with torch.enable_grad(), torch.autocast("cpu", dtype=mixed[1], enabled=mixed[0]):
                measured = measure(replica, batches[part])
            gradients = torch.autograd.grad(measured.loss * shares[part], _learned(replica), allow_unused=True)
            return measured, gradients

        done = list(self._pool.map(work, range(parts)))
        self._merge_statistics(parts)
        gradients = [_sum(each) for each in zip(*(gradients for _, gradients in done), strict=True)]
        loss = _mean([measured.loss.detach() for measured, _ in done], shares)
        figures = {name: _mean([measured.figures[name] for measured, _ in done], shares) for name in done[0][0].figures}
        known: Tensor = _Known.apply(loss, gradients, *_learned(self._replicas[0]))  # type: ignore[no-untyped-call]
        return Measured(known, figures)

    def close(self) -> None:
        self._pool.shutdown()

    def _spread_statistics(self) -> None:
        first, *others = self._replicas
        for replica in others:
            for mine, theirs in zip(replica.buffers(), first.buffers(), strict=True):
                mine.copy_(theirs)

    def _merge_statistics(self, parts: int) -> None:
        for first, *others in zip(*(replica.buffers() for replica in self._replicas[:parts]), strict=True):
            if first.is_floating_point() and others:
                first.copy_(torch.stack([first, *others]).mean(dim=0))


class _Known(torch.autograd.Function):
    """A loss whose gradient is known already. Whoever calls backward on it, scaled or not, gets that."""

    @staticmethod
    def forward(ctx: Any, loss: Tensor, gradients: Sequence[Tensor | None], *_: Tensor) -> Tensor:
        ctx.gradients = gradients
        return loss.clone()

    @staticmethod
    def backward(ctx: Any, *outer: Tensor) -> tuple[Tensor | None, ...]:
        return None, None, *(None if gradient is None else gradient * outer[0] for gradient in ctx.gradients)


def _replica(network: nn.Module) -> nn.Module:
    replica = copy.deepcopy(network).train()
    for mine, theirs in zip(replica.parameters(), network.parameters(), strict=True):
        mine.data = theirs.data
    return replica


def _learned(network: nn.Module) -> list[nn.Parameter]:
    return [parameter for parameter in network.parameters() if parameter.requires_grad]


def _sum(gradients: Sequence[Tensor | None]) -> Tensor | None:
    """None where a parameter has no say in the loss, as in a step that is not shared."""
    felt = [gradient for gradient in gradients if gradient is not None]
    return torch.stack(felt).sum(dim=0) if felt else None


def _mean(values: Sequence[Tensor], shares: Sequence[Tensor]) -> Tensor:
    return (torch.stack([*values]) * torch.stack([*shares])).sum()


def _one_thread() -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
