"""A step shared by workers is the step of one, but for the batch norms; those see a share each."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from c4.shards import Batch, Measured, Team


def network_of(*, norm: bool) -> nn.Sequential:
    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6) if norm else nn.Tanh(), nn.Linear(6, 1))


def batch_of(rows: int) -> dict[str, Tensor]:
    stream = torch.Generator().manual_seed(rows)
    return {
        "x": torch.randn((rows, 4), generator=stream),
        "y": torch.randn((rows, 1), generator=stream),
        "weight": torch.rand(rows, generator=stream) + 0.1,
    }


def measure(network: nn.Module, batch: Batch) -> Measured:
    each = (network(batch["x"]) - batch["y"]).square()[:, 0]
    mean = (each * batch["weight"]).sum() / batch["weight"].sum()
    dtype = network(batch["x"]).dtype
    return Measured(mean, {"twice": 2 * mean.detach(), "mixed": torch.tensor(float(dtype is torch.bfloat16))})


@pytest.fixture(params=[2, 3])
def workers(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize("rows", [1, 2, 7, 12])
def test_loss_figures_and_gradient_are_those_of_the_whole_batch(workers: int, rows: int) -> None:
    network, batch = network_of(norm=False), batch_of(rows)
    whole = measure(network, batch)
    expected = torch.autograd.grad(whole.loss, list(network.parameters()))
    team = Team(network, workers=workers)
    shared = team.measure(measure, batch)
    found = torch.autograd.grad(shared.loss, list(network.parameters()))
    team.close()
    assert torch.allclose(shared.loss, whole.loss)
    assert torch.allclose(shared.figures["twice"], 2 * whole.loss)
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(expected, found, strict=True))


def test_a_scaled_loss_has_a_scaled_gradient() -> None:
    network, batch = network_of(norm=False), batch_of(8)
    team = Team(network, workers=2)
    once = torch.autograd.grad(team.measure(measure, batch).loss, list(network.parameters()))
    scaled = torch.autograd.grad(team.measure(measure, batch).loss * 1024, list(network.parameters()))
    team.close()
    assert all(torch.allclose(1024 * a, b) for a, b in zip(once, scaled, strict=True))


def test_workers_go_on_from_weights_that_were_stepped_and_loaded() -> None:
    network, batch = network_of(norm=False), batch_of(8)
    team = Team(network, workers=2)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        team.measure(measure, batch).loss.backward()
        optimizer.step()
    assert torch.allclose(team.measure(measure, batch).loss, measure(network, batch).loss)
    network.load_state_dict(network_of(norm=False).state_dict())
    assert torch.allclose(team.measure(measure, batch).loss, measure(network, batch).loss)
    team.close()


def test_statistics_are_the_mean_over_the_shares() -> None:
    network, batch = network_of(norm=True), batch_of(10)
    halves = [{name: rows[part] for name, rows in batch.items()} for part in (slice(5), slice(5, 10))]
    expected = []
    for half in halves:
        alone = network_of(norm=True)
        measure(alone, half)
        expected.append(alone[1].running_mean)
    team = Team(network, workers=2)
    team.measure(measure, batch)
    team.close()
    assert torch.allclose(network[1].running_mean, (expected[0] + expected[1]) / 2)
    assert network[1].num_batches_tracked.item() == 2


def test_the_same_workers_give_the_same_bits(workers: int) -> None:
    def trained() -> list[Tensor]:
        network = network_of(norm=True)
        team = Team(network, workers=workers)
        optimizer = torch.optim.AdamW(network.parameters(), lr=0.01)
        for step in range(20):
            optimizer.zero_grad()
            team.measure(measure, batch_of(30 + step)).loss.backward()
            optimizer.step()
        team.close()
        return list(network.state_dict().values())

    assert all(torch.equal(a, b) for a, b in zip(trained(), trained(), strict=True))


@pytest.mark.parametrize("mixed", [False, True])
def test_mixed_precision_reaches_the_workers(mixed: bool) -> None:
    team = Team(network_of(norm=False), workers=2)
    with torch.autocast("cpu", torch.bfloat16, enabled=mixed):
        measured = team.measure(measure, batch_of(6))
    team.close()
    assert measured.figures["mixed"].item() == float(mixed)


def test_a_failure_of_a_worker_is_raised() -> None:
    def fails(network: nn.Module, batch: Batch) -> Measured:
        raise FloatingPointError("no number")

    team = Team(network_of(norm=False), workers=2)
    with pytest.raises(FloatingPointError, match="no number"):
        team.measure(fails, batch_of(6))
    assert team.measure(measure, batch_of(6)).loss.isfinite()
    team.close()


def test_what_does_not_learn_and_what_has_no_say_is_left_alone(workers: int) -> None:
    network = nn.ModuleDict({"used": nn.Linear(4, 1), "unused": nn.Linear(4, 1), "frozen": nn.Linear(1, 1)})
    network["frozen"].requires_grad_(False)

    def measure_used(some: nn.Module, batch: Batch) -> Measured:
        each = some["frozen"](some["used"](batch["x"]))[:, 0]  # type: ignore[index]
        return Measured((each * batch["weight"]).sum() / batch["weight"].sum(), {})

    batch = batch_of(9)
    measure_used(network, batch).loss.backward()
    expected = {name: parameter.grad for name, parameter in network.named_parameters()}
    network.zero_grad()
    team = Team(network, workers=workers)
    team.measure(measure_used, batch).loss.backward()
    team.close()
    found = {name: parameter.grad for name, parameter in network.named_parameters()}
    assert {name for name, gradient in found.items() if gradient is not None} == {"used.weight", "used.bias"}
    for name, gradient in expected.items():
        assert gradient is None if found[name] is None else torch.allclose(gradient, found[name])
