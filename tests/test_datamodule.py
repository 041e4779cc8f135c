"""One epoch is one generation: what is played, how many batches follow, and that a saved state goes on alike."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.selfplay.kit import DATA, GAME, local_source, never

from c4.datamodule import Batch, C4DataModule, generation_samples
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
    train_on: Callable[[], bool] = lambda: True,
) -> C4DataModule:
    return C4DataModule(
        params=params,
        source=local_source(seed=seed)[0],
        window=Window(game=GAME, params=params),
        archive=Archive(folder=folder),
        seed=seed,
        watch=watch,
        train_on=train_on,
    )


def generation(data: C4DataModule) -> list[Batch]:
    batches = list(data.train_dataloader())
    data.finish_generation()
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
    assert resumed.generation == 4
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
    answers: Iterator[bool] = iter([True, True, False])
    data = module(tmp_path, train_on=lambda: next(answers))
    batches = generation(data)
    assert len(batches) == 3 < data.steps
    assert len(generation(module(tmp_path, train_on=lambda: False))) == 1


def test_the_newest_samples_are_shown_as_they_were_made(tmp_path: Path) -> None:
    data = module(tmp_path)
    generation(data)
    made = len(data.harvest.samples)
    assert len(data.newest(most=10_000)["result"]) == made
    ten = data.newest(most=10)
    assert torch.equal(ten["policy"], torch.from_numpy(data.harvest.samples.policy[-10:]))


def test_nothing_is_harvested_before_something_is_played(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no generation has been played"):
        _ = module(tmp_path).harvest
