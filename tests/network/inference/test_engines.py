"""What holds for every engine, whatever runs the passes. CUDA runs here on the CPU (no_gpu.py)."""

from __future__ import annotations

import dataclasses
import os
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch
from tests.network.inference.no_gpu import Stream, without_a_gpu
from tests.network.shapes import CONNECT4, GOMOKU, SHAPES, SMALL, UNTRAINED, random_planes, trained_like
from torch import nn
from torch._inductor.exc import InductorError

from c4.games import GameSpec
from c4.network.inference import cuda_engine
from c4.network.inference.engine import EngineUnavailableError, Evaluations, InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.network import answer, make_network
from c4.network.output import evaluation
from c4.network.tower import Tower
from c4.params.inference import EngineName, InferenceParams, Precision
from c4.params.network import NetworkParams

PARAMS = InferenceParams(
    engine=EngineName.TORCH,
    precision=Precision.FLOAT32,
    streams=2,
    buckets=(16, 32),
    average_symmetries=False,
    auto_seconds=0.0,
)
Make = Callable[..., InferenceEngine]


@pytest.fixture(params=[EngineName.TORCH, EngineName.OPENVINO, EngineName.CUDA], ids=lambda name: name.value)
def make(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes engines of one kind, and closes them."""
    if request.param is EngineName.OPENVINO:
        pytest.importorskip("openvino")
    if request.param is EngineName.CUDA:
        without_a_gpu(monkeypatch)
    engines: list[InferenceEngine] = []

    def make_one(
        spec: GameSpec = CONNECT4, network: nn.Module | NetworkParams = SMALL, **knobs: object
    ) -> InferenceEngine:
        params = dataclasses.replace(PARAMS, engine=request.param, **knobs)  # type: ignore[arg-type]
        network = network if isinstance(network, nn.Module) else make_network(spec, network)
        engines.append(make_engine(params, spec=spec, network=network))
        return engines[-1]

    yield make_one
    for engine in engines:
        engine.close()


def same_bits(a: Evaluations, b: Evaluations) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def rows_of(evaluations: Evaluations, rows: Any) -> Evaluations:
    return Evaluations(*(part[rows] for part in evaluations))


def said_by(network: nn.Module, planes: torch.Tensor) -> Evaluations:
    with torch.no_grad():
        return Evaluations(*(part.numpy() for part in evaluation(answer(network, planes.float()))))


@pytest.mark.parametrize("spec", [CONNECT4, GOMOKU], ids=["connect4", "gomoku"])
@pytest.mark.parametrize("params", SHAPES.values(), ids=SHAPES)
def test_an_engine_says_what_the_network_says(make: Make, spec: GameSpec, params: NetworkParams) -> None:
    network = trained_like(spec, params)
    planes = random_planes(spec, 21)
    engine = make(spec, params)
    engine.load(network.state_dict())
    for said, expected in zip(engine.evaluate(planes.numpy()), said_by(network, planes), strict=True):
        assert said.dtype == np.float32
        assert expected.std() > 0.01
        np.testing.assert_allclose(said, expected, rtol=2e-4, atol=2e-5)


def test_bfloat16_is_near(make: Make) -> None:
    network = trained_like(CONNECT4, SMALL)
    planes = random_planes(CONNECT4, 64)
    engine = make(precision=Precision.BFLOAT16)
    engine.load(network.state_dict())
    exact = said_by(network, planes)
    for said, expected in zip(engine.evaluate(planes.numpy()), exact, strict=True):
        assert np.abs(said - expected).max() < 0.15 * expected.std()
        assert not np.array_equal(said, expected)


@pytest.mark.parametrize("precision", [Precision.FLOAT32, Precision.BFLOAT16], ids=["f32", "bf16"])
@pytest.mark.parametrize("params", [SHAPES["plain"], SHAPES["global_pooling"]], ids=["plain", "global_pooling"])
def test_a_row_is_the_same_bits_in_whatever_batch_it_comes(
    make: Make, precision: Precision, params: NetworkParams
) -> None:
    network = trained_like(CONNECT4, params)
    planes = random_planes(CONNECT4, 85).numpy()
    engine = make(network=params, precision=precision)
    engine.load(network.state_dict())
    once = engine.evaluate(planes)
    assert same_bits(engine.evaluate(planes), once)
    order = np.random.default_rng(1).permutation(85)
    assert same_bits(engine.evaluate(planes[order]), rows_of(once, order))
    for row in (0, 17, 84):
        assert same_bits(engine.evaluate(planes[row : row + 1]), rows_of(once, slice(row, row + 1)))
    for rows in (3, 15, 16, 17, 32, 33, 70):
        assert same_bits(engine.evaluate(planes[:rows]), rows_of(once, slice(rows)))


def test_the_same_weights_are_the_same_bits_in_a_new_engine(make: Make) -> None:
    network = trained_like(CONNECT4, SMALL)
    planes = random_planes(CONNECT4, 30).numpy()
    first, second = make(precision=Precision.BFLOAT16), make(precision=Precision.BFLOAT16, streams=1)
    for engine in (first, second):
        engine.load(trained_like(CONNECT4, SMALL, seed=7).state_dict())
        engine.evaluate(planes)
        engine.load(network.state_dict())
    assert same_bits(first.evaluate(planes), second.evaluate(planes))


def test_many_batches_fly_at_once_and_land_in_any_order(make: Make) -> None:
    engine = make()
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    batches = [random_planes(CONNECT4, rows, seed=rows).numpy() for rows in (40, 1, 16, 0, 7, 33)]
    alone = [engine.evaluate(planes) for planes in batches]
    handles = [engine.submit(planes) for planes in batches]
    together = [handle.result() for handle in reversed(handles)]
    assert all(same_bits(a, b) for a, b in zip(alone, reversed(together), strict=True))
    assert [len(evaluations.value) for evaluations in alone] == [40, 1, 16, 0, 7, 33]


def test_results_stay_once_taken(make: Make) -> None:
    engine = make()
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    handle = engine.submit(random_planes(CONNECT4, 9).numpy())
    taken = handle.result()
    copy = Evaluations(*(part.copy() for part in taken))
    engine.evaluate(random_planes(CONNECT4, 9, seed=5).numpy())
    assert same_bits(taken, copy)
    assert same_bits(handle.result(), copy)


def test_planes_may_be_overwritten_once_submitted(make: Make) -> None:
    engine = make()
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    planes = random_planes(CONNECT4, 40).numpy()
    expected = engine.evaluate(planes)
    handle = engine.submit(planes)
    planes[:] = 0
    assert same_bits(handle.result(), expected)


def test_new_weights_count_from_the_next_batch_on(make: Make) -> None:
    engine = make()
    planes = random_planes(CONNECT4, 40)
    old, new = (trained_like(CONNECT4, SMALL, seed=seed) for seed in (1, 2))
    engine.load(old.state_dict())
    flying = [engine.submit(planes.numpy()) for _ in range(3)]
    engine.load(new.state_dict())
    after = engine.evaluate(planes.numpy())
    for handle in flying:
        np.testing.assert_allclose(handle.result().value, said_by(old, planes).value, atol=1e-5)
    np.testing.assert_allclose(after.value, said_by(new, planes).value, atol=1e-5)


def test_weights_may_change_after_they_were_loaded(make: Make) -> None:
    network = trained_like(CONNECT4, SMALL)
    planes = random_planes(CONNECT4, 8)
    expected = said_by(network, planes)
    engine = make()
    engine.load(network.state_dict())
    with torch.no_grad():
        for tensor in network.state_dict().values():
            tensor.mul_(2)
    np.testing.assert_allclose(engine.evaluate(planes.numpy()).value, expected.value, atol=1e-5)


def test_several_threads_may_use_one_engine(make: Make) -> None:
    engine = make()
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    batches = [random_planes(CONNECT4, 5 + seed, seed=seed).numpy() for seed in range(24)]
    alone = [engine.evaluate(planes) for planes in batches]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(engine.evaluate, batches))
    assert all(same_bits(a, b) for a, b in zip(alone, together, strict=True))


def test_weights_come_first(make: Make) -> None:
    with pytest.raises(RuntimeError, match="load weights"):
        make().submit(random_planes(CONNECT4, 1).numpy())


@pytest.mark.parametrize(
    "planes", [np.zeros((2, 3, 6, 7), np.float32), np.zeros((2, 3, 7, 6), np.uint8), np.zeros((3, 6, 7), np.uint8)]
)
def test_planes_of_another_shape_are_refused_in_a_sentence(make: Make, planes: np.ndarray) -> None:
    engine = make()
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    with pytest.raises(ValueError, match=r"planes of connect4 are uint8 \[n, 3, 6, 7\], not"):
        engine.submit(planes)
    assert len(engine.evaluate(random_planes(CONNECT4, 2).numpy()).value) == 2


def test_a_closed_engine_says_so_and_keeps_what_was_in_flight(make: Make) -> None:
    engine = make()
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    planes = random_planes(CONNECT4, 20).numpy()
    expected, handle = engine.evaluate(planes), engine.submit(planes)
    engine.close()
    engine.close()
    assert same_bits(handle.result(), expected)
    with pytest.raises(RuntimeError, match="closed"):
        engine.submit(planes)


def test_a_name_and_streams_can_be_asked_for(make: Make) -> None:
    engine = make(streams=2)
    assert engine.streams == 2
    assert dataclasses.replace(PARAMS, engine=engine.name).engine is engine.name is not EngineName.AUTO


@pytest.mark.parametrize("name", [EngineName.TORCH, EngineName.CUDA])
def test_8_bits_are_for_openvino(name: EngineName, monkeypatch: pytest.MonkeyPatch) -> None:
    without_a_gpu(monkeypatch)
    with pytest.raises(EngineUnavailableError, match="precision=int8 is not for"):
        make_engine(
            dataclasses.replace(PARAMS, engine=name, precision=Precision.INT8),
            spec=CONNECT4,
            network=UNTRAINED,
        )


@pytest.mark.parametrize("name", [EngineName.TORCH, EngineName.OPENVINO])
def test_half_precision_is_for_gpus(name: EngineName) -> None:
    if name is EngineName.OPENVINO:
        pytest.importorskip("openvino")
    with pytest.raises(EngineUnavailableError, match="precision=f16 is not for"):
        make_engine(
            dataclasses.replace(PARAMS, engine=name, precision=Precision.FLOAT16),
            spec=CONNECT4,
            network=UNTRAINED,
        )


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_cuda_without_a_gpu_is_refused_in_a_sentence() -> None:
    with pytest.raises(EngineUnavailableError, match="needs a GPU"):
        make_engine(dataclasses.replace(PARAMS, engine=EngineName.CUDA), spec=CONNECT4, network=UNTRAINED)


def test_a_lane_keeps_the_planes_that_its_graph_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_a_gpu(monkeypatch)
    seen: list[weakref.ref[torch.Tensor]] = []

    def run(planes: torch.Tensor) -> tuple[torch.Tensor, ...]:
        seen.append(weakref.ref(planes))
        return torch.zeros(16, 7), torch.zeros(16), torch.zeros(16)

    def forgetful(work: Callable[[], None], **_: object) -> Callable[[], None]:
        work()
        return lambda: None  # a graph does not hold the tensors that were there before it

    monkeypatch.setattr(cuda_engine, "_captured", forgetful)
    knobs: Any = {"run": run, "stream": Stream(), "device": torch.device("cpu")}
    lane = cuda_engine._CudaLane(spec=CONNECT4, bucket=16, **knobs)
    assert seen[0]() is not None
    lane.start()


def test_passes_of_a_gpu_fly_on_all_of_its_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    without_a_gpu(monkeypatch)
    engine = make_engine(dataclasses.replace(PARAMS, engine=EngineName.CUDA), spec=CONNECT4, network=UNTRAINED)
    engine.load(trained_like(CONNECT4, SMALL).state_dict())
    handle = engine.submit(random_planes(CONNECT4, 64).numpy())  # two passes of the largest bucket
    assert [(len(stream.work), stream.done) for stream in Stream.all] == [(1, 0), (1, 0)]
    assert len(handle.result().value) == 64
    assert [stream.done for stream in Stream.all] == [1, 1]
    engine.close()


def test_what_a_gpu_needs_to_train_by_algorithms_that_repeat_is_said_before_its_first_product(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_a_gpu(monkeypatch)
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG")
    make_engine(dataclasses.replace(PARAMS, engine=EngineName.CUDA), spec=CONNECT4, network=UNTRAINED).close()
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] in {":4096:8", ":16:8"}  # torch takes no others


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("precision", [Precision.FLOAT32, Precision.FLOAT16], ids=["f32", "f16"])
def test_cuda_graphs_say_what_the_network_says(precision: Precision) -> None:
    network = trained_like(CONNECT4, SMALL)
    planes = random_planes(CONNECT4, 45)
    params = dataclasses.replace(PARAMS, engine=EngineName.CUDA, precision=precision)
    engine = make_engine(params, spec=CONNECT4, network=UNTRAINED)
    engine.load(trained_like(CONNECT4, SMALL, seed=3).state_dict())
    engine.evaluate(planes.numpy())
    engine.load(network.state_dict())
    handles = [engine.submit(planes.numpy()) for _ in range(5)]
    for handle in handles:
        np.testing.assert_allclose(handle.result().value, said_by(network, planes).value, atol=2e-2)
    engine.close()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:`torch.jit.script_method` is deprecated:DeprecationWarning")  # torch's own use
@pytest.mark.filterwarnings("ignore:Guards may run slower:RuntimeWarning")  # of Python 3.13.0 alone
def test_compiled_torch_says_the_same_before_and_after_new_weights() -> None:
    params = dataclasses.replace(PARAMS, engine=EngineName.TORCH_COMPILE, buckets=(16,))
    engine = make_engine(params, spec=CONNECT4, network=UNTRAINED)
    planes = random_planes(CONNECT4, 20)
    for seed in (1, 2):
        network = trained_like(CONNECT4, SMALL, seed=seed)
        engine.load(network.state_dict())
        said, expected = engine.evaluate(planes.numpy()), said_by(network, planes)
        np.testing.assert_allclose(said.policy_logits, expected.policy_logits, rtol=2e-4, atol=2e-5)
        assert same_bits(engine.evaluate(planes.numpy()[:7]), rows_of(said, slice(7)))
    engine.close()


def test_what_cannot_be_compiled_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise InductorError(RuntimeError("no compiler"), None)

    monkeypatch.setattr(torch, "compile", lambda *_, **__: failing)
    params = dataclasses.replace(PARAMS, engine=EngineName.TORCH_COMPILE, buckets=(16,))
    engine = make_engine(params, spec=CONNECT4, network=UNTRAINED)
    with pytest.raises(EngineUnavailableError, match=r"\(InductorError\); it needs a C\+\+ compiler"):
        engine.load(Tower(CONNECT4, SMALL).state_dict())
    engine.close()
