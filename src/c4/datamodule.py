"""Source -> window -> batches. One epoch is one generation: play with the newest weights, then draw batches.

Everything random comes from the seed and the generation's number, so a generation that is repeated is the same one.
Ranks that share a run (c4/ranks.py) each play a part of a generation, have the whole window, and draw a part of each
batch. Knows no losses; which weights play, the newest or their average, is the module's to say.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn, Protocol, cast

import numpy as np
import torch
from lightning_fabric.utilities.exceptions import MisconfigurationException
from pytorch_lightning import LightningDataModule, Trainer
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset
from typing_extensions import override

from c4.games import game_spec
from c4.ledger import Ledger
from c4.network.inference.engine import InferenceEngine
from c4.network.network import make_network, of_its_own
from c4.params.data import DataParams
from c4.params.train import TrainConfig
from c4.playing import source_of
from c4.ranks import Ranks
from c4.replay.window import Rows, Window
from c4.run.archive import Archive
from c4.run.folder import StateError
from c4.selfplay.engine import chosen_engine, selfplay_engine
from c4.selfplay.source import Glance, Harvest, SampleSource, Watch, merged

Batch = dict[str, Tensor]


class Plays(Protocol):
    """What the module that is trained says of itself."""

    def play_weights(self) -> dict[str, Tensor]:
        """The weights that play."""


class C4DataModule(LightningDataModule):
    """Wraps a source of samples as an iterable dataset of batches."""

    def __init__(
        self,
        *,
        params: DataParams,
        source: SampleSource,
        window: Window,
        archive: Archive | None,
        ledger: Ledger,
        seed: int,
        watches: Sequence[Watch] = (),
        openings: Sequence[Sequence[int]] | None = None,
    ) -> None:
        """`archive` keeps what a run that is resumed needs. `watches` see the playing and may end it early.
        `openings`: the book that some games begin from, in the place of the one that a saved run had.
        """
        super().__init__()
        self.source, self.window, self.ledger = source, window, ledger
        self._harvest: Harvest | None = None
        self.steps = 0  # of the newest generation that was played
        self._params, self._archive, self._seed, self._watches = params, archive, seed, watches
        self._openings = openings
        self._published: int | None = None  # the step whose weights play
        self._ranks, self._each_plays = Ranks(), True

    @classmethod
    def of(
        cls,
        config: TrainConfig,
        *,
        engine: InferenceEngine | None = None,
        ledger: Ledger | None = None,
        archive: Archive | None = None,
        watches: Sequence[Watch] = (),
        openings: Sequence[Sequence[int]] | None = None,
    ) -> C4DataModule:
        """As `train.py` makes it of a configuration; without an `engine` it is the one that `inference` asks for.

        Without an `archive`, what a Trainer saves can be played, but not resumed.
        """
        game = game_spec(config.game.name)
        if engine is None:
            network = make_network(game, of_its_own(config.network))
            config = dataclasses.replace(config, inference=chosen_engine(config, network=network))
            engine = selfplay_engine(config, config.inference, network=network)
        return cls(
            params=config.data,
            source=source_of(config, engine=engine),
            window=Window(game=game.name, params=config.data),
            archive=archive,
            ledger=ledger or Ledger(config.budget),
            seed=config.seed,
            watches=watches,
            openings=openings,
        )

    def __getstate__(self) -> NoReturn:
        raise TypeError(
            'games in play cannot be sent to another process: several devices share a run by strategy="ddp"'
        )

    @property
    def harvest(self) -> Harvest:
        """Of the newest generation that was played."""
        if self._harvest is None:
            raise RuntimeError("no generation has been played yet")
        return self._harvest

    @property
    def sampling_ratio(self) -> float:
        """How often a sample has been drawn on average, so far."""
        return self.ledger.drawn / self.window.made if self.window.made else 0.0

    @override
    def setup(self, stage: str) -> None:
        """Each generation has a length of its own, which Lightning is to ask for."""
        assert self.trainer is not None
        self._ranks = Ranks.here()
        if self._ranks.count > self._params.batch_size:
            raise MisconfigurationException(
                f"data.batch_size={self._params.batch_size} cannot be shared by {self._ranks.count} processes"
            )
        self._each_plays = self.source.play_as(self._ranks.rank)
        self.trainer.reload_dataloaders_every_n_epochs = 1  # type: ignore[attr-defined]

    @override
    def teardown(self, stage: str) -> None:
        """Whoever played elsewhere is let go."""
        self.source.close()

    def train_dataloader(self) -> DataLoader[Batch]:
        return DataLoader(_Generation(self), batch_size=None, pin_memory=torch.cuda.is_available())

    def planned_steps(self) -> int:
        """Most batches of the generation that is about to be made."""
        return self._due(self.window.made + generation_samples(self._params, generation=self.ledger.generation))

    def publish(self) -> None:
        """Gives the newest weights to whoever plays with them, once for each step after which it is asked to."""
        if not (self._each_plays or self._ranks.is_first):
            return
        if self.trainer is not None and self.trainer.global_step != self._published:
            self.source.publish(cast("Plays", self.trainer.lightning_module).play_weights())
            self._published = self.trainer.global_step

    def batches(self) -> Iterator[Batch]:
        """Plays a generation, then draws its batches. What it made beyond its wish is drawn with the next."""
        most = self.planned_steps()
        self.publish()
        self._harvest = self._play()
        self.steps = min(self._due(self.window.made), most)
        stream = np.random.default_rng([self._seed, self.ledger.generation])
        torch.manual_seed(int(stream.integers(1 << 62)) + self._ranks.rank)
        chosen = self.window.choose(self.steps * self._params.batch_size, stream=stream)
        for index, rows in enumerate(chosen.reshape(self.steps, self._params.batch_size)):
            if index and not self._ranks.agreed(self.ledger.may_train()):
                return
            self.ledger.drawn += len(rows)
            yield as_batch(self.window.rows(rows, stream=stream, part=self._ranks.part(len(rows))))

    def probe(self) -> Batch:
        """The newest samples of this generation, for measuring what its training changes."""
        most = min(self._params.probe_samples, len(self.harvest.samples), len(self.window))
        return as_batch(self.window.newest(most))

    def oldest_needed(self) -> int:
        """The first generation with samples in the window, once the newest is closed."""
        missing, oldest = len(self.window), self.ledger.generation
        while missing > 0:
            oldest -= 1
            missing -= self.ledger.made[oldest]
        return oldest

    def state_dict(self) -> dict[str, Any]:
        """In the middle of a generation there is none to go on from: it is to be made anew from the state before."""
        if self.ledger.is_open:
            return {"is_open": True}
        return {
            "ledger": self.ledger.state_dict(),
            "window": [self.oldest_needed(), self.ledger.generation],
            "sources": self._ranks.gathered(self.source.state()) if self._each_plays else [self.source.state()],
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        if state_dict.get("is_open"):
            raise ValueError("this was saved in the middle of a generation: it can be played with, but not resumed")
        sources = sources_in(state_dict)
        if self._each_plays and len(sources) != self._ranks.count:
            many = len(sources)
            raise StateError(f"this was saved on {many} devices, and each has games in play: trainer.devices={many}")
        oldest, generation = state_dict["window"]
        if self._archive is None and generation > oldest:
            raise ValueError("to go on takes the samples of earlier generations: C4DataModule.of(config, archive=...)")
        self.ledger.load_state_dict(state_dict["ledger"])
        self.window = Window(game=self.window.game, params=self._params)
        self.window.made = sum(self.ledger.made[:oldest])
        for number in range(oldest, generation):
            assert self._archive is not None
            self.window.add(self._archive.read(number, game=self.window.game))
        self.source.restore(sources[self._ranks.rank if self._each_plays else 0])

    def _play(self) -> Harvest:
        generation = self.ledger.generation
        wanted = generation_samples(self._params, generation=generation)
        if self._openings is not None:
            self.source.set_openings(self._openings)
            self._openings = None
        self.ledger.begin()
        harvest = self._harvested(wanted, version=generation)
        if self._archive is not None and self._ranks.is_first:
            self._archive.write(generation, harvest.samples)
        self.window.add(harvest.samples)
        self.ledger.played(games=harvest.counters["games"], samples=len(harvest.samples))
        return harvest

    def _harvested(self, wanted: int, *, version: int) -> Harvest:
        ranks = self._ranks
        share = math.ceil(wanted / ranks.count) if self._each_plays else wanted

        def collect() -> Harvest | None:
            if not (self._each_plays or ranks.is_first):
                return None
            return self.source.collect(wanted=share, version=version, watch=self._watch)

        return merged([harvest for harvest in ranks.together(collect) if harvest is not None])

    def _watch(self, glance: Glance) -> bool:
        if self._each_plays:  # nobody hears of the others while playing; they are as quick
            glance = glance.times(self._ranks.count)
        return any(watch(glance) for watch in self._watches) or self.ledger.must_train(glance.samples)

    def _due(self, made: int) -> int:
        """Batches to draw once `made` samples have been made, for the sampling ratio to hold over the whole run."""
        return max(1, int((self._params.sampling_ratio * made - self.ledger.drawn) // self._params.batch_size))


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
    return {name: torch.from_numpy(column) for name, column in rows.items()}


def sources_in(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Of each rank, in what a data module has saved; before there were ranks there was one."""
    found: list[Mapping[str, Any]] = state.get("sources") or [state["source"]]
    return found


def datamodule_of(trainer: Trainer) -> C4DataModule:
    """The trainer's, in its own type."""
    return cast("C4DataModule", trainer.datamodule)  # type: ignore[attr-defined]
