"""One epoch is one generation: what is played, how many batches follow, and that a saved state goes on alike."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.selfplay.kit import DATA, GAME, local_source, never
from tests.test_ledger import Clock, ledger

from c4.datamodule import Batch, C4DataModule, generation_samples
from c4.ledger import Ledger
from c4.params.data import DataParams
from c4.replay.window import Window
from c4.run.archive import Archive, ArchiveError
from c4.selfplay.source import Watch


def module(
    folder: Path,
    *,
    params: DataParams = DATA,
    seed: int = 1,
    watch: Watch = never,
    book: Ledger | None = None,
) -> C4DataModule:
    return C4DataModule(
        params=params,
        source=local_source(seed=seed)[0],
        window=Window(game=GAME, params=params),
        archive=Archive(folder=folder),
        ledger=book or ledger(Clock(), generations=100),
        seed=seed,
        watches=[watch],
    )


def generation(data: C4DataModule) -> list[Batch]:
    batches = list(data.train_dataloader())
    data.ledger.close()
    return batches


def same(one: list[Batch], other: list[Batch]) -> bool:
    return len(one) == len(other) and all(
        all(torch.equal(tensor, b[name]) for name, tensor in a.items()) for a, b in zip(one, other, strict=True)
    )


def test_batches_have_the_shapes_and_types_that_learning_wants(tmp_path: Path) -> None:
    batch = generation(module(tmp_path))[0]
    assert batch["planes"].shape == (32, 3, 4, 4)
    assert batch["planes"].dtype == torch.uint8
    assert batch["policy"].shape == (32, 4)
    assert batch["plies_left"].dtype == torch.int64
    for name in ("policy", "result", "drawn", "result_share", "bootstrap", "root_value", "weight", "policy_weight"):
        assert batch[name].dtype == torch.float32
    assert set(batch["result"].tolist()) <= {-1.0, 0.0, 1.0}
    assert torch.equal(batch["drawn"] == 1.0, batch["result"] == 0.0)


def test_generations_grow_up_to_a_limit() -> None:
    wanted = [generation_samples(DATA, generation=number) for number in (0, 1, 2, 3, 50, 10**6)]
    assert wanted == [100, 150, 225, 300, 300, 300]
    even = dataclasses.replace(DATA, generation_samples_growth=1.0)
    assert generation_samples(even, generation=10**6) == 100


def test_the_sampling_ratio_holds_over_the_run(tmp_path: Path) -> None:
    data = module(tmp_path)
    for _ in range(6):
        assert len(generation(data)) == data.steps
    assert data.sampling_ratio == pytest.approx(DATA.sampling_ratio, rel=0.05)
    assert data.sampling_ratio <= DATA.sampling_ratio


def test_an_epoch_is_as_long_as_it_says_and_plays_only_when_it_is_asked(tmp_path: Path) -> None:
    looks = []
    data = module(tmp_path, watch=lambda glance: bool(looks.append(glance)))
    loader = data.train_dataloader()
    length, batches = len(loader), iter(loader)
    assert not looks
    assert len(list(batches)) == length
    assert looks


def test_the_same_seed_gives_the_same_batches_and_torch_the_same_numbers(tmp_path: Path) -> None:
    def run(seed: int) -> tuple[list[Batch], float]:
        data = module(tmp_path / str(seed), seed=seed)
        batches = generation(data) + generation(data)
        return batches, float(torch.rand(()))

    (one, number), (other, same_number) = run(1), run(1)
    assert same(one, other)
    assert number == same_number
    assert not same(one, run(2)[0])


def test_every_generation_has_a_stream_of_its_own(tmp_path: Path) -> None:
    data, seeds = module(tmp_path), []
    for _ in range(3):
        generation(data)
        seeds.append(torch.initial_seed())
    assert len(set(seeds)) == 3


def saved(state: dict[str, Any]) -> dict[str, Any]:
    """Through a file that may hold nothing but tensors and plain types."""
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    found: dict[str, Any] = torch.load(file, weights_only=True)
    return found


def test_a_saved_state_goes_on_with_the_same_batches(tmp_path: Path) -> None:
    data = module(tmp_path)
    for _ in range(4):
        generation(data)
    state = saved(data.state_dict())
    expected = [generation(data) for _ in range(3)]
    resumed = module(tmp_path)
    resumed.load_state_dict(state)
    assert resumed.ledger.generation == 4
    for batches in expected:
        assert same(generation(resumed), batches)
    assert resumed.sampling_ratio == data.sampling_ratio
    assert resumed.oldest_needed() == data.oldest_needed()


def test_only_the_generations_of_the_window_are_needed_to_go_on(tmp_path: Path) -> None:
    data = module(tmp_path)
    for _ in range(6):
        generation(data)
    assert data.oldest_needed() > 0
    Archive(folder=tmp_path).drop_before(data.oldest_needed())
    module(tmp_path).load_state_dict(data.state_dict())
    Archive(folder=tmp_path).drop_before(data.oldest_needed() + 1)
    with pytest.raises(ArchiveError, match="is missing"):
        module(tmp_path).load_state_dict(data.state_dict())


def test_a_generation_that_is_broken_off_is_made_again(tmp_path: Path) -> None:
    class StopNowError(Exception):
        pass

    def stop(glance: object) -> bool:
        raise StopNowError

    data = module(tmp_path)
    generation(data)
    state = saved(data.state_dict())
    expected = generation(data)
    broken = module(tmp_path, watch=stop)
    broken.load_state_dict(state)
    with pytest.raises(StopNowError):
        generation(broken)
    resumed = module(tmp_path)
    resumed.load_state_dict(state)
    assert same(generation(resumed), expected)


def test_without_time_for_more_a_generation_ends_after_its_first_batch(tmp_path: Path) -> None:
    for seconds, expected in ((21.0, 3), (61.0, 1)):
        book = ledger(clock := Clock(), minutes=1)
        data, batches = module(tmp_path, book=book), []
        for batch in data.train_dataloader():
            batches.append(batch)
            clock.now += seconds
        assert len(batches) == expected < data.steps


def test_the_newest_samples_are_shown_as_they_were_made(tmp_path: Path) -> None:
    data = module(tmp_path)
    generation(data)
    made = len(data.harvest.samples)
    assert made > DATA.probe_samples
    newest = data.probe()
    assert torch.equal(newest["policy"], torch.from_numpy(data.harvest.samples["policy"][-DATA.probe_samples :]))
    everything = dataclasses.replace(DATA, probe_samples=10_000)
    assert len(module_after_one(tmp_path, everything).probe()["result"]) == made


def module_after_one(folder: Path, params: DataParams) -> C4DataModule:
    data = module(folder, params=params)
    generation(data)
    return data


def test_what_is_saved_in_the_middle_of_a_generation_is_not_gone_on_with(tmp_path: Path) -> None:
    data = module(tmp_path)
    next(iter(data.train_dataloader()))
    state = saved(data.state_dict())
    with pytest.raises(ValueError, match="saved in the middle of a generation"):
        module(tmp_path).load_state_dict(state)


class Trainer:
    """As much of one as publishing sees."""

    global_step = 0

    @property
    def lightning_module(self) -> Trainer:
        return self

    def play_weights(self) -> dict[str, int]:
        return {"step": self.global_step}


class Deaf:
    """A source that only hears of weights."""

    def __init__(self) -> None:
        self.heard: list[dict[str, int]] = []

    def publish(self, weights: dict[str, int]) -> None:
        self.heard.append(weights)


def test_weights_are_published_once_for_each_step_they_come_from(tmp_path: Path) -> None:
    data, source, trainer = module(tmp_path), Deaf(), Trainer()
    data.source, data.trainer = source, trainer  # type: ignore[assignment]
    for step in (0, 0, 3, 3, 3, 5):
        trainer.global_step = step
        data.publish()
    assert source.heard == [{"step": 0}, {"step": 3}, {"step": 5}]


def test_a_generation_is_played_with_the_newest_weights(tmp_path: Path) -> None:
    data, trainer = module(tmp_path), Trainer()
    order: list[str] = []
    data.trainer = trainer  # type: ignore[assignment]
    data.source.publish = lambda weights: order.append(f"weights {weights['step']}")  # type: ignore[method-assign]
    collect = data.source.collect
    data.source.collect = lambda **how: (order.append("games"), collect(**how))[1]  # type: ignore[method-assign]
    for step in (0, 7):
        trainer.global_step = step
        generation(data)
    assert order == ["weights 0", "games", "weights 7", "games"]


def test_a_book_of_openings_is_begun_from_also_by_a_run_that_is_gone_on_with(tmp_path: Path) -> None:
    first = module(tmp_path)
    generation(first)
    asked = C4DataModule(
        params=DATA, source=local_source(seed=1)[0], window=Window(game=GAME, params=DATA),
        archive=Archive(folder=tmp_path), ledger=ledger(Clock(), generations=9), seed=1, openings=[[0, 1]],
    )  # fmt: skip
    asked.load_state_dict(saved(first.state_dict()))
    generation(asked)
    assert asked.source.state()["openings"] == [[0, 1]]


def test_nothing_is_harvested_before_something_is_played(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no generation has been played"):
        _ = module(tmp_path).harvest
