"""What the processes that share a run say to each other. A rank is one of them, counted from 0; the first has the say.

Every rank makes the same calls in the same order, and one that ends takes the others with it: their next word to it
fails. With a single rank nothing is said. What a clock or a signal decides is never for each to decide by itself.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

T = TypeVar("T")


class Ranks:
    """As one of them sees it."""

    def __init__(self, *, rank: int = 0, count: int = 1, device: torch.device | None = None) -> None:
        """`device` is where this rank trains: tensors are sent from there."""
        self.rank, self.count = rank, count
        self._device = device or torch.device("cpu")

    @staticmethod
    def here() -> Ranks:
        """Of this process, as whoever began the training has joined it with others; alone where nobody has."""
        if not (dist.is_available() and dist.is_initialized()):
            return Ranks()
        by_gpu = dist.get_backend() == "nccl"
        device = torch.device("cuda", torch.cuda.current_device()) if by_gpu else None
        return Ranks(rank=dist.get_rank(), count=dist.get_world_size(), device=device)

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    @property
    def is_alone(self) -> bool:
        return self.count == 1

    def part(self, rows: int) -> slice:
        """Of so many rows, those of this rank; parts are equal to within one."""
        return slice(rows * self.rank // self.count, rows * (self.rank + 1) // self.count)

    def agreed(self, value: float) -> float:
        """The first rank's value."""
        if self.is_alone:
            return value
        told = torch.tensor(value, dtype=torch.float64, device=self._device)
        dist.broadcast(told, src=0)
        return told.item()

    def any(self, flag: bool) -> bool:
        """Whether it is so for one of them at least."""
        if self.is_alone:
            return flag
        told = torch.tensor(float(flag), device=self._device)
        dist.all_reduce(told, op=dist.ReduceOp.MAX)
        return bool(told.item())

    def average(self, tensors: Iterable[Tensor]) -> None:
        """Sets each to its mean over the ranks. All are of one type, on the device where this rank trains."""
        if self.is_alone or not (changed := list(tensors)):
            return
        flat = torch.cat([tensor.detach().flatten() for tensor in changed])
        dist.all_reduce(flat)
        parts = torch.split(flat / self.count, [tensor.numel() for tensor in changed])
        with torch.no_grad():
            for tensor, mean in zip(changed, parts, strict=True):
                tensor.copy_(mean.view_as(tensor))

    def gathered(self, value: T) -> list[T]:
        """What each rank has, in their order."""
        if self.is_alone:
            return [value]
        told: list[Any] = [None] * self.count
        dist.all_gather_object(told, value)
        return told

    def together(self, work: Callable[[], T]) -> list[T]:
        """Does this rank's share, and returns what each has done. Raises in all of them what is raised in one."""
        if self.is_alone:
            return [work()]
        try:
            done = work()
        except Exception as error:
            self.gathered((None, Fault.of(error)))  # the others wait for this one
            raise
        told: list[tuple[T | None, Fault | None]] = self.gathered((done, None))
        for _, fault in told:
            if fault is not None:
                raise fault.error()
        return [one for one, _ in told]  # type: ignore[misc]

    def from_first(self, work: Callable[[], T]) -> T:
        """What the first rank alone does, for all of them; the others wait."""
        if self.is_alone:
            return work()
        told: list[Any] = [work() if self.is_first else None]
        dist.broadcast_object_list(told, src=0)
        return told[0]  # type: ignore[no-any-return]


@dataclasses.dataclass(frozen=True)
class Fault:
    """An error as another process can be told of it: what it is, what it says."""

    kind: type[Exception]
    text: str
    notes: tuple[str, ...] = ()

    @staticmethod
    def of(error: BaseException, *notes: str) -> Fault:
        kind = type(error)
        if issubclass(kind, Exception) and getattr(sys.modules[kind.__module__], kind.__qualname__, None) is kind:
            return Fault(kind, str(error), notes)
        return Fault(RuntimeError, f"{kind.__name__}: {error}", notes)

    def error(self) -> Exception:
        made = self.kind.__new__(self.kind)  # what its constructor would add stands in the text
        made.args = (self.text,)
        for note in self.notes:
            made.add_note(note)
        return made
