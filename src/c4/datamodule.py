"""Source -> window -> batches. One epoch is one generation: play with the newest weights, then draw batches.

Everything random comes from the seed and the generation's number, so a generation that is repeated is the same one.
Knows nothing of networks, losses or which weights are played.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
import torch
from pytorch_lightning import LightningDataModule, Trainer
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from c4.params.data import DataParams
from c4.replay.window import Rows, Window
from c4.run.archive import Archive
from c4.selfplay.source import Harvest, SampleSource, Watch

Batch = dict[str, Tensor]


class C4DataModule(LightningDataModule):
    """Wraps a source of samples as an iterable dataset of batches."""

    def __init__(
        self,
        *,
        params: DataParams,
        source: SampleSource,
        window: Window,
        archive: Archive,
        seed: int,
        watch: Watch,
        train_on: Callable[[], bool],
    ) -> None:
        """`watch` sees the playing and may end it early; `train_on` says whether there is time for another batch."""
        super().__init__()
        self.source, self.window = source, window
        self.generation = 0  # the one being made; those before are finished
        self._harvest: Harvest | None = None
        self.steps = 0  # of the newest generation that was played
        self._params, self._archive, self._seed, self._watch, self._train_on = params, archive, seed, watch, train_on
        self._drawn = 0
        self._made: list[int] = []  # samples of each finished generation

    @property
    def harvest(self) -> Harvest:
        """Of the newest generation that was played."""
        if self._harvest is None:
            raise RuntimeError("no generation has been played yet")
        return self._harvest

    @property
    def sampling_ratio(self) -> float:
        """How often a sample has been drawn on average, so far."""
        return self._drawn / self.window.made if self.window.made else 0.0

    def train_dataloader(self) -> DataLoader[Batch]:
        return DataLoader(_Generation(self), batch_size=None, pin_memory=torch.cuda.is_available())

    def planned_steps(self) -> int:
        """Most batches of the generation that is about to be made."""
        return self._due(self.window.made + generation_samples(self._params, generation=self.generation))

    def batches(self) -> Iterator[Batch]:
        """Plays a generation, then draws its batches. What it made beyond its wish is drawn with the next."""
        most = self.planned_steps()
        self._harvest = self._play()
        self.steps = min(self._due(self.window.made), most)
        stream = np.random.default_rng([self._seed, self.generation])
        torch.manual_seed(int(stream.integers(1 << 62)))
        chosen = self.window.choose(self.steps * self._params.batch_size, stream=stream)
        for index, rows in enumerate(chosen.reshape(self.steps, self._params.batch_size)):
            if index and not self._train_on():
                return
            self._drawn += len(rows)
            yield as_batch(self.window.rows(rows, stream=stream))

    def newest(self, *, most: int) -> Batch:
        """Samples of this generation, for measuring what its training changes; the newest `most` of them."""
        return as_batch(self.window.newest(min(most, len(self.harvest.samples), len(self.window))))

    def finish_generation(self) -> None:
        """To be called once a generation's training is over and before the state is saved."""
        self._made.append(len(self.harvest.samples))
        self.generation += 1

    def oldest_needed(self) -> int:
        """The first generation with samples in the window."""
        missing, oldest = len(self.window), self.generation
        while missing > 0:
            oldest -= 1
            missing -= self._made[oldest]
        return oldest

    def state_dict(self) -> dict[str, Any]:
        return {
            "made": list(self._made),
            "in_window": len(self.window),
            "drawn": self._drawn,
            "source": self.source.state(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._made, self._drawn = list(state_dict["made"]), state_dict["drawn"]
        self.generation = len(self._made)
        oldest, missing = self.generation, state_dict["in_window"]
        while missing > 0:
            oldest -= 1
            missing -= self._made[oldest]
        self.window.made = sum(self._made[:oldest])
        for generation in range(oldest, self.generation):
            self.window.add(self._archive.read(generation))
        self.source.restore(state_dict["source"])

    def _play(self) -> Harvest:
        wanted = generation_samples(self._params, generation=self.generation)
        harvest = self.source.collect(wanted=wanted, version=self.generation, watch=self._watch)
        self._archive.write(self.generation, harvest.samples)
        self.window.add(harvest.samples)
        return harvest

    def _due(self, made: int) -> int:
        """Batches to draw once `made` samples have been made, for the sampling ratio to hold over the whole run."""
        return max(1, int((self._params.sampling_ratio * made - self._drawn) // self._params.batch_size))


class _Generation(IterableDataset[Batch]):
    """One epoch. Its length is known before it is played: Lightning then fetches no batch ahead of time."""

    def __init__(self, data: C4DataModule) -> None:
        self._data = data

    def __len__(self) -> int:
        return self._data.planned_steps()

    def __iter__(self) -> Iterator[Batch]:
        return self._data.batches()


def generation_samples(params: DataParams, *, generation: int) -> int:
    """New samples that a generation wants: few at first, so that learning starts at once."""
    if params.generation_samples_growth == 1.0:
        return params.generation_samples_first
    log_most = math.log(params.generation_samples_max / params.generation_samples_first)
    if generation * math.log(params.generation_samples_growth) >= log_most:
        return params.generation_samples_max
    return int(params.generation_samples_first * params.generation_samples_growth**generation)


def as_batch(rows: Rows) -> Batch:
    """Rows as tensors by name; shapes and meanings as in Rows."""
    return {field.name: torch.from_numpy(getattr(rows, field.name)) for field in dataclasses.fields(rows)}


def datamodule_of(trainer: Trainer) -> C4DataModule:
    """The trainer's, in its own type."""
    return cast("C4DataModule", trainer.datamodule)  # type: ignore[attr-defined]
